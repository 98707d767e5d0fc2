-- Jobs that are submitted by the clock.
-- Safe to run while the previous release serves: yes; it knows none of them.

create table schedules (
  owner       text        not null,
  name        text        not null,
  queue       text        not null,
  -- null: the newest of its moment
  version     integer,
  payload     jsonb       not null,
  -- one of the two
  cron        text,
  every_ms    bigint      check (every_ms > 0),
  zone        text        not null,
  overlap     text        not null check (overlap in ('skip', 'queue', 'replace')),
  missed      text        not null check (missed in ('none', 'last', 'all')),
  -- a missed run is made up for no longer than this
  missed_within_s integer not null,
  -- everything else of its submissions: priority, group, metadata, terms
  options     jsonb       not null default '{}',
  -- submitter, as terms and the audit name them
  made_by     text        not null,
  key_id      uuid,
  paused      boolean     not null default false,
  -- null: none comes any more
  next_at     timestamptz,
  last_at     timestamptz,
  last_job    uuid,
  made_at     timestamptz not null default now(),
  changed_at  timestamptz not null default now(),
  primary key (owner, name),
  check ((cron is null) <> (every_ms is null))
);

-- What is due?
create index schedules_due on schedules (next_at) where next_at is not null and not paused;
-- Of which queue?
create index schedules_queue on schedules (queue);

-- What became of each of its times.
create table schedule_runs (
  owner    text        not null,
  schedule text        not null,
  at       timestamptz not null,
  outcome  text        not null check (outcome in ('submitted', 'skipped', 'missed', 'refused')),
  job      uuid,
  -- why, where nothing was submitted
  reason   text,
  noted_at timestamptz not null default now(),
  primary key (owner, schedule, at),
  foreign key (owner, schedule) references schedules (owner, name) on delete cascade
);

-- Which are old enough to be forgotten?
create index schedule_runs_noted on schedule_runs (noted_at);
