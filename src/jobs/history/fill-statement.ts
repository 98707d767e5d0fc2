import { groupOf } from '#src/jobs/model/feed.ts';
import { countNames } from './counts.ts';
import { resolutions } from './resolutions.ts';
import { GROWTH, SHORTEST } from './sketch.ts';

/** Groups of a queue that one bucket tells apart: those that came first, and of those that came together the busiest. */
export const MOST_GROUPS_KEPT = 40;
/** Events of one transaction; what is more waits for the next, which follows at once. */
export const PAGE = 20_000;

const bucket = (seconds: string): string =>
  `case when ${seconds} <= ${SHORTEST} then 0 else ceil(ln(${seconds} / ${SHORTEST}) / ln(${GROWTH})) end::int`;

const seconds = (interval: string): string => `extract(epoch from ${interval})::float8`;

const start = `(select date_bin(resolution * interval '1 s', minute, '2000-01-01 00:00:00+00') as start) s`;

const eventColumns = 'xid, seq, job, n, type, at, data';
const isVisible = 'pg_visible_in_snapshot(xid, (select target from looked))';

/** By queue and group, by queue, and of all queues. */
const groupings =
  'grouping sets ((resolution, start, queue, group_name), (resolution, start, queue), (resolution, start))';

/**
 * Counts one page of the events that are new since the cursor, and moves it on. Its transaction holds the cursor's row, and
 * has taken no snapshot since. Answers whether the page was full.
 *
 * New is what the position does not see: rows of transactions that had not begun then, or were open, as the relay reads them.
 * A time is counted from the row of the job where that still speaks of the attempt of the event: a wait where it has not
 * begun again, a run where it was not given back and begun again since.
 */
