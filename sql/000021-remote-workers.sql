-- Work of others: jobs keep the version of their contract, workers anywhere hold leases.
-- Safe to run while the previous release serves: yes; what it writes gets the defaults.

alter table jobs
  add column version    integer     not null default 1,
  -- not begun by then: cancelled
  add column expires_at timestamptz,
  -- whose share of the queue it belongs to; null: its owner's
  add column group_key  text,
  -- the submitter's own words about it, given back as they came
  add column metadata   jsonb;

-- What waits beyond its time? (sweep)
create index jobs_expiring on jobs (expires_at) where expires_at is not null and state in ('awaiting_approval', 'queued');

alter table workers
  -- null: a process of ours; else the owner of the key that registered a worker elsewhere
  add column owner    text,
  add column key_id   uuid,
  add column name     text,
  -- queues and versions that it takes, [{"name": …, "versions": […]}]; null: a process of a release that does not say
  add column takes    jsonb,
  -- jobs at once
  add column capacity integer,
  add column sdk      text,
  -- hands it said it has free, when it last asked for work
  add column credits  integer not null default 0;

-- Whose workers?
create index workers_owner on workers (owner) where owner is not null;
