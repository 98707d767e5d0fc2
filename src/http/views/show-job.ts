import { wholeJob } from '#src/jobs/contents/whole-job.ts';
import { idleWarning } from '#src/jobs/figures/queue-workers.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { type JobView, jobView } from '#src/jobs/model/job-view.ts';
import { readWait } from '#src/jobs/steps/read-wait.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/**
 * The job as its owner sees it, with payload and result wherever they lie, what it waits for, and the warning that it is not started, or
 * that one of them is lost.
 *
 * @throws AppError `unavailable` while the artefact storage does not answer
 */
export async function showJob(context: Context, job: Job): Promise<JobView> {
  const waitsFor = job.state === 'waiting' ? await readWait(context, job.id) : undefined;
  const view = await viewOf(context, job);
  return waitsFor === undefined ? view : { ...view, waits_for: waitsFor };
}

async function viewOf(context: Context, job: Job): Promise<JobView> {
  try {
    return jobView(await wholeJob(context, job), await idleWarning(context, job));
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'content_lost')) throw error;
    return jobView(job, error.message);
  }
}
