-- Endpoints that are notified of events, each delivery, and tokens that open one stream.
-- Safe to run while the previous release serves: yes; it knows none of them, and its events get their transaction by default.

create table webhook_endpoints (
  id          uuid        primary key,
  owner       text        not null,
  title       text        not null,
  format      text        not null check (format in ('raw', 'slack', 'discord', 'teams', 'mail')),
  -- https://…, or mailto:… for mail
  url         text        not null,
  -- types wanted; `job.*` is every type that begins so
  events      text[]      not null,
  -- only events of these; empty: of any
  queues      text[]      not null default '{}',
  groups      text[]      not null default '{}',
  symbols     text[]      not null default '{}',
  -- events of all owners, while its maker is an operator
  every_owner boolean     not null default false,
  -- false: made for the webhooks of single jobs; it has no filter and is not listed
  listed      boolean     not null default true,
  -- the secret is derived from it; the one before is valid until previous_until
  secret_version integer  not null default 1,
  previous_until timestamptz,
  enabled     boolean     not null default true,
  -- why we disabled it; null where its owner did, or where it is enabled
  disabled_why text,
  -- no success since; null: the newest attempt succeeded
  failing_since timestamptz,
  -- failures since the last success, and the time before which nothing is sent there
  failures    integer     not null default 0,
  not_before  timestamptz,
  made_by     text        not null,
  -- the maker: a key, or a person
  key_id      uuid,
  issuer      text,
  subject     text,
  created_at  timestamptz not null default now(),
  changed_at  timestamptz not null default now()
);

-- Whose, oldest first?
create index webhook_endpoints_owner on webhook_endpoints (owner, id) where listed;
-- Is there one for the jobs of this owner at this address?
create unique index webhook_endpoints_single on webhook_endpoints (owner, url) where not listed;

-- Rises with every change that decides who is notified of what.
create table webhook_revision (
  only_one boolean primary key default true check (only_one),
  revision bigint  not null
);
insert into webhook_revision (revision) values (1);

create function raise_webhook_revision() returns trigger language plpgsql as $$
begin
  update webhook_revision set revision = revision + 1;
  return null;
end $$;

create trigger webhook_endpoints_made after insert or delete on webhook_endpoints
  for each statement execute function raise_webhook_revision();
-- attempts change failures alone, many times a second
create trigger webhook_endpoints_changed after update of events, queues, groups, symbols, every_owner, enabled on webhook_endpoints
  for each statement execute function raise_webhook_revision();

-- One event for one endpoint, however many attempts it takes. Its id is the message's `webhook-id`.
create table webhook_deliveries (
  id           uuid        primary key,
  endpoint     uuid        not null references webhook_endpoints on delete cascade,
  owner        text        not null,
  -- names the event: it is delivered to an endpoint once
  event        text        not null,
  type         text        not null,
  -- the message, the same at every attempt
  body         text        not null,
  state        text        not null default 'pending' check (state in ('pending', 'sending', 'delivered', 'failed')),
  -- rises whenever it is handed to a job
  dispatch     integer     not null default 0,
  sender       uuid,
  attempts     integer     not null default 0,
  replays      integer     not null default 0,
  next_at      timestamptz not null default now(),
  -- no attempt after it
  give_up_at   timestamptz not null default now() + interval '1 day',
  -- the answer to the newest attempt, and why it failed
  status       integer,
  error        text,
  took_ms      integer,
  created_at   timestamptz not null default now(),
  attempted_at timestamptz,
  delivered_at timestamptz,
  unique (endpoint, event)
);

-- What of an endpoint is due?
create index webhook_deliveries_due on webhook_deliveries (endpoint, next_at) where state = 'pending';
-- What is under way?
create index webhook_deliveries_sending on webhook_deliveries (endpoint) where state = 'sending';
-- Newest first: of an endpoint, of an owner
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint, id);
create index webhook_deliveries_owner on webhook_deliveries (owner, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- Endpoint that is notified of the end of one job.
create table job_webhooks (
  job        uuid        not null,
  endpoint   uuid        not null references webhook_endpoints on delete cascade,
  -- number of the job's newest event that was looked at
  seen       integer     not null default 0,
  created_at timestamptz not null default now(),
  -- when nothing more can come of the job
  closed_at  timestamptz,
  primary key (job, endpoint)
);

create index job_webhooks_open on job_webhooks (job) where closed_at is null;
create index job_webhooks_age on job_webhooks (created_at);

-- Events that no other table holds: thresholds of budgets, endpoints that were disabled.
create table notices (
  owner text        not null,
  -- names it: written once
  key   text        not null,
  type  text        not null,
  data  jsonb       not null,
  at    timestamptz not null default now(),
  xid   xid8        not null default pg_current_xact_id(),
  primary key (owner, key)
);

create index notices_xid on notices (xid);
create index notices_age on notices (at);

-- Positions up to which events were turned into deliveries; a snapshot as the relay's.
create table notification_cursors (
  name     text        primary key,
  epoch    text        not null,
  position text        not null
);
-- the first leader begins here: an endpoint that is made before there is one misses nothing
insert into notification_cursors values ('ledger', '', pg_current_snapshot()::text);

-- What was committed since a snapshot? As of the ledger itself.
alter table owner_events add column xid xid8 not null default pg_current_xact_id();
create index owner_events_xid on owner_events (xid);
alter table mission_events add column xid xid8 not null default pg_current_xact_id();
create index mission_events_xid on mission_events (xid);

-- Tokens that open one stream for a while.
create table stream_tokens (
  id         uuid        primary key,
  hash       bytea       not null unique check (length(hash) = 32),
  owner      text        not null,
  -- the maker: it ends with its key or session
  key_id     uuid,
  session    text,
  kind       text        not null check (kind in ('job', 'flow', 'queue', 'symbol')),
  subject    text        not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);

create index stream_tokens_owner on stream_tokens (owner, id);
create index stream_tokens_age on stream_tokens (expires_at);
