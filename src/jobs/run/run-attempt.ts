import type { TSchema } from 'typebox';
import type { QueueContract } from '#queues/define.ts';
import { misfit } from '#queues/misfit.ts';
import { tooLarge } from '#queues/too-large.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { readContent } from '#src/jobs/contents/content.ts';
import { CallerLeft, StopReason } from '#src/jobs/model/stop-reason.ts';
import { AppError, describeError, isRetryable } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { inSpan } from '#src/system/logging/trace.ts';
import type { Claimed } from './claim-jobs.ts';
import { AttemptFailed, conclude, type Ended, type Failure, failed, released, succeeded } from './conclude.ts';
import type { Running } from './hold-jobs.ts';
import type { openSettlements, Settlement } from './settle-jobs.ts';

/** Parts with which a process runs attempts, whether jobs are delivered to it or begin in it. */
export interface AttemptWorker {
  readonly context: Context;
  /** Attempts that it runs now, by job: a cancellation or a lost lease stops them there. */
  readonly running: Map<string, Running>;
  readonly settle: ReturnType<typeof openSettlements>;
}

/** One attempt at a job that this process has claimed. */
export interface Attempt extends Ended {
  readonly claimed: Claimed;
  readonly running: Running;
  /**
   * True where its caller waits for it in this process. Then a failure is final, since the caller would not wait for
   * another attempt; and the work is waited for after it was stopped, since it still pays for what came until then. Any
   * other work is left behind once it is stopped, so that a processor that ignores its signal cannot keep its job.
   */
  readonly isWaitedFor: boolean;
}

/** Outcome of an attempt here. */
export type AttemptEnd<R> =
  | {
      readonly result: R;
      /**
       * False where the outcome was decided elsewhere while the result came: the job was cancelled, or another attempt
       * holds it.
       */
      readonly isSettled: boolean;
    }
  | { readonly error: unknown };

/**
 * Runs one attempt and settles its job: result and event under the fence, or the failure with what follows it. Counts
 * and measures it. Never throws: what cannot be settled is left to its lease.
 *
 * @param work what the attempt does with the payload; its signal is that of `running`
 */
export async function runAttempt<R>(
  worker: AttemptWorker,
  attempt: Attempt,
  work: (payload: unknown) => Promise<R>,
): Promise<AttemptEnd<R>> {
  const { context } = worker;
  const { queue, claimed, running } = attempt;
  const { metrics } = context;
  const started = performance.now();
  worker.running.set(claimed.id, running);
  metrics.proofline_jobs_running.inc({ queue: queue.name });
  metrics.proofline_job_wait_seconds.observe(
    { queue: queue.name },
    Math.max(0, claimed.startedAt.getTime() - claimed.runAt.getTime()) / 1_000,
  );
  const outcome = await perform(context, attempt, work);
  try {
    const settlement =
      'error' in outcome ? await afterError(worker, attempt, outcome.error) : succeeded(attempt, outcome.result);
    const isSettled = settlement !== null && (await conclude(context, worker.settle, attempt, settlement));
    return 'error' in outcome ? outcome : { result: outcome.result, isSettled };
  } catch (error) {
    context.log.error({ err: error, job: claimed.id }, 'a job could not be settled; its lease decides');
    return 'error' in outcome ? outcome : { error };
  } finally {
    // a job that was suspended may be woken and claimed here again before this one is done
    if (worker.running.get(claimed.id) === running) worker.running.delete(claimed.id);
    running.done.resolve();
    metrics.proofline_jobs_running.dec({ queue: queue.name });
    metrics.proofline_job_run_seconds.observe({ queue: queue.name }, (performance.now() - started) / 1_000);
  }
}

/** Does the work within its time. Never throws. */
async function perform<R>(
  context: Context,
  { queue, claimed, running: { stop }, log, isWaitedFor }: Attempt,
  work: (payload: unknown) => Promise<R>,
): Promise<{ readonly result: R } | { readonly error: unknown }> {
  const { id, attempt, trace } = claimed;
  const late = () =>
    stop.abort(
      new AppError('job_timeout', `The job ran longer than ${queue.timeoutMs} ms and was stopped.`, {
        timeoutMs: queue.timeoutMs,
      }),
    );
  const timer = setTimeout(late, queue.timeoutMs);
  try {
    const payload = claimed.payloadContent === null ? claimed.payload : await readPayload(context, claimed);
    stop.signal.throwIfAborted();
    assertFits('invalid_payload', queue.payload, payload, `payload of ${queue.name}`);
    const begin = () => work(payload);
    const done = trace ? inSpan(queue.name, trace, { 'job.id': id, 'job.attempt': attempt }, begin) : begin();
    const result = (await (isWaitedFor ? done : untilStopped(done, stop.signal))) ?? (null as R);
    assertFits('invalid_result', queue.result, result, `result of ${queue.name}`);
    assertSmall(queue, result);
    if (attempt > 1) log.info('attempt succeeded');
    return { result };
  } catch (error) {
    return { error: stop.signal.aborted ? (stop.signal.reason as unknown) : error };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a payload that lies beside its row. @throws StopReason where the storage does not answer: no fault of the job's. */
async function readPayload(context: Context, { id, payloadContent }: Claimed): Promise<unknown> {
  try {
    return payloadContent && (await readContent(context, payloadContent, `payload of the job ${id}`));
  } catch (error) {
    throw error instanceof AppError && error.code === 'unavailable' ? new StopReason('payload_away') : error;
  }
}

/**
 * A payload that another release wrote, or a result that would break its readers, fails the job; trying again cannot
 * help.
 */
function assertFits(code: 'invalid_payload' | 'invalid_result', schema: TSchema, value: unknown, what: string): void {
  const wrong = misfit(schema, value);
  if (wrong)
    throw new AppError(code, `The ${what} does not fit its schema: ${wrong.path || '/'} ${wrong.message}.`, {
      path: wrong.path,
    });
}

/** Fails the job as a result that does not fit does: another attempt would make the same. */
function assertSmall(queue: QueueContract, result: unknown): void {
  const wrong = tooLarge(queue, 'result', result);
  if (wrong) throw new AppError('invalid_result', `The result of ${queue.name} ${wrong.message}.`, { path: '' });
}

/** Ends at once when the signal is aborted. */
async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Makes the settlement after an error; null where the job is no longer ours to settle. */
async function afterError({ context }: AttemptWorker, attempt: Attempt, reason: unknown): Promise<Settlement | null> {
  const { claimed, queue, log, isWaitedFor } = attempt;
  if (reason instanceof CallerLeft) {
    await cancelJob(context, claimed.id, 'client').catch(unlessEnded);
    return null;
  }
  if (!(reason instanceof StopReason))
    return failed(context, attempt, failureOf(context, attempt, reason), isWaitedFor ? 1 : queue.attempts);
  // its wait is settled
  if (reason.why === 'suspended') return null;
  log.warn('attempt stopped', { why: reason.why });
  // cancelled, or no longer ours: the outcome is decided already
  return reason.why === 'drain' || reason.why === 'payload_away' ? released(attempt, reason.why) : null;
}

function failureOf(context: Context, { claimed, queue }: Attempt, reason: unknown): Failure {
  if (reason instanceof AttemptFailed) return reason.failure;
  const error = describeError(reason);
  if (error.code === 'internal')
    context.log.error({ err: reason, job: claimed.id, queue: queue.name }, 'a processor failed');
  return { error, retryable: isRetryable(reason) };
}
