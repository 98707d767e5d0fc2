import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { TSchema } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { type Delivery, openBroker } from '#src/jobs/broker/broker.ts';
import { type JobLog, openJobLog } from '#src/jobs/log/job-log.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Claimed } from '#src/jobs/run/claim-jobs.ts';
import type { Running } from '#src/jobs/run/hold-jobs.ts';
import { openProgress } from '#src/jobs/run/progress.ts';
import type { Settlement } from '#src/jobs/run/settle-jobs.ts';
import { backoffMs } from '#src/lib/async/backoff.ts';
import { AppError, describeError, isRetryable } from '#src/lib/errors.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { inSpan } from '#src/system/logging/trace.ts';
import type { Desk } from './desk.ts';
import type { Work } from './processor.ts';

/** Claims what was delivered, runs it, settles it. Never throws: the broker's own outcome means nothing. */
export async function runDelivery(desk: Desk, work: Work, delivery: Delivery): Promise<void> {
  const { context } = desk;
  const queue = work.queue.name;
  const token = randomUUID();
  const claimed = await desk.claim({ ...delivery, token }).catch((error: unknown) => {
    void logFailure(context, error, { job: delivery.id }, 'a claim failed; the audit will deliver it again');
    return null;
  });
  if (!claimed) {
    context.metrics.proofline_claims_refused_total.inc({ queue });
    return;
  }
  desk.onClaim(claimed);
  const started = performance.now();
  const running: Running = { stop: new AbortController(), claimedAt: started, done: Promise.withResolvers() };
  desk.running.set(claimed.id, running);
  context.metrics.proofline_jobs_running.inc({ queue });
  observeWait(desk, claimed);
  try {
    const settlement = await perform(desk, work, claimed, token, running);
    if (settlement) await settle(desk, work, claimed, settlement);
  } catch (error) {
    context.log.error({ err: error, job: claimed.id }, 'a job could not be settled; it goes back to its queue');
  } finally {
    desk.running.delete(claimed.id);
    running.done.resolve();
    context.metrics.proofline_jobs_running.dec({ queue });
    context.metrics.proofline_job_run_seconds.observe({ queue }, (performance.now() - started) / 1_000);
  }
}

function observeWait({ context }: Desk, { queue, runAt, startedAt }: Claimed): void {
  context.metrics.proofline_job_wait_seconds.observe(
    { queue },
    Math.max(0, startedAt.getTime() - runAt.getTime()) / 1_000,
  );
}

/** Runs the processor; answers how to settle, or null where the job is no longer ours to settle. */
async function perform(
  desk: Desk,
  { queue, processor }: Work,
  claimed: Claimed,
  token: string,
  { stop }: Running,
): Promise<Settlement | null> {
  const { context, threads } = desk;
  const { id, owner, attempt } = claimed;
  const log = openJobLog(context, id, attempt);
  log.aside('attempt started', { worker: claimed.worker, host: hostname(), pid: process.pid });
  const base = { id, attempt, token, delayMs: 0 };
  const timer = setTimeout(
    () =>
      stop.abort(
        new AppError('job_timeout', `The job ran longer than ${queue.timeoutMs} ms and was stopped.`, {
          timeoutMs: queue.timeoutMs,
        }),
      ),
    queue.timeoutMs,
  );
  let tell: ReturnType<typeof openProgress> | undefined;
  try {
    assertFits('invalid_payload', queue.payload, claimed.payload, `payload of ${queue.name}`);
    const run = () =>
      processor({
        payload: claimed.payload,
        emit: (progress, key = 'progress') => {
          tell ??= openProgress(context, id);
          tell(key, progress);
        },
        log,
        signal: stop.signal,
        attempt,
        job: { id, owner, attempt },
        context,
        threads,
      });
    const traced = claimed.trace
      ? inSpan(queue.name, claimed.trace, { 'job.id': id, 'job.attempt': attempt }, run)
      : run();
    const result: unknown = (await untilStopped(traced, stop.signal)) ?? null;
    assertFits('invalid_result', queue.result, result, `result of ${queue.name}`);
    if (attempt > 1) log.info('attempt succeeded');
    return { ...base, state: 'succeeded', event: 'succeeded', data: {}, result, counts: false };
  } catch (error) {
    const reason = stop.signal.aborted ? (stop.signal.reason as unknown) : error;
    if (reason instanceof StopReason) log.warn('attempt stopped', { why: reason.why });
    if (reason instanceof StopReason && reason.why === 'drain') {
      return { ...base, state: 'queued', event: 'released', data: { reason: 'drain' }, counts: false };
    }
    // cancelled, or no longer ours: the outcome stands already
    if (reason instanceof StopReason) return null;
    return failure(desk, queue, claimed, base, reason, log);
  } finally {
    clearTimeout(timer);
  }
}

