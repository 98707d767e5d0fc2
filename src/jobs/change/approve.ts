import { type CommonQueryMethods, sql } from 'slonik';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { setFeed } from '#src/jobs/model/feed.ts';
import type { Job } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';
import { changeJob } from './change-job.ts';

interface Approved {
  readonly by: string;
  /** True where it waits in its queue until `releaseHeld` lets it go. */
  readonly held?: boolean;
}

/**
 * Lets a job that waited for its approval into its queue. The caller has checked that the approval holds.
 *
 * @throws AppError `not_found`, or `state_conflict` when the job does not wait for an approval.
 */
export async function releaseApproved(
  context: Context,
  id: string,
  by: string,
  { held = false }: { readonly held?: boolean } = {},
): Promise<Job> {
  const job = await approveJob(context.db, id, { by, held });
  if (!job.held) openBroker(context).add(job);
  return job;
}

/**
 * The same in the caller's transaction, beside the use of what approves it. The broker hears of the job from the
 * caller, once that is committed, or from the audit.
 */
export async function approveJob(db: CommonQueryMethods, id: string, { by, held = false }: Approved): Promise<Job> {
  const { was: _was, ...job } = await changeJob({ db }, id, 'approve', {
    event: 'queued',
    data: { by },
    set: sql.fragment`queued_at = now(), run_at = greatest(j.run_at, now()), held = ${held}, ${setFeed}`,
  });
  return job;
}
