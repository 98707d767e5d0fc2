import type { QueueContract } from '#queues/define.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import type { JobLog } from '#src/jobs/log/job-log.ts';
import type { JobError } from '#src/jobs/model/job.ts';
import { startWaitingFor } from '#src/jobs/wake/start-dependents.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import { backoffMs } from '#src/lib/async/backoff.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { Claimed } from './claim-jobs.ts';
import type { Settled, Settlement } from './settle-jobs.ts';

/** An attempt whose end is to be settled, wherever it ran. */
export interface Ended {
  readonly queue: QueueContract;
  readonly claimed: Pick<Claimed, 'id' | 'owner' | 'queue' | 'version' | 'attempt' | 'failures' | 'createdAt'>;
  /** Token of its claim. */
  readonly token: string;
  readonly log: JobLog;
}

/** An error that an attempt ended with. */
export interface Failure {
  readonly error: JobError;
  /** False where another attempt cannot help. */
  readonly retryable: boolean;
}

/** Thrown by work that says itself what its attempt failed with, such as the code of a caller. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

const fenceOf = ({ claimed: { id, queue, attempt }, token }: Ended) => ({ id, queue, attempt, token });

/** Makes the settlement of an attempt with a result. */
export function succeeded(ended: Ended, result: unknown): Settlement {
  return { ...fenceOf(ended), state: 'succeeded', event: 'succeeded', data: {}, result, counts: false, delayMs: 0 };
}

/** Why an attempt is given back, and the pause before the next. */
const releases = { drain: 0, payload_away: 2_000 } as const;

/**
 * Makes the settlement of an attempt that is given back without having failed: its worker drains, or the storage with its
 * payload does not answer.
 */
export function released(ended: Ended, reason: keyof typeof releases = 'drain'): Settlement {
  const data = { reason };
  return { ...fenceOf(ended), state: 'queued', event: 'released', data, counts: false, delayMs: releases[reason] };
}

/** Makes the settlement of an attempt that failed: another attempt after a pause, or the end after `most` failures. */
export function failed(context: Context, ended: Ended, { error, retryable }: Failure, most: number): Settlement {
  const { queue, claimed, log } = ended;
  const failures = claimed.failures + 1;
  log.error('attempt failed', { code: error.code, message: error.message, failures, of: most });
  const base = { ...fenceOf(ended), error, counts: true };
  if (!retryable || failures >= most) {
    log.error('given up', { code: error.code, retryable });
    return { ...base, state: 'failed', event: 'failed', data: { error }, delayMs: 0 };
  }
  const delayMs = backoffMs(failures, queue.backoffMs, queue.backoffCapMs);
  context.metrics.proofline_job_retries_total.inc({ queue: queue.name });
  log.info('another attempt follows', { delay_ms: Math.ceil(delayMs) });
  const data = { error, attempt: claimed.attempt, delay_ms: delayMs };
  return { ...base, state: 'queued', event: 'retrying', data, delayMs };
}

/**
 * Settles the end of an attempt, counts it, tells the broker of a job that goes back to its queue, and wakes the parent
 * of one that has ended. Answers whether the fence still held.
 */
export async function conclude(
  context: Context,
  settle: (settlement: Settlement) => Promise<Settled | null>,
  { queue, claimed }: Ended,
  wanted: Settlement,
): Promise<boolean> {
  const { metrics } = context;
  let settlement = wanted;
  const settled = await settle(settlement).catch(async (error: unknown) => {
    if (!(error instanceof AppError && error.code === 'invalid_result')) throw error;
    settlement = unstorable(wanted, error);
    return await settle(settlement);
  });
  if (!settled) {
    metrics.proofline_fence_rejections_total.inc({ queue: queue.name });
    return false;
  }
  if (settlement.state === 'queued') {
    if (settlement.event === 'released') {
      const { reason } = settlement.data as { readonly reason: string };
      metrics.proofline_jobs_released_total.inc({ queue: queue.name, reason });
    }
    const { id, queue: name, version, owner } = claimed;
    openBroker(context).add({ ...settled, id, queue: name, version, owner });
    return true;
  }
  metrics.proofline_jobs_finished_total.inc({ queue: queue.name, outcome: settlement.state });
  metrics.proofline_job_end_to_end_seconds.observe(
    { queue: queue.name },
    Math.max(0, Date.now() - claimed.createdAt.getTime()) / 1_000,
  );
  await wakeParents(context, [settled.parentId]);
  if (settled.awaited) await startWaitingFor(context, claimed.id);
  return true;
}

/** The failure of a job whose result Postgres cannot store. */
function unstorable(settlement: Settlement, { code, message, details }: AppError): Settlement {
  const error = { code, message, details };
  return { ...settlement, state: 'failed', event: 'failed', data: { error }, result: undefined, error, counts: true };
}
