import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { flowQueue } from '#queues/flows.ts';
import { JobSummary, jobSummaryColumns } from '#src/jobs/model/job.ts';
import { row } from '#src/system/postgres/postgres.ts';

const FlowOfList = Type.Interface([JobSummary], { name: Type.Union([Type.String(), Type.Null()]) });

/** Flows of an owner, the newest first, at most `limit` of those before the id `before`. */
export async function listFlows(
  { db }: { readonly db: CommonQueryMethods },
  { owner, before, limit }: { readonly owner: string; readonly before: string | null; readonly limit: number },
): Promise<readonly Static<typeof FlowOfList>[]> {
  return await db.any(sql.type(row(FlowOfList))`
    select ${jobSummaryColumns}, j.payload->>'name' as name from jobs j
    where j.owner = ${owner} and j.queue = ${flowQueue.name} and (${before}::uuid is null or j.id < ${before}::uuid)
    order by j.id desc limit ${limit}`);
}
