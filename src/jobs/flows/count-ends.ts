import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';

/**
 * Adds the jobs that have ended since the last look to the counts of their nodes, in the lock of the flow, and takes back the
 * ends of those that were put back into their queues. A node that has ended, also with its flow, counts on: the rest of its
 * jobs is cancelled behind it, and some may be redriven by hand.
 */
export async function countEnds(tx: CommonQueryMethods, flow: string): Promise<void> {
  await tx.query(sql.unsafe`
    with gone as (
      delete from flow_ends where flow = ${flow} returning node, state, change
    ), counts as (
      select node, coalesce(sum(change) filter (where state = 'succeeded'), 0) as succeeded,
        coalesce(sum(change) filter (where state = 'failed'), 0) as failed,
        coalesce(sum(change) filter (where state = 'cancelled'), 0) as cancelled
      from gone where node is not null group by node
    )
    update flow_nodes n set succeeded = n.succeeded + c.succeeded, failed = n.failed + c.failed, cancelled = n.cancelled + c.cancelled
    from counts c where n.flow = ${flow} and n.name = c.node`);
}

const countRow = row(Type.Object({ name: Type.String() }));

/**
 * Counts the jobs of nodes themselves, where all are there; answers whether a count was another. Ends that are not counted
 * yet are counted with them: the same snapshot has both.
 */
export async function recount(tx: CommonQueryMethods, flow: string, nodes: readonly string[]): Promise<boolean> {
  if (nodes.length === 0) return false;
  const names = sql.array([...nodes], 'text');
  const changed = await tx.any(sql.type(countRow)`
    with gone as (
      delete from flow_ends where flow = ${flow} and node = any(${names})
    )
    update flow_nodes n set succeeded = c.succeeded, failed = c.failed, cancelled = c.cancelled
    from unnest(${names}) as g (name) cross join lateral (
      select count(*) filter (where j.state = 'succeeded') as succeeded, count(*) filter (where j.state = 'failed') as failed,
        count(*) filter (where j.state = 'cancelled') as cancelled
      from jobs j where j.parent_id = ${flow} and j.flow_node = g.name and j.flow_item is not null
    ) c
    where n.flow = ${flow} and n.name = g.name and n.total is not null
      and (n.succeeded, n.failed, n.cancelled) is distinct from (c.succeeded::int, c.failed::int, c.cancelled::int)
    returning n.name`);
  return changed.length > 0;
}
