import { sql } from 'slonik';
import { type JobSummary, jobSummaryColumns, jobSummaryRow } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';

/** The jobs of batches, by id; none where it was forgotten. */
export async function jobsOf(
  { db }: Pick<Context, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobSummary>> {
  const jobs = await db.any(sql.type(jobSummaryRow)`
    select ${jobSummaryColumns} from jobs j where j.id = any(${sql.array([...ids], 'uuid')})`);
  return new Map(jobs.map((job) => [job.id, job]));
}
