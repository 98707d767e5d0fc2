import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Figures = Type.Object({
  queue: Type.String(),
  workers: Type.Integer(),
  /** Jobs at once. */
  capacity: Type.Integer(),
  /** Hands that were free at their last poll. */
  credits: Type.Integer(),
  /** Jobs in hand. */
  running: Type.Integer(),
});

/** Workers elsewhere that take a queue; one of several queues counts for each. */
export type RemoteFigures = Static<typeof Figures>;

/** Reads the figures of the live workers elsewhere, of each queue that one of them takes or has jobs of. */
export async function readRemoteFigures({
  db,
  config,
}: Pick<Context, 'db' | 'config'>): Promise<readonly RemoteFigures[]> {
  return await db.any(sql.type(row(Figures))`
    with alive as materialized (
      select id, takes, capacity, credits from workers
      where owner is not null and beat_at > clock_timestamp() - ${config.LEASE_MS} * interval '1 ms'
    ), taken as (
      select t.name as queue, count(*)::int as workers, sum(a.capacity)::int as capacity, sum(a.credits)::int as credits
      from alive a, jsonb_to_recordset(a.takes) as t (name text) group by t.name
    ), running as (
      select j.queue, count(*)::int as running from alive a join jobs j on j.worker_id = a.id and j.state = 'running'
      group by j.queue
    )
    select queue, coalesce(workers, 0) as workers, coalesce(capacity, 0) as capacity, coalesce(credits, 0) as credits,
      coalesce(running, 0) as running
    from taken full join running using (queue) order by queue`);
}
