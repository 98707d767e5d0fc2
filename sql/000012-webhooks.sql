-- Where ends of jobs are told, each telling, and the films of clients of OpenAI's kind.
-- Safe to run while the previous release serves: yes.

-- A request asked that the end of its job be told to an address.
create table platform_webhooks (
  job        uuid        primary key,
  owner      text        not null,
  url        text        not null,
  -- which ends: completed, failed, cancelled
  events     text[]      not null,
  -- number of the job's newest event that was looked at
  told       integer     not null default 0,
  created_at timestamptz not null default now(),
  -- when nothing more can come of the job
  closed_at  timestamptz
);

-- Which may have something to tell?
create index platform_webhooks_open on platform_webhooks (job) where closed_at is null;
create index platform_webhooks_age on platform_webhooks (created_at);

-- One end of a job that is told, however often it takes. Its id is the message's.
create table platform_deliveries (
  id           uuid        primary key,
  job          uuid        not null,
  owner        text        not null,
  url          text        not null,
  event        text        not null check (event in ('completed', 'failed', 'cancelled')),
  -- the message, byte for byte the same at every try
  body         text        not null,
  -- how often it was asked for again by hand
  replays      integer     not null default 0,
  -- the job that delivers it; null until it is there
  sender       uuid,
  attempts     integer     not null default 0,
  -- the answer to the newest try, and why it was none
  status       integer,
  error        text,
  created_at   timestamptz not null default now(),
  delivered_at timestamptz
);

-- Whose, newest first?
create index platform_deliveries_owner on platform_deliveries (owner, id);
-- Which has no job yet?
create index platform_deliveries_unsent on platform_deliveries (id) where sender is null;
create index platform_deliveries_age on platform_deliveries (created_at);

-- Films as clients of OpenAI's kind know them; the id is that of the job.
create table platform_videos (
  id         uuid        primary key,
  owner      text        not null,
  -- what was asked for, in the client's words
  asked      jsonb       not null,
  created_at timestamptz not null default now()
);

create index platform_videos_owner on platform_videos (owner, id);
create index platform_videos_age on platform_videos (created_at);
