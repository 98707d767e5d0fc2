import { act } from '#queues/jobs.ts';
import { readProgress } from '#src/jobs/actions/action-row.ts';
import { wholeJob } from '#src/jobs/contents/whole-job.ts';
import { idleWarning } from '#src/jobs/figures/queue-workers.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { type JobView, jobView } from '#src/jobs/model/job-view.ts';
import { readParent } from '#src/jobs/read/read-parent.ts';
import { readWait } from '#src/jobs/steps/read-wait.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/**
 * The job as its owner sees it, with payload and result wherever they lie, with its parent, what it waits for, or
 * what it has done so far where it acts on many jobs, and the warning that it is not started, or that one of them is lost.
 *
 * @throws AppError `unavailable` while the artefact storage does not answer
 */
export async function showJob(context: Context, job: Job): Promise<JobView> {
  const [waitsFor, parent] = await Promise.all([
    job.state === 'waiting' ? readWait(context, job.id) : undefined,
    job.parentId === null ? null : readParent(context, job.id),
  ]);
  const view = await viewOf(context, job);
  return { ...view, ...(waitsFor && { waits_for: waitsFor }), ...(parent && { parent }) };
}

async function viewOf(context: Context, job: Job): Promise<JobView> {
  const progress = job.queue === act.name ? await readProgress(context, job.id) : null;
  try {
    return jobView(await wholeJob(context, job), { warning: await idleWarning(context, job), progress });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'content_lost')) throw error;
    return jobView(job, { warning: error.message, progress });
  }
}
