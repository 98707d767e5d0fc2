import type { QueueContract } from '#queues/define.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { startNow } from '#src/jobs/wake/start-dependents.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import type { Context } from '#src/system/context.ts';
import { isDataError, isUniqueViolation } from '#src/system/postgres/postgres-errors.ts';
import { assertOwnJobs } from './assert-own-jobs.ts';
import { findWinners, insertAll, isReplacedOne } from './insert-jobs.ts';
import type { NewJob, Submitted } from './new-job.ts';
import { isDue, newJob, placeContents, type Submission } from './submit.ts';

/**
 * Accepts many jobs all together or not at all, in one statement. A repetition of all of them is answered with the jobs
 * that are there.
 *
 * @throws AppError `invalid_payload`, or `idempotency_conflict` where some were submitted before and not all
 */
export async function submitTogether(
  context: Context,
  submissions: readonly { readonly queue: QueueContract; readonly submission: Submission<QueueContract> }[],
): Promise<readonly Submitted[]> {
  const wanted = await inTurns([...submissions.entries()], ([index, { queue, submission }]) => {
    try {
      return newJob(queue, submission);
    } catch (error) {
      throw error instanceof AppError ? withIndex(error, index) : error;
    }
  });
  for (const [index, job] of wanted.entries())
    await assertOwnJobs(context, job).catch((error: unknown) => {
      throw error instanceof AppError ? withIndex(error, index) : error;
    });
  if (await isReplacedOne(context, wanted)) return await replayed(context, wanted);
  const placed = await Promise.all(wanted.map(async (job) => await placeContents(context, job)));
  const inserted = await insertAll(context, placed).catch((error: unknown) => {
    if (isUniqueViolation(error)) return null;
    if (!isDataError(error)) throw error;
    throw new AppError(
      'invalid_payload',
      'A payload holds a value that cannot be stored: expected text without \\u0000 and lone surrogates. None was taken.',
      {},
      error,
    );
  });
  if (inserted) {
    for (const { queue } of inserted) context.metrics.proofline_jobs_submitted_total.inc({ queue });
    openBroker(context).addLater(inserted.filter(isDue));
    await startNow(
      context,
      wanted.flatMap(({ id, dependsOn }) => (dependsOn ? [id] : [])),
    );
    return inserted.map((job) => ({ job, created: true }));
  }
  return await replayed(context, wanted);
}

/** The jobs of the same request as it was taken before. @throws AppError `idempotency_conflict` where it was another */
async function replayed(context: Context, wanted: readonly NewJob[]): Promise<readonly Submitted[]> {
  const found = await findWinners(context.db, wanted);
  const winners = new Map(found.flatMap((job) => (job.foundBy === null ? [] : [[job.foundBy, job] as const])));
  const fresh = wanted.findIndex(({ idempotencyKey }) => idempotencyKey === null || !winners.has(idempotencyKey));
  if (fresh >= 0) {
    assertKeysFree(wanted, found);
    throw new AppError(
      'idempotency_conflict',
      `expected keys that are all new and each once, or a repetition of all, got some of both: job ${fresh} is new. None was taken.`,
      { index: fresh },
    );
  }
  return wanted.map(({ idempotencyKey, requestHash: asked }, index) => {
    const { requestHash, uniqueKey: _key, foundBy: _by, ...job } = winners.get(idempotencyKey!)!;
    if (requestHash === asked) return { job, created: false };
    const conflict = idempotencyConflict(idempotencyKey ?? undefined, {
      kind: 'job',
      id: job.id,
      of: `of ${job.queue}`,
    });
    throw withIndex(conflict, index);
  });
}

/** All or none means that a unique key which is held refuses all, whatever its conflict says. @throws AppError `unique_conflict` */
function assertKeysFree(wanted: readonly NewJob[], found: Awaited<ReturnType<typeof findWinners>>): void {
  const seen = new Set<string>();
  for (const [index, { queue, unique }] of wanted.entries()) {
    if (!unique) continue;
    const holder = found.find((job) => job.queue === queue && job.uniqueKey === unique.key);
    const name = `${queue}\0${unique.key}`;
    if (!holder && !seen.has(name)) {
      seen.add(name);
      continue;
    }
    const by = holder ? `the job ${holder.id} holds it` : 'a job before it in the request has it';
    throw new AppError(
      'unique_conflict',
      `job ${index}: the unique key ${JSON.stringify(unique.key)} of ${queue} is taken: ${by}. None was taken.`,
      { index, ...(holder && { job: holder.id }) },
    );
  }
}

function withIndex({ code, message, details }: AppError, index: number): AppError {
  return new AppError(code, `job ${index}: ${message} None was taken.`, { ...details, index });
}
