import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { queuedJobs } from '#src/jobs/model/feed.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const VersionFigures = Type.Object({
  version: Type.Integer(),
  queued: Type.Integer(),
  delayed: Type.Integer(),
  oldest: Type.Number(),
});

const Figures = Type.Object({
  queue: Type.String(),
  /** Due, and waiting for a worker. */
  queued: Type.Integer(),
  /** Jobs that wait for their time: retries, and jobs that are to run later. */
  delayed: Type.Integer(),
  held: Type.Integer(),
  awaiting: Type.Integer(),
  running: Type.Integer(),
  /** Suspended: they wait for a time, a signal or a child's end, and for no worker. */
  waiting: Type.Integer(),
  /** Age in seconds of the longest waiting job that is due, 0 when none. */
  oldest: Type.Number(),
  /** The same of each version of its contract in which jobs wait. */
  versions: Type.Array(VersionFigures),
  /** Ended in the last {@link FINISHED_SECONDS}, by outcome. */
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  cancelled: Type.Integer(),
  /** Ended in the last minute and in the last ten seconds, whatever the outcome. */
  minute: Type.Integer(),
  tenSeconds: Type.Integer(),
});

/** Figures of a queue, as Postgres counts them. */
export type QueueFigures = Static<typeof Figures>;

/** Seconds for which ended jobs are counted back. */
export const FINISHED_SECONDS = 300;

/**
 * Reads the figures of every queue of this release, in the order of their table; of one owner's jobs alone, or of all
 * (null). Costs a look at every job that waits, runs, or ended in the last five minutes.
 */
export async function readQueueFigures(context: Context, owner: string | null): Promise<readonly QueueFigures[]> {
  const own = owner === null ? sql.fragment`true` : sql.fragment`owner = ${owner}`;
  const names = sql.array([...registryOf(context).names()], 'text');
  return await context.db.any(sql.type(row(Figures))`
    with queued_jobs as not materialized (
      -- each part along an index of its own
      ${queuedJobs}
    ), by_version as (
      select queue, version, count(*) filter (where run_at <= now()) as queued, count(*) filter (where run_at > now()) as delayed,
        coalesce(greatest(extract(epoch from now() - min(greatest(queued_at, run_at)) filter (where run_at <= now())), 0), 0)::float8 as oldest
      from queued_jobs where ${own} group by queue, version
    ), due as (
      select queue, sum(queued)::int8 as queued, sum(delayed)::int8 as delayed, max(oldest) as oldest,
        json_agg(json_build_object('version', version, 'queued', queued, 'delayed', delayed, 'oldest', oldest)) as versions
      from by_version group by queue
    ), held as (
      select queue, count(*) as held from jobs where state = 'queued' and held and ${own} group by queue
    ), awaiting as (
      select queue, count(*) as awaiting from jobs where state = 'awaiting_approval' and ${own} group by queue
    ), running as (
      select queue, count(*) as running from jobs where state = 'running' and ${own} group by queue
    ), waiting as (
      -- not from their jobs: counted in an index alone, however many there are
      select queue, count(*) as waiting from waits where ${own} group by queue
    ), finished as (
      -- queue by queue, as the index of finished jobs is ordered
      select q.queue, f.* from unnest(${names}) as q (queue), lateral (
        select count(*) filter (where state = 'succeeded') as succeeded, count(*) filter (where state = 'failed') as failed,
          count(*) filter (where state = 'cancelled') as cancelled,
          count(*) filter (where finished_at > now() - interval '1 minute') as minute,
          count(*) filter (where finished_at > now() - interval '10 seconds') as "tenSeconds"
        from jobs where queue = q.queue and finished_at > now() - ${FINISHED_SECONDS} * interval '1 s' and ${own}
      ) f
    )
    select queue, coalesce(queued, 0) as queued, coalesce(delayed, 0) as delayed, coalesce(held, 0) as held,
      coalesce(awaiting, 0) as awaiting, coalesce(running, 0) as running, coalesce(waiting, 0) as waiting,
      coalesce(oldest, 0) as oldest, coalesce(versions, '[]') as versions,
      coalesce(succeeded, 0) as succeeded, coalesce(failed, 0) as failed, coalesce(cancelled, 0) as cancelled,
      coalesce(minute, 0) as minute, coalesce("tenSeconds", 0) as "tenSeconds"
    from unnest(${names}) with ordinality as q (queue, place)
      left join due using (queue) left join held using (queue) left join awaiting using (queue)
      left join waiting using (queue) left join running using (queue) left join finished using (queue)
    order by place`);
}
