import { hash } from 'node:crypto';
import { sql } from 'slonik';
import { respond } from '#queues/platform.ts';
import { beginPaid } from '#src/governance/budgets/begin-paid-job.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Claimed } from '#src/jobs/run/claim-jobs.ts';
import type { Running } from '#src/jobs/run/hold-jobs.ts';
import type { InProcessWorker } from '#src/jobs/run/in-process-worker.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import type { Context } from '#src/system/context.ts';
import { traceparent } from '#src/system/logging/trace.ts';
import type { Turn } from './call-text.ts';
import type { KeyedRequest } from './replay-text.ts';
import type { TextLeg } from './route-text.ts';

/** Queue, owner and key under which a turn begins as a job of this process. */
export interface Beginning {
  readonly worker: InProcessWorker;
  readonly running: Running;
  /** Token of its claim. */
  readonly token: string;
  readonly request: KeyedRequest;
}

/** Another request under the same key was faster. */
export class Taken extends Error {}

/**
 * Makes the job of a turn, claimed by this process and never queued, with its first call reserved and intended.
 *
 * @throws Taken; AppError `budget_exceeded`, `unavailable`.
 */
export async function beginTurn(
  { worker, running, token, request }: Beginning,
  turn: Turn,
  leg: TextLeg,
): Promise<Claimed> {
  const { context, job, keyId, work, budgets } = turn;
  const workerId = worker.lease.id();
  const payload = { work: null, keyId, background: false };
  const trace = traceparent();
  const begun = await beginPaid(context, {
    id: job.id,
    queue: respond.name,
    priority: respond.priority,
    payload: JSON.stringify(payload),
    requestHash: request.hash,
    idempotencyKey: request.key,
    trace,
    worker: workerId,
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
  if (worker.lease.id() !== workerId) {
    // the lease was lost meanwhile: unclaimed by us, the job would pass for the work of a dead process
    worker.lease.giveUp(workerId, job.id);
    running.stop.abort(new StopReason('lease_lost'));
  }
  const now = new Date();
  return {
    id: job.id,
    owner: job.owner,
    queue: respond.name,
    version: respond.version,
    attempt: job.attempt,
    failures: 0,
    payload,
    payloadContent: null,
    // the client's request has a span of its own
    trace: null,
    createdAt: now,
    runAt: now,
    startedAt: now,
    steps: 0,
    worker: workerId,
  };
}

/**
 * Erases the message of a turn that was cancelled while the last of it came: its cancellation could not erase it yet.
 * That of a turn that goes on elsewhere stays.
 */
export async function eraseMessage({ db }: Context, job: string): Promise<void> {
  await db.query(sql.unsafe`
    update effects e set outcome = jsonb_set(e.outcome, '{result,message}', 'null') from jobs j
    where e.job = ${job} and j.id = e.job and j.state = 'cancelled' and e.outcome -> 'result' ? 'message'`);
}
