-- Batches of requests of the platform, and what came of each line.
-- Safe to run while the previous release serves: yes.

create table batches (
  -- the job that carries it out
  id             uuid        primary key,
  owner          text        not null,
  -- what all lines ask for, below /api/v2; null where each says so itself
  endpoint       text,
  input_file     uuid        not null,
  -- kept until the batch is over, even where the file is deleted
  input_sha256   bytea       not null check (length(input_sha256) = 32),
  metadata       jsonb,
  status         text        not null check (status in
    ('validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled')),
  total          integer     not null default 0,
  completed      integer     not null default 0,
  failed         integer     not null default 0,
  -- why it cannot be a batch: [{code, message, line, param}]
  errors         jsonb,
  output_file    uuid,
  error_file     uuid,
  -- tokens of all lines together, where they say
  usage          jsonb,
  created_at     timestamptz not null default now(),
  in_progress_at timestamptz,
  finalizing_at  timestamptz,
  cancelling_at  timestamptz,
  -- when it was completed, failed, expired or cancelled
  ended_at       timestamptz,
  expires_at     timestamptz not null
);

-- Whose batches, newest first?
create index batches_owner on batches (owner, id);
-- Which are not over? Are these bytes still read by one?
create index batches_open on batches (input_sha256, id) where ended_at is null;
-- Which are over for long enough to be forgotten?
create index batches_over on batches (ended_at) where ended_at is not null;

-- A line that is over, one row each: what a batch that is taken up again need not repeat.
create table batch_lines (
  batch     uuid    not null references batches on delete cascade,
  -- from 1, blank ones counted
  line      integer not null,
  custom_id text,
  -- the job that did it; null for a line that never became one
  job       uuid,
  -- null where it succeeded
  code      text,
  message   text,
  -- whether `code` is one of ours, which a request would have been answered with, or of the line itself
  answered  boolean not null,
  primary key (batch, line)
);

-- Which jobs does a job that was stopped leave behind?
create index jobs_open_children on jobs (parent_id) where parent_id is not null and finished_at is null;
