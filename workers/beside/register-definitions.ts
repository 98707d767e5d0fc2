import { hostname } from 'node:os';
import { type AnyJob, contractOf, versionsOf } from '@proofline/worker/runner';
import { misfit } from '#queues/misfit.ts';
import { ContractBody } from '#src/jobs/registry/contract-body.ts';
import { ownerOfNamespace } from '#src/jobs/registry/namespaces.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { namespaceOf } from '#src/jobs/registry/queue-name.ts';
import { registerQueue } from '#src/jobs/registry/register-queue.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Registers the contracts of these definitions, as the route does, in the name of the owners of their namespaces.
 *
 * @throws AppError `incompatible_contract`, `invalid_contract`, `quota_exceeded`; `forbidden` for a namespace of ours, and
 *   for one that has no owner; `not_found` for an older version that is taken and not registered
 */
export async function registerDefinitions(context: Context, jobs: readonly AnyJob[]): Promise<void> {
  for (const job of jobs) {
    const { name, version } = job;
    const owner = await ownerOf(context, name);
    await registerQueue(context, { name, version, contract: bodyOf(job), owner, by: `worker at ${hostname()}` });
    for (const taken of versionsOf(job)) await assertOwnQueue(context, { owner }, name, taken);
  }
}

async function ownerOf(context: Context, name: string): Promise<string> {
  const namespace = namespaceOf(name);
  const owner = await ownerOfNamespace(context, namespace);
  if (owner !== null) return owner;
  throw new AppError(
    'forbidden',
    `expected a namespace that has an owner, got ${namespace}, which has none: register ${name} once with a key of its owner that has the scope jobs.manage (PUT /v1/queues/${name}, or proofline queues apply); from then on this worker registers in it.`,
    { reason: 'namespace', namespace },
  );
}

/** The contract as it would go over HTTP. */
function bodyOf(job: AnyJob): ContractBody {
  const contract: unknown = JSON.parse(JSON.stringify(contractOf(job)));
  const wrong = misfit(ContractBody, contract);
  if (!wrong) return contract as ContractBody;
  const message = `The contract of ${job.name} cannot be taken: ${wrong.path || '/'} ${wrong.message}.`;
  throw new AppError('invalid_contract', message, { path: wrong.path });
}
