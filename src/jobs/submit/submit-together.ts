import type { QueueContract } from '#queues/define.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import type { Context } from '#src/system/context.ts';
import { isDataError, sqlState } from '#src/system/postgres/postgres-errors.ts';
import { findWinners, insertAll, type NewJob } from './insert-jobs.ts';
import { newJob, placeContents, type Submission, type Submitted } from './submit.ts';

const UNIQUE_VIOLATION = '23505';

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
  const placed = await Promise.all(wanted.map(async (job) => await placeContents(context, job)));
  const inserted = await insertAll(context, placed).catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) return null;
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
    openBroker(context).addLater(inserted);
    return inserted.map((job) => ({ job, created: true }));
  }
  return await replayed(context, wanted);
}

/** The jobs of the same request as it was taken before. @throws AppError `idempotency_conflict` where it was another */
async function replayed(context: Context, wanted: readonly NewJob[]): Promise<readonly Submitted[]> {
  const winners = new Map((await findWinners(context.db, wanted)).map((job) => [job.idempotencyKey, job]));
  const fresh = wanted.findIndex(({ idempotencyKey }) => !winners.has(idempotencyKey));
  if (fresh >= 0)
    throw new AppError(
      'idempotency_conflict',
      `expected keys that are all new and each once, or a repetition of all, got some of both: job ${fresh} is new. None was taken.`,
      { index: fresh },
    );
  return wanted.map(({ idempotencyKey, requestHash: asked }, index) => {
    const { requestHash, ...job } = winners.get(idempotencyKey)!;
    if (requestHash === asked) return { job, created: false };
    const conflict = idempotencyConflict(idempotencyKey ?? undefined, {
      kind: 'job',
      id: job.id,
      of: `of ${job.queue}`,
    });
    throw withIndex(conflict, index);
  });
}

function withIndex({ code, message, details }: AppError, index: number): AppError {
  return new AppError(code, `job ${index}: ${message} None was taken.`, { ...details, index });
}
