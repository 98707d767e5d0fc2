-- Durable steps: what a job keeps while it goes on, and jobs that wait for a time, a signal or a child's end.
-- Safe to run while the previous release serves: yes; it leaves waiting jobs alone, but fails to show one. No job waits
-- before API processes of this release serve workers.

alter table jobs
  drop constraint jobs_state_check,
  -- not valid: a check of every row would hold the table until it is done, and the rows there are have met a stricter one
  add constraint jobs_state_check
    check (state in ('awaiting_approval', 'queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled')) not valid,
  -- number of the newest step; 0 tells a claim that there is none to read
  add column steps      integer not null default 0,
  -- of the values of its steps, as JSON text
  add column step_bytes integer not null default 0,
  -- taken or not; not 0 tells a wait to look for one
  add column signals    integer not null default 0;

-- What a job has done, by a name of its own: a later attempt gets the value instead of doing it again.
create table steps (
  job   uuid        not null,
  name  text        not null,
  -- from 1, in the order in which they ended
  n     integer     not null,
  kind  text        not null check (kind in ('step', 'child', 'sleep', 'signal', 'result')),
  -- number of steps that had ended when this one began
  after integer     not null,
  value jsonb       not null,
  bytes integer     not null,
  -- when a wait began; null: no wait
  since timestamptz,
  at    timestamptz not null default now(),
  primary key (job, name)
);

-- What others told a job. Each is taken by one wait for its name, in the order in which they came.
create table signals (
  job      uuid        not null,
  -- drawn under the lock of the job's row: rises with every signal of a job
  id       bigint      not null generated always as identity,
  name     text        not null,
  -- the sender's idempotency key, or one that was made up for it
  key      text        not null,
  payload  jsonb       not null,
  at       timestamptz not null default now(),
  -- null: no wait has taken it yet
  taken_at timestamptz,
  primary key (job, id)
);

-- Has the job this one already?
create unique index signals_key on signals (job, name, key);
-- Which one does a wait take?
create index signals_untaken on signals (job, name, id) where taken_at is null;

-- One row a waiting job, written with its state under the lock of its row, and deleted by a trigger with it.
create table waits (
  job     uuid        primary key,
  -- the attempt that suspended: tells this wait from an earlier one of the same job
  attempt integer     not null,
  kind    text        not null check (kind in ('sleep', 'signal', 'result')),
  name    text        not null,
  after   integer     not null,
  child   uuid,
  -- when it ends whatever comes; null: never
  wake_at timestamptz,
  at      timestamptz not null default now(),
  -- of the job: a million of them are counted here
  owner   text        not null,
  queue   text        not null,
  check ((kind = 'result') = (child is not null)),
  check (kind <> 'sleep' or wake_at is not null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Whose time has come?
create index waits_due on waits (wake_at) where wake_at is not null;
-- Who waits for this child?
create index waits_child on waits (child) where child is not null;
-- How many wait?
create index waits_owner on waits (owner, queue);

-- Jobs whose wait may be over: written with what may have ended it, deleted once somebody has looked. Nearly always empty.
-- Rows are only added and deleted, so that a child's end never waits for the lock of its parent.
create table wakes (
  job uuid        not null,
  id  bigint      not null generated always as identity,
  at  timestamptz not null default now(),
  primary key (job, id)
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

-- The attempt whose intent it is: the same attempt may say it twice. Null where the previous release wrote it.
alter table effects add column intended_by integer;

-- Whichever statement ends a child, of this release or another. A plan that was made while few jobs waited
-- would walk them all later.
create function note_child_end() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into wakes (job) select job from waits where child = new.id;
  return null;
end $$;

create trigger jobs_child_ended after update on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.parent_id is not null)
  execute function note_child_end();

-- Whichever statement ends a wait. In the statement itself a wait that was begun while it waited for its lock is not
-- visible; here it is.
create function end_wait() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  delete from waits where job = new.id;
  return null;
end $$;

create trigger jobs_wait_ended after update on jobs for each row
  when (old.state = 'waiting' and new.state <> 'waiting')
  execute function end_wait();
