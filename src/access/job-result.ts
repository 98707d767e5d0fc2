import type { Payload, QueueContract, Result } from '#queues/define.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { waitForJob } from '#src/jobs/read/wait-for-job.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { AppError, knownDetails } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import type { Bus } from '#src/system/redis/bus.ts';
import { admitWork } from './quota.ts';

/** The caller of a job, and the end of its wait for the answer. */
export interface Caller {
  readonly context: Context;
  readonly hub: { readonly bus: Bus };
  readonly principal: Principal;
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** End of the wait, in milliseconds of `performance.now()`. */
  readonly until: number;
}

/**
 * The result of a job that is one part of an answer: a request whose whole answer is one job uses `answerWithJob`.
 *
 * @param idempotencyKey a key of our own, for work that is not requested twice
 * @throws AppError `quota_exceeded`, `unavailable` where there is no result in time, or what the job failed with.
 */
export async function jobResult<Q extends QueueContract>(
  { context, hub, principal, signal, until }: Caller,
  queue: Q,
  payload: Payload<Q>,
  idempotencyKey?: string,
): Promise<Result<Q>> {
  await admitWork(context)(principal, queue.name);
  const { job } = await submit(context, queue, {
    principal,
    payload,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  const waitMs = Math.max(0, until - performance.now());
  const last = (await waitForJob(context, hub, job.id, waitMs, signal)) ?? job;
  if (last.state === 'succeeded') return last.result as Result<Q>;
  if (last.state === 'failed' || last.state === 'cancelled') throw jobFailure(last);
  throw new AppError('unavailable', `expected a result of ${queue.name} in time, got none yet; ask again.`, {
    job: last.id,
  });
}

/** Makes the error of a request that waits for a job from the error that the job failed with. */
export function jobFailure({ id, state, error }: Job): AppError {
  if (state === 'cancelled')
    return new AppError('cancelled', 'The job was cancelled before it had a result.', { job: id });
  const known = error !== null && Object.hasOwn(errorCodes, error.code);
  if (!known) return new AppError('internal', 'The job failed on our side; it has been logged.', { job: id });
  return new AppError(
    error.code as ErrorCode,
    error.message,
    knownDetails({ ...(error.details as object | undefined), job: id }),
  );
}
