-- Which waiting jobs has the broker in its window, and who is next?
-- Safe to run while the previous release serves: yes. What that release adds is `fed`, and what it leaves unknown to this
-- one's workers is found by the audit.

-- fed: an entry of the broker carries it, or is about to. ready: it may run, and stands in line for the window. later: its
-- time has not come.
alter table jobs add column feed text not null default 'fed' check (feed in ('fed', 'ready', 'later'));

-- What has the window of a queue?
create index jobs_fed on jobs (queue, queued_at, id) where state = 'queued' and feed = 'fed' and not held;
-- Who stands in line, group by group, and who of a group is next? A step of priority counts as much as three seconds of age.
create index jobs_ready on jobs (
  queue, version, coalesce(group_key, owner), ((run_at - timestamptz '2000-01-01 00:00:00+00') + priority * interval '3 seconds'), id
) where state = 'queued' and feed = 'ready' and not held;
-- Whose time has come?
create index jobs_later on jobs (queue, run_at) where state = 'queued' and feed = 'later' and not held;
drop index jobs_queued;

-- Weights, limits and pauses of a queue, of its groups, of owners, and of keys that submit.
create table queue_rules (
  -- '*': of whatever queue
  queue         text        not null,
  kind          text        not null check (kind in ('queue', 'group', 'owner', 'key')),
  -- '' of a queue; '*': each group, owner or key that has no rule of its own
  name          text        not null,
  weight        real        check (weight between 0.01 and 1000),
  concurrency   integer     check (concurrency >= 0),
  rate          integer     check (rate > 0),
  rate_ms       integer     check (rate_ms > 0),
  paused        boolean     not null default false,
  reason        text,
  changed_by    text        not null,
  changed_at    timestamptz not null default now(),
  -- may a claim be refused by it?
  limits        boolean     not null generated always as (paused or concurrency is not null or rate is not null) stored,
  primary key (queue, kind, name),
  check ((kind = 'queue') = (name = '')),
  check ((rate is null) = (rate_ms is null))
);

-- Claims that a rate still allows, by the rule and by the group or owner that it counts.
create table rate_buckets (
  queue  text             not null,
  kind   text             not null,
  name   text             not null,
  tokens double precision not null,
  at     timestamptz      not null,
  primary key (queue, kind, name)
);
