-- What queues did, kept for months: counts and times by queue and group, in buckets of a minute, ten minutes and an hour.
-- Filled from the ledger of events by one API process at a time; no statement that submits, claims or settles knows of it.
-- Safe to run while the previous release serves: yes, it does not read or write these tables; the past begins with this release.

create table queue_history (
  -- '' is all queues together
  queue      text        not null,
  -- group of the jobs, or their owner where they have none; '' is all groups together
  group_name text        not null,
  -- seconds of the bucket
  resolution integer     not null check (resolution in (60, 600, 3600)),
  start      timestamptz not null,
  submitted  bigint      not null,
  started    bigint      not null,
  succeeded  bigint      not null,
  failed     bigint      not null,
  cancelled  bigint      not null,
  expired    bigint      not null,
  retried    bigint      not null,
  -- how many waited and ran for how long: {"<bucket>": count, …}, see src/jobs/history/sketch.ts
  waits      jsonb       not null,
  runs       jsonb       not null,
  primary key (queue, resolution, group_name, start)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- What is past its retention? Which groups were there in this time?
create index queue_history_age on queue_history (resolution, start, queue);

-- How far the ledger has been counted. Changed in the transaction that counts, which holds its row: so every event counts once,
-- whoever dies, and however many count at a time.
create table queue_history_cursor (
  only_one   boolean     primary key default true check (only_one),
  -- all events that are visible in it are counted; null before the first look
  position   pg_snapshot,
  -- a look that is under way counts what is visible in this one, page by page: up to these
  target     pg_snapshot,
  target_at  timestamptz,
  after_xid  xid8,
  after_seq  bigint
);
insert into queue_history_cursor default values;

-- Times of which all is counted. What no row of `queue_history` speaks of is zero within them, and not known outside.
create table queue_history_spans (
  since timestamptz primary key,
  until timestamptz not null
);

-- The sum of two sketches.
create function add_counts(a jsonb, b jsonb) returns jsonb language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(key, n), '{}') from (
    select key, sum(value::bigint) as n from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) e
    group by key
  ) s
$$;
