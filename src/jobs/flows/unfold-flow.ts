import { type CommonQueryMethods, sql } from 'slonik';
import { moves } from '#src/jobs/model/states.ts';
import type { FlowRow } from './flow-rows.ts';
import { readNodes } from './flow-rows.ts';

/**
 * Begins a flow, or begins it anew after a redrive, in the transaction that has locked its row: nodes that succeeded stay
 * as they are, all others wait again. Jobs of these that did not succeed give up their places, and so do all jobs of a
 * node that follows one which runs again: what they did may be of another item by then.
 */
export async function unfoldFlow(
  tx: CommonQueryMethods,
  { id, owner, queue, payload: { nodes } }: FlowRow,
): Promise<void> {
  const names = nodes.map(({ name }) => name);
  const succeeded = new Set(
    (await readNodes(tx, id)).flatMap(({ name, state }) => (state === 'succeeded' ? [name] : [])),
  );
  const again = nodes.filter(({ name }) => !succeeded.has(name));
  const anew = again.filter(({ depends_on: others }) => others.some((other) => !succeeded.has(other)));
  const texts = (values: readonly string[]) => sql.array([...values], 'text');
  await tx.query(sql.unsafe`
    update jobs set flow_item = null
    where parent_id = ${id} and flow_item is not null and flow_node = any(${texts(again.map(({ name }) => name))})
      and (state <> 'succeeded' or flow_node = any(${texts(anew.map(({ name }) => name))}))`);
  // behind the places: none is redriven into one of them any more
  await tx.query(sql.unsafe`delete from flow_ends where flow = ${id}`);
  await tx.query(sql.unsafe`
    insert into flow_nodes (flow, name, n)
    select ${id}, name, n - 1 from unnest(${texts(names)}) with ordinality as g (name, n)
    on conflict (flow, name) do update
    set state = 'pending', total = null, submitted = 0, failed = 0, cancelled = 0, error = null, began_at = null, ended_at = null,
      succeeded = (
        select count(*) from jobs j where j.parent_id = flow_nodes.flow and j.flow_node = flow_nodes.name and j.flow_item is not null
      )
    where flow_nodes.state <> 'succeeded'`);
  await tx.query(sql.unsafe`
    insert into waits (job, attempt, kind, name, after, owner, queue) values (${id}, 0, 'flow', 'nodes', 0, ${owner}, ${queue})
    on conflict (job) do nothing`);
  await tx.query(sql.unsafe`
    with unfolded as (
      update jobs set state = ${moves.unfold.to}, held = false, events = events + 1, started_at = now()
      where id = ${id} and state = ${moves.unfold.from[0]} returning id, events
    )
    insert into events (job, n, type, data)
    select id, events, 'unfolded', jsonb_build_object('nodes', ${nodes.length}::int, 'kept', ${succeeded.size}::int) from unfolded`);
}
