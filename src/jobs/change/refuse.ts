import { sql } from 'slonik';
import type { Job, JobError } from '#src/jobs/model/job.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import type { Context } from '#src/system/context.ts';
import { changeJob } from './change-job.ts';

/**
 * Fails a job that has not begun, since something that it needs to run cannot be had.
 *
 * @throws AppError `not_found`, or `state_conflict` where it does not wait in its queue
 */
export async function refuseJob(context: Context, id: string, error: JobError): Promise<Job> {
  const { was: _was, ...job } = await changeJob(context, id, 'refuse', {
    event: 'failed',
    data: { error },
    set: sql.fragment`held = false, gate = null, finished_at = now(), error = ${JSON.stringify(error)}::jsonb`,
  });
  context.metrics.proofline_jobs_finished_total.inc({ queue: job.queue, outcome: 'failed' });
  await wakeParents(context, [job.parentId]);
  return job;
}
