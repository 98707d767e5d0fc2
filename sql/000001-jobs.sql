-- The life of a job: accepted work, the ledger of its events, the processes that run it, its effects outside.
-- Safe to run while the previous release serves: yes.

create table jobs (
  id              uuid        primary key,
  owner           text        not null,
  queue           text        not null,
  state           text        not null
    check (state in ('awaiting_approval', 'queued', 'running', 'succeeded', 'failed', 'cancelled')),
  priority        smallint    not null,
  payload         jsonb       not null,
  -- SHA-256 of queue and payload: tells a repeated request from another one under the same idempotency key
  request_hash    bytea       not null,
  idempotency_key text,
  parent_id       uuid,
  approval_id     uuid,
  trace           text,
  -- rises with every return to `queued`; the broker's entry is `<id>-<dispatch>`
  dispatch        integer     not null default 1,
  -- the fence: rises with every claim
  attempt         integer     not null default 0,
  failures        smallint    not null default 0,
  -- was running when its process died: runs alone from then on
  suspect         boolean     not null default false,
  -- waits in its queue until somebody lets it go: not told to the broker, and nobody can claim it
  held            boolean     not null default false,
  lone_deaths     smallint    not null default 0,
  -- number of the newest event
  events          integer     not null default 1,
  worker_id       uuid,
  claim_token     uuid,
  result          jsonb,
  error           jsonb,
  created_at      timestamptz not null default now(),
  queued_at       timestamptz not null default now(),
  run_at          timestamptz not null default now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null)),
  check ((state = 'running') = (worker_id is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Has this owner asked for this before?
create unique index jobs_idempotency on jobs (owner, idempotency_key) where idempotency_key is not null;
-- What waits in a queue, and for how long? (audit, depth, oldest age)
create index jobs_queued on jobs (queue, queued_at, id) where state = 'queued' and not held;
-- How many are held back?
create index jobs_held on jobs (queue) where state = 'queued' and held;
-- What does a dead process leave behind?
create index jobs_running on jobs (worker_id) where state = 'running';
-- Whose jobs, in which state, newest first? (lists, the owner's quota)
create index jobs_owner on jobs (owner, state, id);
-- What is old enough to forget?
create index jobs_finished on jobs (finished_at) where finished_at is not null;

create sequence events_seq;

-- The ledger. `n` is dense per job, raised under the job's row lock in the statement that changes the job.
-- Its key is (job, n); `at` stands in the primary key only because the table is partitioned by it.
create table events (
  job  uuid        not null,
  n    integer     not null,
  type text        not null,
  data jsonb       not null default '{}',
  at   timestamptz not null default now(),
  -- what the relay reads by: commits come out of the order of any sequence
  xid  xid8        not null default pg_current_xact_id(),
  seq  bigint      not null default nextval('events_seq'),
  primary key (job, n, at)
) partition by range (at);

create index events_xid on events (xid, seq);

-- Catches what no weekly partition takes, so that a sweep that slept for weeks never refuses an event.
create table events_rest partition of events default;

-- Makes the partitions of this week and the next ones. A week whose rows already lie in events_rest is left there.
-- Made beside the ledger and attached, because `create table ... partition of` locks every reader and writer out.
-- Attaching keeps writers going; of the partitions it locks events_rest alone, where no writer of these weeks goes.
create function make_event_partitions(weeks_ahead integer) returns void language plpgsql as $$
declare
  week timestamptz := date_trunc('week', now() at time zone 'utc') at time zone 'utc';
  part text;
begin
  for i in 0..weeks_ahead loop
    part := 'events_' || to_char((week + i * interval '7 days') at time zone 'utc', 'YYYYMMDD');
    if to_regclass(part) is null and not exists (
      select from events_rest where at >= week + i * interval '7 days' and at < week + (i + 1) * interval '7 days'
    ) then
      execute format('create table %I (like events including defaults)', part);
      execute format('alter table events attach partition %I for values from (%L) to (%L)',
        part, week + i * interval '7 days', week + (i + 1) * interval '7 days');
    end if;
  end loop;
end $$;

-- Drops one weekly partition whose every row is older than `keep`; answers how many it dropped, 0 or 1.
-- Dropping locks the whole ledger for a moment, and a lock that is waited for holds up every writer behind it: callers
-- set a short lock_timeout and come again. (`detach ... concurrently` would not, but is refused beside a default partition.)
create function drop_event_partition(keep interval) returns integer language plpgsql as $$
declare
  part text;
begin
  select c.relname into part from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$'
    and (to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'utc') + interval '7 days' < now() - keep
  order by c.relname limit 1;
  if part is null then return 0; end if;
  execute format('drop table %I', part);
  return 1;
end $$;

select make_event_partitions(4);

-- Leases belong to processes: who beats is alive.
create table workers (
  id         uuid        primary key,
  fleet      text        not null,
  host       text        not null,
  pid        integer     not null,
  started_at timestamptz not null default now(),
  beat_at    timestamptz not null default now()
);

-- What a job did, or meant to do, outside. Keyed by job, never by attempt.
create table effects (
  job          uuid        not null,
  effect       text        not null,
  request_hash bytea       not null,
  state        text        not null check (state in ('intended', 'done', 'failed', 'unknown')),
  attempt      integer     not null,
  external_id  text,
  outcome      jsonb,
  intended_at  timestamptz not null default now(),
  decided_at   timestamptz,
  primary key (job, effect)
);

-- One row: where the relay stands, and which history it belongs to.
create table relay (
  only_one          boolean     primary key default true check (only_one),
  leader_token      uuid,
  position          pg_snapshot,
  system_identifier text        not null,
  timeline          integer     not null,
  epoch             text        not null
);
