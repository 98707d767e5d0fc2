import { sql } from 'slonik';
import { type Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';

/** Jobs by their ids, in the order of the ids. */
export async function readJobs({ db }: Pick<Context, 'db'>, ids: readonly string[]): Promise<readonly Job[]> {
  return await db.any(sql.type(jobRow)`
    select ${jobColumns} from jobs j where j.id = any(${sql.array([...ids], 'uuid')}) order by j.id`);
}
