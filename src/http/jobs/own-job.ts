import type { FastifyRequest } from 'fastify';
import { principalOf } from '#src/http/request/guard.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/**
 * The job of this id, where the caller may see it: its owner, or an operator.
 *
 * @throws AppError `not_found` for everybody else, as if it did not exist: ids must not be confirmed to strangers.
 */
export async function ownJob(context: Context, request: FastifyRequest, id: string): Promise<Job> {
  const { owner, operator } = principalOf(request);
  const job = await readJob(context, id);
  if (job && (operator || job.owner === owner)) return job;
  throw new AppError('not_found', `expected the id of one of your jobs, got ${id}, which is none.`, {
    field: 'path.id',
    value: id,
  });
}
