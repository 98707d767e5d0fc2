import { sql } from 'slonik';
import { flowQueue } from '#queues/flows.ts';
import { JobParent } from '#src/jobs/model/job-parent.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const parentRow = row(JobParent);

/** SQL of the name of the step by which the parent of a job of the table `j` submitted it. */
export const stepOfChild = sql.fragment`(
  select s.name from steps s where s.job = j.parent_id and s.kind = 'child' and s.value->>'job' = j.id::text limit 1)`;

/** Reads the parent of a job, and which of its children the job is; null for a job without one. */
export async function readParent({ db }: Pick<Context, 'db'>, id: string): Promise<JobParent | null> {
  return await db.maybeOne(sql.type(parentRow)`
    select j.parent_id as id, p.queue, p.state, case when p.queue = ${flowQueue.name} then p.payload->>'name' end as name,
      j.flow_node as node, j.flow_item as item, n.total as jobs,
      case when j.flow_node is null then ${stepOfChild} end as step
    from jobs j left join jobs p on p.id = j.parent_id
      left join flow_nodes n on n.flow = j.parent_id and n.name = j.flow_node
    where j.id = ${id} and j.parent_id is not null`);
}
