import { hash } from 'node:crypto';
import { sql } from 'slonik';
import { respond, type TextResult } from '#queues/platform.ts';
import { beginPaid } from '#src/governance/budgets/begin-paid-job.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Running } from '#src/jobs/run/hold-jobs.ts';
import type { OwnDesk } from '#src/jobs/run/in-process-worker.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import type { Context } from '#src/system/context.ts';
import { traceparent } from '#src/system/logging/trace.ts';
import type { Turn } from './call-text.ts';
import type { Asked } from './replay-text.ts';
import type { TextLeg } from './route-text.ts';

/** A job of this process' own: how its turn is begun and settled. */
export interface OwnJob {
  readonly desk: OwnDesk;
  readonly running: Running;
  /** Of its claim. */
  readonly token: string;
  readonly asked: Asked;
}

/** Another request under the same key was faster. */
export class Taken extends Error {}

/**
 * Makes a job that runs here, with its first call.
 *
 * @throws Taken; AppError `budget_exceeded`, `unavailable`.
 */
export async function beginOwn({ desk, running, token, asked }: OwnJob, turn: Turn, leg: TextLeg): Promise<void> {
  const { context, job, keyId, work, budgets } = turn;
  const worker = desk.lease.id();
  const begun = await beginPaid(context, {
    id: job.id,
    queue: respond.name,
    priority: respond.priority,
    payload: JSON.stringify({ work: null, keyId, background: false }),
    requestHash: asked.hash,
    idempotencyKey: asked.key,
    trace: traceparent(),
    worker,
    token,
    effect: effectNames.exchange(leg.provider.id),
    effectHash: hash('sha256', JSON.stringify(work), 'hex'),
    call: {
      provider: leg.provider.id,
      owner: job.owner,
      keyId,
      surface: 'platform',
      capability: 'text.generate',
      budgets,
      quoted: leg.quoted,
    },
  });
  if (begun === 'taken') throw new Taken('the key is taken');
  context.metrics.proofline_jobs_submitted_total.inc({ queue: respond.name });
  context.metrics.proofline_jobs_running.inc({ queue: respond.name });
  if (desk.lease.id() !== worker) {
    // the lease was lost meanwhile: unclaimed by us, the job would pass for the work of a dead process
    desk.lease.giveUp(worker, job.id);
    running.stop.abort(new StopReason('lease_lost'));
    return;
  }
  // not before: a beat stops what it does not find in the database
  desk.running.set(job.id, { ...running, claimedAt: performance.now() });
}

/** Settles a job of our own that has its result. */
export async function settleWell({ desk, token }: OwnJob, { context, job }: Turn, result: TextResult): Promise<void> {
  const settled = await desk.settle({
    id: job.id,
    attempt: job.attempt,
    token,
    state: 'succeeded',
    event: 'succeeded',
    data: {},
    result,
    counts: false,
    delayMs: 0,
  });
  if (settled === null) await unsay(context, job.id);
  finish(context, settled === null ? null : 'succeeded');
}

/**
 * Forgets the words of a turn that was cancelled while the last of them came: whoever deleted it could not do that yet. Of
 * one that goes on elsewhere they stay.
 */
async function unsay({ db }: Context, job: string): Promise<void> {
  await db.query(sql.unsafe`
    update effects e set outcome = jsonb_set(e.outcome, '{result,message}', 'null') from jobs j
    where e.job = ${job} and j.id = e.job and j.state = 'cancelled' and e.outcome -> 'result' ? 'message'`);
}

/** Settles a job of our own that came to no end: one whose caller has left is cancelled, and says so. */
export async function settleBadly({ desk, token }: OwnJob, turn: Turn, reason: unknown): Promise<void> {
  const { context, job, signal } = turn;
  if (signal.reason instanceof StopReason) return finish(context, null);
  if (signal.reason instanceof ClientLeft) {
    await cancelJob(context, job.id, 'client').catch((error: unknown) => {
      // it was cancelled at that very moment
      if (!(error instanceof AppError && error.code === 'state_conflict')) throw error;
    });
    return finish(context, null);
  }
  const error = describeError(reason);
  if (error.code === 'internal') context.log.error({ err: reason, job: job.id }, 'a turn of text failed');
  const settled = await desk.settle({
    id: job.id,
    attempt: job.attempt,
    token,
    state: 'failed',
    event: 'failed',
    data: { error },
    error,
    counts: true,
    delayMs: 0,
  });
  finish(context, settled === null ? null : 'failed');
}

/** Nobody waits for the turn any more. */
export class ClientLeft extends AppError {
  /** @param reason why, where somebody has put it in words */
  constructor(reason?: unknown) {
    super('cancelled', reason instanceof AppError ? reason.message : 'Nobody waits for the turn any more.');
  }
}

function finish({ metrics }: Context, outcome: 'succeeded' | 'failed' | null): void {
  metrics.proofline_jobs_running.dec({ queue: respond.name });
  if (outcome !== null) metrics.proofline_jobs_finished_total.inc({ queue: respond.name, outcome });
}
