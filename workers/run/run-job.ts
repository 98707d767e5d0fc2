import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { QueueContract } from '#queues/define.ts';
import type { Delivery } from '#src/jobs/broker/broker-names.ts';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import type { Running } from '#src/jobs/run/hold-jobs.ts';
import { openCheckedProgress } from '#src/jobs/run/progress.ts';
import { type Attempt, runAttempt } from '#src/jobs/run/run-attempt.ts';
import { logFailure } from '#src/system/log-failure.ts';
import type { Handler, Run } from './processor.ts';
import type { WorkerContext } from './worker-context.ts';

const host = hostname();

interface Delivering {
  /** True where it went before a line. */
  readonly isAhead?: boolean;
  readonly onTaken?: () => void;
}

/** Claims what was delivered and runs it. Never throws: the broker's own outcome means nothing. */
export async function runDelivery(
  worker: WorkerContext,
  { queue, processor }: Handler,
  delivery: Delivery,
  { isAhead = false, onTaken = () => {} }: Delivering = {},
): Promise<void> {
  const { context, threads } = worker;
  const token = randomUUID();
  const claim = isAhead ? worker.claimAhead : worker.claim;
  const claimed = await claim({ ...delivery, token }).catch((error: unknown) => {
    void logFailure(context, error, { job: delivery.id }, 'a claim failed; the audit will deliver it again');
    return null;
  });
  onTaken();
  if (!claimed) {
    context.metrics.proofline_claims_refused_total.inc({ queue: queue.name });
    return;
  }
  worker.onClaim(claimed);
  const { id, owner, attempt } = claimed;
  const log = openJobLog(context, id, attempt);
  log.aside('attempt started', { worker: claimed.worker, host, pid: process.pid });
  const running: Running = {
    stop: new AbortController(),
    claimedAt: performance.now(),
    done: Promise.withResolvers(),
  };
  const run: Omit<Run<typeof queue>, 'payload'> = {
    emit: progressOf(worker, queue, id),
    log,
    signal: running.stop.signal,
    attempt,
    job: { id, owner, attempt },
    context,
    threads,
  };
  const own: Attempt = { queue, claimed, token, running, log, isWaitedFor: false };
  await runAttempt(worker, own, (payload) => processor({ ...run, payload }, own));
}

/** Progress that does not fit is no reason to fail a job: it is not told, and the log of the process says why. */
function progressOf({ context }: WorkerContext, queue: QueueContract, id: string): Run<QueueContract>['emit'] {
  const publish = openCheckedProgress(context, queue, id);
  return (progress, key = 'progress') => {
    const wrong = publish(key, progress);
    if (!wrong) return;
    const why = `The progress of ${queue.name} does not fit: ${wrong.path || '/'} ${wrong.message}.`;
    context.log.warn({ job: id, why }, 'progress of a job was refused');
  };
}
