import { tellWorkers } from '#src/jobs/change/cancel.ts';
import type { Action } from '#src/jobs/model/action-states.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import type { Context } from '#src/system/context.ts';
import type { Moved } from './move-part.ts';

/**
 * Tells workers and parents of jobs that were ended together, as the verb for one job does. What is lost here is made good by
 * the beats of workers and by the waker.
 */
export async function announceMoved(context: Context, action: Action, moved: readonly Moved[]): Promise<void> {
  // what goes on stands in line, and the feeder has it
  if (action !== 'cancel' && action !== 'expire') return;
  for (const [queue, jobs] of Map.groupBy(moved, (one) => one.queue))
    context.metrics.proofline_jobs_finished_total.inc({ queue, outcome: 'cancelled' }, jobs.length);
  await tellWorkers(
    context,
    moved.flatMap(({ was, id }) => (was === 'running' ? [id] : [])),
  );
  await wakeParents(
    context,
    moved.map(({ parentId }) => parentId),
  );
}
