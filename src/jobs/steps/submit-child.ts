import { sql } from 'slonik';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Unique } from '#queues/unique.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { canHold, checkName, type Fence, type Stale, stale } from './fence.ts';
import { keepStep, misnamed } from './keep-step.ts';

export interface Child {
  /** Its name among the steps of its parent: a child is submitted once by it. */
  readonly name: string;
  /** Number of steps that had ended when it was asked for. */
  readonly after: number;
  readonly queue: string;
  readonly payload: unknown;
  /** Version of the queue's contract; the newest without one. */
  readonly version?: number;
  readonly runAt?: Date;
  readonly priority?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The job that holds the key may be another's: it is then the child, and its end can be waited for. */
  readonly unique?: Unique;
}

export type SubmittedChild = { readonly status: 'submitted'; readonly child: string } | Stale;

const Held = Type.Object({
  owner: Type.String(),
  child: Type.Union([Type.String(), Type.Null()]),
  /** Kind of the step that has the name. */
  kind: Type.Union([Type.String(), Type.Null()]),
  /** Queue of that child; null also where it has been forgotten. */
  queue: Type.Union([Type.String(), Type.Null()]),
  /** Key that submitted the parent, and pays for it. */
  keyId: Type.Union([Type.String(), Type.Null()]),
});
const childValue = Compile(Type.Object({ job: Type.String() }));

/**
 * Submits a job on behalf of a running one, once by the name of its step, for the owner of the parent. A repetition
 * answers the child that there is, whatever its payload says now. A caller that dies half way leaves a child that the
 * next attempt finds by its key.
 *
 * The caller has checked that the owner may submit to the queue.
 *
 * @returns `stale` where the fence no longer holds
 * @throws AppError `not_found` for a queue or a version that does not exist, `invalid_payload`, `state_conflict` where
 *   another kind of step has the name, `idempotency_conflict` where the name was used for a child of another queue,
 *   `too_many_steps`, `invalid_request` for a name or a place that cannot be, `unavailable` while Postgres is away.
 */
export async function submitChild(context: Context, fence: Fence, child: Child): Promise<SubmittedChild> {
  const { name, after, queue, payload, version, runAt, priority, metadata, unique } = child;
  checkName('step', name);
  if (!canHold(fence)) return stale;
  const held = await context.db.maybeOne(sql.type(row(Held))`
    select j.owner, case when s.kind = 'child' then s.value->>'job' end as child, s.kind, c.queue,
      coalesce(j.key_id::text, j.terms->>'keyId') as "keyId"
    from jobs j left join steps s on s.job = j.id and s.name = ${name}
    left join jobs c on s.kind = 'child' and c.id = (s.value->>'job')::uuid
    where j.id = ${fence.job} and j.attempt = ${fence.attempt} and j.claim_token = ${fence.token} and j.state = 'running'`);
  if (!held) return stale;
  if (held.kind !== null && held.kind !== 'child') throw misnamed(fence.job, name, 'child', held.kind);
  if (held.queue !== null && held.queue !== queue) throw otherQueue(fence.job, name, held.queue, queue);
  if (held.child !== null) return { status: 'submitted', child: held.child };
  const contract = await registryOf(context).find(queue, version);
  if (!contract) throw noQueue(queue, version);
  const { job } = await submit(context, contract, {
    principal: { owner: held.owner, keyId: held.keyId },
    payload,
    parentId: fence.job,
    // with a space, which no client's key has; a repetition is one whatever its payload
    idempotencyKey: `child ${fence.job} ${name}`,
    request: name,
    ...(runAt !== undefined && { runAt }),
    ...(priority !== undefined && { priority }),
    ...(metadata !== undefined && { metadata }),
    ...(unique !== undefined && { unique }),
  });
  // told of by its parent, which is another job or none, the waker would not hear of its end
  if (job.parentId !== fence.job)
    await context.db.query(sql.unsafe`update jobs set awaited = true where id = ${job.id} and not awaited`);
  const kept = await keepStep(context, fence, { name, kind: 'child', after, value: { job: job.id } });
  if (kept.status === 'stale') return stale;
  const { value } = kept;
  return { status: 'submitted', child: childValue.Parse(value).job };
}

function otherQueue(job: string, name: string, kept: string, queue: string): AppError {
  const message = `expected the child ${name} in the queue ${kept}, where it was submitted, got ${queue}: give another child a name of its own.`;
  return new AppError('idempotency_conflict', message, { job, step: name, queue: kept });
}

function noQueue(queue: string, version: number | undefined): AppError {
  const which = version === undefined ? queue : `${queue} of version ${version}`;
  const message = `expected the name of a queue (GET /v1/queues lists them), got ${which}, which does not exist.`;
  return new AppError('not_found', message, { queue, ...(version !== undefined && { version }) });
}
