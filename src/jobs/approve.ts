import { sql } from 'slonik';
import type { Context } from '#src/system/context.ts';
import { openBroker } from './broker.ts';
import { changeJob } from './change-job.ts';
import type { Job } from './job.ts';

/**
 * Lets a job that waited for its approval into its queue. Whoever calls has decided that the approval holds.
 *
 * @throws AppError `not_found`, or `state_conflict` when the job does not wait for an approval.
 */
export async function releaseApproved(context: Context, id: string, by: string): Promise<Job> {
  const { was: _was, ...job } = await changeJob(context, id, 'approve', {
    event: 'queued',
    data: { by },
    set: sql.fragment`queued_at = now(), run_at = greatest(j.run_at, now())`,
  });
  openBroker(context).add(job);
  return job;
}
