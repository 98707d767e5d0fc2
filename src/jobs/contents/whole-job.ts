import type { Job } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';
import { readContent } from './content.ts';

/**
 * The job with its payload and result, as if both lay in its row.
 *
 * @throws AppError `content_lost`, `unavailable`
 */
export async function wholeJob(context: Context, job: Job): Promise<Job> {
  const { id, payloadContent, resultContent } = job;
  if (payloadContent === null && resultContent === null) return job;
  const [payload, result] = await Promise.all([
    payloadContent ? readContent(context, payloadContent, `payload of the job ${id}`) : job.payload,
    resultContent ? readContent(context, resultContent, `result of the job ${id}`) : job.result,
  ]);
  return { ...job, payload, result, payloadContent: null, resultContent: null };
}