export const fillStatement = {
  name: 'fill-queue-history',
  text: `
  with looked as materialized (
    select position, coalesce(target, pg_current_snapshot()) as target, coalesce(target_at, now()) as target_at,
      coalesce(after_xid, '0'::xid8) as after_xid, coalesce(after_seq, -1) as after_seq,
      greatest(after_xid, pg_snapshot_xmax(position)) as new_xid,
      case when after_xid >= pg_snapshot_xmax(position) then after_seq else -1 end as new_seq
    from queue_history_cursor
  ), page as materialized (
    select * from (
      -- those of transactions that were open
      (select late.* from looked l
        cross join lateral pg_snapshot_xip(l.position) as o (open_xid)
        cross join lateral (
          select ${eventColumns} from events
          where xid = o.open_xid and seq > case when o.open_xid = l.after_xid then l.after_seq else -1 end and ${isVisible}
          order by seq limit ${PAGE}
        ) late
        where o.open_xid >= l.after_xid order by xid, seq limit ${PAGE})
      union all
      -- those of transactions that began later: one bound alone, since of two the index would go by the wider
      (select ${eventColumns} from events
        where (xid, seq) > ((select new_xid from looked), (select new_seq from looked)) and ${isVisible}
        order by xid, seq limit ${PAGE})
    ) e order by xid, seq limit ${PAGE}
  ), known_jobs as materialized (
    -- one by one along the key, however many jobs there are
    select job.* from (select distinct job from page) p cross join lateral (
      select j.id, j.queue, ${groupOf} as group_name, j.run_at, j.queued_at, j.started_at from jobs j where j.id = p.job limit 1
    ) job
  ), facts as materialized (
    select job.queue, job.group_name, date_bin('1 min', p.at, '2000-01-01 00:00:00+00') as minute,
      p.n = 1 as submitted, p.type = 'started' as started, p.type = 'succeeded' as succeeded, p.type = 'failed' as failed,
      p.type = 'cancelled' and p.data->>'reason' is distinct from 'expired' as cancelled,
      p.type = 'cancelled' and p.data->>'reason' is not distinct from 'expired' as expired, p.type = 'retrying' as retried,
      case when p.type = 'started' and job.started_at = p.at and job.run_at <= p.at + interval '250 ms'
        then greatest(${seconds('p.at - job.run_at')}, 0) end as wait,
      case when p.type in ('succeeded', 'failed', 'retrying') and job.started_at <= p.at
          and (job.queued_at <= job.started_at or job.queued_at = p.at)
        then ${seconds('p.at - job.started_at')} end as run
    from page p join known_jobs job on job.id = p.job
    where p.n = 1 or p.type in ('started', 'succeeded', 'failed', 'cancelled', 'retrying')
  ), counts_of_minutes as materialized (
    select queue, group_name, minute,
      ${countNames.map((name) => `count(*) filter (where ${name}) as ${name}`).join()}, count(*) as moves
    from facts group by queue, group_name, minute
  ), times_of_minutes as materialized (
    -- a moment in a job's life has a wait or a run, never both
    select queue, group_name, minute, wait is not null as is_wait, ${bucket('coalesce(wait, run)')} as bucket, count(*) as n
    from facts where wait is not null or run is not null group by 1, 2, 3, 4, 5
  ), resolutions as (
    -- multiples of each other, so that minutes make up all of them
    select unnest('{${resolutions.map((one) => one.seconds).join()}}'::int[]) as resolution
  ), counts as (
    select coalesce(queue, '') as queue, coalesce(group_name, '') as group_name, resolution, start,
      ${countNames.map((name) => `sum(${name}) as ${name}`).join()}, sum(moves) as moves
    from counts_of_minutes cross join resolutions cross join lateral ${start} group by ${groupings}
  ), times as (
    select queue, group_name, resolution, start,
      coalesce(jsonb_object_agg(bucket, n) filter (where is_wait), '{}') as waits,
      coalesce(jsonb_object_agg(bucket, n) filter (where not is_wait), '{}') as runs
    from (
      select coalesce(queue, '') as queue, coalesce(group_name, '') as group_name, resolution, start, is_wait, bucket, sum(n) as n
      from times_of_minutes cross join resolutions cross join lateral ${start} group by is_wait, bucket, ${groupings}
    ) bucketed group by queue, group_name, resolution, start
  ), standing as (
    select c.*, h.queue is not null as is_kept,
      row_number() over (partition by c.queue, c.resolution, c.start, c.group_name = '', h.queue is null order by c.moves desc, c.group_name) as place
    from counts c left join queue_history h using (queue, resolution, group_name, start)
  ), kept as (
    select s.* from standing s
    where s.group_name = '' or s.is_kept or s.place <= ${MOST_GROUPS_KEPT} - (
      select count(*) from queue_history h
      where h.queue = s.queue and h.resolution = s.resolution and h.start = s.start and h.group_name <> ''
    )
  ), summed as (
    insert into queue_history as h (queue, group_name, resolution, start, ${countNames.join()}, waits, runs)
    select k.queue, k.group_name, k.resolution, k.start, ${countNames.map((name) => `k.${name}`).join()},
      coalesce(t.waits, '{}'), coalesce(t.runs, '{}')
    from kept k left join times t using (queue, group_name, resolution, start)
    on conflict (queue, resolution, group_name, start) do update set
      ${countNames.map((name) => `${name} = h.${name} + excluded.${name}`).join()},
      waits = add_counts(h.waits, excluded.waits), runs = add_counts(h.runs, excluded.runs)
  ), read as materialized (
    select count(*) = ${PAGE} as is_full from page
  ), last as materialized (
    select xid, seq from page order by xid desc, seq desc limit 1
  ), moved as (
    update queue_history_cursor c set
      position = case when r.is_full then c.position else l.target end,
      target = case when r.is_full then l.target end, target_at = case when r.is_full then l.target_at end,
      after_xid = case when r.is_full then (select xid from last) end,
      after_seq = case when r.is_full then (select seq from last) end
    from looked l, read r
  ), known as (
    update queue_history_spans s set until = greatest(s.until, l.target_at) from looked l, read r
    where not r.is_full and s.since = (select max(since) from queue_history_spans)
  )
  select is_full from read`,
};
