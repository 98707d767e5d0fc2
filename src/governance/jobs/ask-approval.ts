import { hash } from 'node:crypto';
import { sql } from 'slonik';
import type { Area } from '#src/governance/approvals/areas.ts';
import { requestApproval } from '#src/governance/approvals/request-approval.ts';
import { publishOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { wholeJob } from '#src/jobs/contents/whole-job.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Terms } from '#src/jobs/submit/terms.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import type { Context } from '#src/system/context.ts';
import { readUnderTerms } from './terms-row.ts';

/** Characters of a payload that the decider is shown as they are; of a larger one the beginning, and its digest. */
const SHOWN_CHARACTERS = 65_536;

/**
 * Asks for the decision that a job waits for. Once: a job whose decision is asked for already, or that waits no more, is
 * left as it is.
 *
 * @throws AppError `content_lost`, `unavailable` where its payload cannot be read now
 */
export async function askApproval(context: Context, id: string): Promise<void> {
  const found = await readUnderTerms(context, id);
  if (!found?.terms || found.gate !== 'ask') return;
  const { terms } = found;
  const effect = effectOf(await wholeJob(context, found), terms, await titleOf(context, found));
  const events = await context.db.transaction(async (tx) => {
    const job = await readUnderTerms({ db: tx }, id, { lock: true });
    if (job?.gate !== 'ask') return [];
    await tx.query(sql.unsafe`
      update jobs set gate = ${job.state === 'awaiting_approval' ? 'asked' : null} where id = ${id}`);
    if (job.state !== 'awaiting_approval' || job.approvalId === null || !terms.approval) return [];
    const { why, areas, decide_within_s = context.config.APPROVAL_TTL_S } = terms.approval;
    const asked = await requestApproval(tx, {
      owner: job.owner,
      kind: 'job',
      subject: id,
      effect,
      areas: areas.map((area): Area => ({ area, why })),
      requestedBy: terms.by,
      ttlS: decide_within_s,
      waiting: { id: job.approvalId, job: id },
    });
    return asked.events;
  });
  await publishOwnerEvents(context, found.owner, events);
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