/** A payload that another release wrote, or a result that would break its readers, fails the job; trying again cannot help. */
function assertFits(code: 'invalid_payload' | 'invalid_result', schema: TSchema, value: unknown, what: string): void {
  const wrong = misfit(schema, value);
  if (wrong)
    throw new AppError(code, `The ${what} does not fit its schema: ${wrong.path || '/'} ${wrong.message}.`, {
      path: wrong.path,
    });
}

/** Settles at once when the signal is aborted: a processor that does not listen must not keep its job. */
async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function failure(
  { context }: Desk,
  queue: Work['queue'],
  claimed: Claimed,
  base: Pick<Settlement, 'id' | 'attempt' | 'token'>,
  reason: unknown,
  log: JobLog,
): Settlement {
  const error = describeError(reason);
  if (error.code === 'internal')
    context.log.error({ err: reason, job: claimed.id, queue: queue.name }, 'a processor failed');
  const failures = claimed.failures + 1;
  log.error('attempt failed', { code: error.code, message: error.message, failures, of: queue.attempts });
  if (!isRetryable(reason) || failures >= queue.attempts) {
    log.error('given up', { code: error.code, retryable: isRetryable(reason) });
    return { ...base, state: 'failed', event: 'failed', data: { error }, error, counts: true, delayMs: 0 };
  }
  const delayMs = backoffMs(failures, queue.backoffMs, queue.backoffCapMs);
  context.metrics.proofline_job_retries_total.inc({ queue: queue.name });
  log.info('another attempt follows', { delay_ms: Math.ceil(delayMs) });
  return {
    ...base,
    state: 'queued',
    event: 'retrying',
    data: { error, attempt: claimed.attempt, delay_ms: delayMs },
    error,
    counts: true,
    delayMs,
  };
}

async function settle(desk: Desk, { queue }: Work, claimed: Claimed, settlement: Settlement): Promise<void> {
  const { context } = desk;
  const settled = await desk.settle(settlement).catch(async (error: unknown) => {
    if (!(error instanceof AppError && error.code === 'invalid_result')) throw error;
    const { code, message, details } = error;
    const refusal = { code, message, details };
    settlement = {
      ...settlement,
      state: 'failed',
      event: 'failed',
      data: { error: refusal },
      result: undefined,
      error: refusal,
      counts: true,
    };
    return await desk.settle(settlement);
  });
  if (!settled) {
    context.metrics.proofline_fence_rejections_total.inc({ queue: queue.name });
    return;
  }
  if (settlement.state === 'queued') {
    if (settlement.event === 'released')
      context.metrics.proofline_jobs_released_total.inc({ queue: queue.name, reason: 'drain' });
    openBroker(context).add({ ...settled, id: claimed.id, queue: claimed.queue, owner: claimed.owner });
    return;
  }
  context.metrics.proofline_jobs_finished_total.inc({ queue: queue.name, outcome: settlement.state });
  context.metrics.proofline_job_end_to_end_seconds.observe(
    { queue: queue.name },
    Math.max(0, Date.now() - claimed.createdAt.getTime()) / 1_000,
  );
}
