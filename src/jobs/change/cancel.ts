import { sql } from 'slonik';
import { controlChannel } from '#src/jobs/model/channels.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import type { Context } from '#src/system/context.ts';
import { changeJob } from './change-job.ts';

/**
 * Cancels a job that has not ended. Final when this resolves, whatever its worker still does; the signal that follows
 * only stops wasted work.
 *
 * @param by owner of the caller, or `system` where no caller asked for it
 * @param reason for its subscribers, in a few words
 * @throws AppError `not_found`, or `state_conflict` when it has ended.
 */
export async function cancelJob(context: Context, id: string, by: string, reason?: string): Promise<Job> {
  const { was, ...job } = await changeJob(context, id, 'cancel', {
    event: 'cancelled',
    data: { by, ...(reason !== undefined && { reason }) },
    set: sql.fragment`finished_at = now(), worker_id = null, held = false`,
  });
  context.metrics.proofline_jobs_finished_total.inc({ queue: job.queue, outcome: 'cancelled' });
  if (was === 'running') await tellWorkers(context, [id]);
  await wakeParents(context, [job.parentId]);
  return job;
}

/** Stops running jobs that were cancelled, wherever they run. */
export async function tellWorkers({ redis, config, log }: Context, ids: readonly string[]): Promise<void> {
  // a lost message is made good by the worker's next beat, which reads what it may still run
  await Promise.all(ids.map((id) => redis.publish(controlChannel(config), JSON.stringify({ cancel: id })))).catch(
    (error: unknown) => log.debug({ err: error }, 'control'),
  );
}
