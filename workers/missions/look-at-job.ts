import { readJob } from '#src/jobs/read/read-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import type { StepRun } from './step-run.ts';

/**
 * Reads the status of one of the owner's jobs. @throws AppError `not_found` for another owner's, as if it did not
 * exist.
 */
export const lookAtJob: StepRun = async ({ payload: { input }, job: { owner }, context }) => {
  const { jobId } = input as { jobId: string };
  const job = await readJob(context, jobId);
  if (!job || job.owner !== owner)
    throw new AppError('not_found', `expected the id of one of your jobs, got ${jobId}, which is none.`);
  return {
    jobId,
    queue: job.queue,
    state: job.state,
    attempt: job.attempt,
    error: job.error,
    createdAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
};
