import { openBroker } from '#src/jobs/broker/broker.ts';
import { tellWorkers } from '#src/jobs/change/cancel.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import type { Context } from '#src/system/context.ts';
import type { Action } from './action.ts';
import type { Moved } from './move-part.ts';

/**
 * Brings what was done to many jobs to the broker, to workers and to parents, as the verb for one job does. What is lost
 * here is made good by the audit, by the beats of workers and by the waker.
 */
export async function announceMoved(context: Context, action: Action, moved: readonly Moved[]): Promise<void> {
  if (action === 'cancel' || action === 'expire') return await announceEnded(context, moved);
  const entries = moved.filter(({ was, held }) => !held && (was === 'queued' || action === 'redrive'));
  const broker = openBroker(context);
  if (action === 'reprioritise')
    // the entry of before was of the dispatch of before
    for (const entry of entries) broker.remove({ ...entry, dispatch: entry.dispatch - 1 });
  await broker
    .addAll(entries)
    .catch((error: unknown) => context.log.debug({ err: error }, 'broker adds were lost; the audit will repeat them'));
}

async function announceEnded(context: Context, moved: readonly Moved[]): Promise<void> {
  const broker = openBroker(context);
  for (const [queue, jobs] of Map.groupBy(moved, (one) => one.queue))
    context.metrics.proofline_jobs_finished_total.inc({ queue, outcome: 'cancelled' }, jobs.length);
  for (const job of moved) if (job.was === 'queued') broker.remove(job);
  await tellWorkers(
    context,
    moved.flatMap(({ was, id }) => (was === 'running' ? [id] : [])),
  );
  await wakeParents(
    context,
    moved.map(({ parentId }) => parentId),
  );
}
