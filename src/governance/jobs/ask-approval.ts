import { hash } from 'node:crypto';
import { sql } from 'slonik';
import type { Area } from '#src/governance/approvals/areas.ts';
import { type JobApprovalRequest, requestJobApprovals } from '#src/governance/approvals/request-approval.ts';
import { publishOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { wholeJob } from '#src/jobs/contents/whole-job.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Terms } from '#src/jobs/submit/terms.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { readAllUnderTerms, type UnderTerms } from './terms-row.ts';

/** Characters of a payload that the decider is shown as they are; of a larger one the beginning, and its digest. */
const SHOWN_CHARACTERS = 65_536;

/**
 * Asks for the decisions that jobs wait for, together for each owner. Once: a job whose decision is asked for already, or
 * that waits no more, is left as it is; so is one whose payload cannot be read now.
 *
 * @throws what Postgres fails with while it is away
 */
export async function askApprovals(context: Context, ids: readonly string[]): Promise<void> {
  const found = (await readAllUnderTerms(context, ids)).filter(({ terms, gate }) => terms && gate === 'ask');
  const wanted = await Promise.all(found.map(async (job) => await wantedOf(context, job)));
  const byOwner = Map.groupBy(
    wanted.flatMap((one) => one ?? []),
    ({ owner }) => owner,
  );
  for (const [owner, own] of byOwner) await askTogether(context, owner, own);
}

type Wanted = JobApprovalRequest & { readonly owner: string };

async function askTogether(context: Context, owner: string, wanted: readonly Wanted[]): Promise<void> {
  const ids = wanted.map(({ job }) => job);
  const events = await context.db.transaction(async (tx) => {
    const jobs = (await readAllUnderTerms({ db: tx }, ids, { lock: true })).filter(({ gate }) => gate === 'ask');
    await tx.query(sql.unsafe`
      update jobs set gate = case when state = 'awaiting_approval' then 'asked' end
      where id = any(${sql.array(ids, 'uuid')}) and gate = 'ask'`);
    const waiting = new Set(jobs.filter(({ state }) => state === 'awaiting_approval').map(({ id }) => id));
    return await requestJobApprovals(
      tx,
      owner,
      wanted.filter(({ job }) => waiting.has(job)),
    );
  });
  await publishOwnerEvents(context, owner, events);
}

/** The request for the decision about a job; null where it has none to wait for, or its payload cannot be read now. */
async function wantedOf(context: Context, found: UnderTerms): Promise<Wanted | null> {
  const { id: job, owner, terms, approvalId: id } = found;
  if (!terms?.approval || id === null) return null;
  const { why, areas, decide_within_s: ttlS = context.config.APPROVAL_TTL_S } = terms.approval;
  try {
    const effect = effectOf(await wholeJob(context, found), terms, await titleOf(context, found));
    return { id, job, owner, effect, areas: areas.map((area): Area => ({ area, why })), requestedBy: terms.by, ttlS };
  } catch (error) {
    await logFailure(context, error, { job }, 'the decision about a job could not be asked for; it is tried again');
    return null;
  }
}

/** Everything that will happen if a job is let go, as the decider is shown it and as the decision is bound to it. */
function effectOf(job: Job, { approval, budget }: Terms, title: string): Readonly<Record<string, unknown>> {
  const text = canonicalText(job.payload ?? null);
  const isShown = text.length <= SHOWN_CHARACTERS;
  return {
    queue: job.queue,
    version: job.version,
    title,
    why: approval?.why ?? null,
    payload: isShown ? (job.payload ?? null) : null,
    ...(!isShown && { payloadBegins: text.slice(0, SHOWN_CHARACTERS).toWellFormed() }),
    payloadBytes: Buffer.byteLength(text),
    payloadSha256: hash('sha256', text, 'hex'),
    runAt: job.runAt > job.createdAt ? job.runAt.toISOString() : null,
    budgetUsd: budget?.job_usd ?? null,
    metadata: job.metadata ?? null,
  };
}

async function titleOf(context: Context, { queue, version }: Job): Promise<string> {
  return (await registryOf(context).find(queue, version))?.title ?? queue;
}
