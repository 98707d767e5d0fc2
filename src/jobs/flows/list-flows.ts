import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { flowQueue } from '#queues/flows.ts';
import { JobSummary, jobSummaryColumns } from '#src/jobs/model/job.ts';
import type { State } from '#src/jobs/model/states.ts';
import { row } from '#src/system/postgres/postgres.ts';

const FlowOfList = Type.Interface([JobSummary], {
  name: Type.Union([Type.String(), Type.Null()]),
  /** Number of its nodes, and of those that have ended or will never begin. */
  nodes: Type.Integer(),
  nodesEnded: Type.Integer(),
});
export type FlowOfList = Static<typeof FlowOfList>;

/** Flows of one page of a list. */
export interface FlowPage {
  readonly owner: string;
  readonly state: State | null;
  /** Part of its name, in whatever case, or its id; null for any. */
  readonly text: string | null;
  /** Id before which the page begins; null for the newest. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists flows of an owner, the newest first. */
export async function listFlows(
  { db }: { readonly db: CommonQueryMethods },
  { owner, state, text, before, limit }: FlowPage,
): Promise<readonly FlowOfList[]> {
  return await db.any(sql.type(row(FlowOfList))`
    select ${jobSummaryColumns}, j.payload->>'name' as name, jsonb_array_length(j.payload->'nodes') as nodes,
      (select count(*)::int from flow_nodes n where n.flow = j.id and n.state not in ('pending', 'running')) as "nodesEnded"
    from jobs j
    where j.owner = ${owner} and j.queue = ${flowQueue.name} and (${before}::uuid is null or j.id < ${before}::uuid)
      and (${state}::text is null or j.state = ${state})
      and (${text}::text is null or position(lower(${text}) in lower(j.payload->>'name')) > 0 or j.id::text = lower(${text}))
    order by j.id desc limit ${limit}`);
}
