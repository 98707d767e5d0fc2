-- Jobs that are the only one of their key, jobs that wait for others, and flows of jobs.
-- Safe to run while the previous release serves: yes; it submits none of them, and the triggers do its part.

alter table jobs
  -- No second job of its owner and queue has it; null: none, or given up
  add column unique_key   text,
  add column unique_while text check (unique_while in ('queued', 'unfinished', 'forever')),
  -- true where others wait for its end, beside the job that has submitted it
  add column awaited      boolean not null default false,
  -- node of the flow that is its parent, and place among the jobs of that node; the place is null once another has it
  add column flow_node    text,
  add column flow_item    integer;

-- Which job holds the key?
create unique index jobs_unique on jobs (owner, queue, unique_key) where unique_key is not null;
-- Which job has this place in a flow?
create unique index jobs_flow on jobs (parent_id, flow_node, flow_item) where flow_item is not null;

-- Whichever statement moves a job past what its key was for, of this release or another.
create function give_up_unique_key() returns trigger language plpgsql as $$
begin
  new.unique_key := null;
  return new;
end $$;

create trigger jobs_unique_given_up before update on jobs for each row
  when (new.unique_key is not null
    and (new.unique_while = 'queued' and new.attempt > 0 or new.unique_while <> 'forever' and new.finished_at is not null))
  execute function give_up_unique_key();

-- Jobs that have not begun may wait too: for the end of others, or as a flow for its nodes.
alter table waits drop constraint waits_kind_check;
alter table waits add constraint waits_kind_check check (kind in ('sleep', 'signal', 'result', 'jobs', 'flow'));

-- What has not begun by its time? A job that waits for others has not.
drop index jobs_expiring;
create index jobs_expiring on jobs (expires_at)
  where expires_at is not null and state in ('awaiting_approval', 'queued', 'waiting');

-- Which jobs does a job wait for before it begins?
create table dependencies (
  job        uuid not null,
  on_job     uuid not null,
  -- how that one ended; null: it has not
  state      text check (state in ('succeeded', 'failed', 'cancelled')),
  on_failure text not null check (on_failure in ('fail', 'continue')),
  primary key (job, on_job)
);

-- Who waits for this job?
create index dependencies_on on dependencies (on_job);

-- Jobs that may begin now: written with what may have let them, deleted once somebody has looked. Nearly always empty.
create table due_dependents (
  job uuid        not null,
  id  bigint      not null generated always as identity,
  at  timestamptz not null default now(),
  primary key (job, id)
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);

create function note_awaited_end() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update dependencies set state = new.state where on_job = new.id and state is null;
  insert into due_dependents (job) select job from dependencies where on_job = new.id;
  -- a job that was answered to one that asked for a child, and is another's
  insert into wakes (job) select job from waits where child = new.id;
  return null;
end $$;

create trigger jobs_awaited_ended after update on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.awaited)
  execute function note_awaited_end();

-- Nodes of flows, from when a flow begins. The flow is a job; its payload has the nodes as they were submitted.
create table flow_nodes (
  flow       uuid    not null,
  name       text    not null,
  -- place in the order in which they may run, from 0
  n          integer not null,
  state      text    not null default 'pending'
    check (state in ('pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped')),
  -- number of its jobs; null before it begins
  total      integer,
  -- of its jobs, those that were submitted, and how many have ended in each way
  submitted  integer not null default 0,
  succeeded  integer not null default 0,
  failed     integer not null default 0,
  cancelled  integer not null default 0,
  error      jsonb,
  began_at   timestamptz,
  ended_at   timestamptz,
  primary key (flow, name)
);

-- Jobs of flows that have ended, and flows themselves (without a node): written with the end, deleted with the count.
-- Rows are only added and deleted, so that the end of a job never waits for the lock of its flow.
create table flow_ends (
  flow  uuid   not null,
  id    bigint not null generated always as identity,
  node  text,
  state text   not null,
  primary key (flow, id)
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

create function note_flow_end() returns trigger language plpgsql as $$
begin
  insert into flow_ends (flow, node, state) values (new.parent_id, new.flow_node, new.state);
  return null;
end $$;

create trigger jobs_flow_job_ended after update on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.flow_item is not null)
  execute function note_flow_end();

create function note_flow_over() returns trigger language plpgsql as $$
begin
  insert into flow_ends (flow, state) values (new.id, new.state);
  return null;
end $$;

create trigger jobs_flow_over after update on jobs for each row
  when (old.finished_at is null and new.finished_at is not null and new.queue = 'flows.run')
  execute function note_flow_over();

-- Which nodes have begun, and have jobs that were not submitted yet?
create index flow_nodes_begun on flow_nodes (flow) where state = 'running' and (total is null or submitted < total);
-- Which flows are under way? Asked once by each process that moves them.
create index waits_flow on waits (job) where kind = 'flow';
