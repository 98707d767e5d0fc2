-- The studio and what pays and decides for it: who signed in, approvals, budgets and costs, artefacts, briefs, plans, and
-- the events that an owner follows.
-- Safe to run while the previous release serves: yes.

-- People who signed in through an identity provider. Their keys, briefs and jobs belong to `owner`.
create table identities (
  issuer     text        not null,
  subject    text        not null,
  email      text        not null,
  owner      text        not null,
  operator   boolean     not null default false,
  -- the verified human this person has proven to be, once they have; for good
  human      text,
  created_at timestamptz not null default now(),
  seen_at    timestamptz not null default now(),
  primary key (issuer, subject)
);

-- A decision that lets one exact effect happen, once.
create table approvals (
  id           uuid        primary key,
  owner        text        not null,
  kind         text        not null check (kind in ('render', 'publish')),
  -- the plan that is rendered, or what is published
  subject      uuid        not null,
  -- exactly what will happen, as it is shown to whoever decides, and the SHA-256 of its canonical JSON
  effect       jsonb       not null,
  effect_hash  bytea       not null check (length(effect_hash) = 32),
  -- which areas of the governance doctrine it touches, and why
  areas        jsonb       not null,
  state        text        not null check (state in ('pending', 'granted', 'declined', 'used', 'expired')),
  -- the job that waits for it, or that used it
  job          uuid,
  requested_by text        not null,
  decided_by   text,
  reason       text,
  -- what the proof of personhood assured, where one was asked for
  human        jsonb,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  decided_at   timestamptz,
  used_at      timestamptz
);

-- Whose approvals, newest first?
create index approvals_owner on approvals (owner, id);
-- What waits for a decision, or for its job?
create index approvals_open on approvals (expires_at, id) where state in ('pending', 'granted');
-- Which are over for long enough to be forgotten?
create index approvals_over on approvals (expires_at) where state in ('declined', 'used', 'expired');

-- Ceilings, with what is reserved and spent under them, in millionths of a dollar.
create table budgets (
  id         text        primary key,
  -- null means no bound
  ceiling    bigint,
  reserved   bigint      not null default 0 check (reserved >= 0),
  spent      bigint      not null default 0,
  updated_at timestamptz not null default now()
);

-- One call of a provider: what was reserved for it, and what it cost in the end.
create table provider_calls (
  job         uuid        not null,
  provider    text        not null,
  owner       text        not null,
  key_id      uuid,
  surface     text        not null,
  capability  text        not null,
  budgets     text[]      not null,
  -- millionths of a dollar
  quoted      bigint      not null,
  cost        bigint,
  -- `unknown`: it may have happened and nobody can tell, so what was reserved stays reserved
  state       text        not null check (state in ('reserved', 'settled', 'released', 'unknown')),
  -- the provider's own name for it
  external_id text,
  reason      text,
  created_at  timestamptz not null default now(),
  ended_at    timestamptz,
  primary key (job, provider)
);

-- What an owner, or a key, has spent lately?
create index provider_calls_owner on provider_calls (owner, created_at);
-- Which calls stand open though their job may have ended?
create index provider_calls_open on provider_calls (created_at) where state = 'reserved';
-- Which are paid or given back for long enough to be forgotten?
create index provider_calls_over on provider_calls (ended_at) where state in ('settled', 'released');
-- Which call does a provider's message speak of?
create index provider_calls_external on provider_calls (provider, external_id) where external_id is not null;

-- What a provider says of a call by itself. Kept so that a call whose answer was lost can be found again.
create table provider_messages (
  job        uuid        not null,
  provider   text        not null,
  body       jsonb       not null,
  created_at timestamptz not null default now(),
  primary key (job, provider)
);

create index provider_messages_age on provider_messages (created_at);

-- What was made, by its content. The bytes lie in the artefact storage under their SHA-256.
create table assets (
  id         uuid        primary key,
  owner      text        not null,
  -- the job that made it
  job        uuid        not null,
  -- what it is within that job: `video-16x9`, `thumbnail`, `package-tiktok`
  name       text        not null,
  kind       text        not null check (kind in ('image', 'video', 'audio', 'text', 'package', 'data')),
  sha256     bytea       not null check (length(sha256) = 32),
  size       bigint      not null,
  media_type text        not null,
  width      integer,
  height     integer,
  -- seconds
  duration   double precision,
  -- the asset that shows this one at a glance
  thumbnail  uuid,
  capability text,
  provider   text,
  -- how it came about: `c2pa`, `sidecar` or `none`, with what there is to say
  provenance jsonb       not null default '{}',
  created_at timestamptz not null default now(),
  -- when its bytes were deleted; the row stays for what refers to it
  erased_at  timestamptz,
  unique (job, name)
);

-- Whose assets, newest first?
create index assets_owner on assets (owner, id);
-- Are these bytes still anybody's? What is old enough to erase?
create index assets_content on assets (sha256) where erased_at is null;
create index assets_age on assets (created_at) where erased_at is null;

create table studio_briefs (
  id         uuid        primary key,
  owner      text        not null,
  brief      jsonb       not null,
  created_at timestamptz not null default now()
);

create index studio_briefs_owner on studio_briefs (owner, id);
create index studio_briefs_age on studio_briefs (created_at);

create table studio_plans (
  id         uuid        primary key,
  owner      text        not null,
  brief      uuid        not null references studio_briefs,
  plan       jsonb       not null,
  -- SHA-256 of the plan's canonical JSON: what an approval is for
  plan_hash  bytea       not null check (length(plan_hash) = 32),
  created_at timestamptz not null default now()
);

create index studio_plans_owner on studio_plans (owner, id);
create index studio_plans_brief on studio_plans (brief);
create index studio_plans_age on studio_plans (created_at);

-- Jobs of the studio, and how many of their events its followers have been told.
create table studio_jobs (
  id         uuid        primary key,
  owner      text        not null,
  kind       text        not null check (kind in ('render', 'publish', 'call')),
  plan       uuid,
  parent     uuid,
  told       integer     not null default 0,
  -- set when the last event was told
  closed_at  timestamptz,
  created_at timestamptz not null default now()
);

create index studio_jobs_owner on studio_jobs (owner, id);
create index studio_jobs_plan on studio_jobs (plan, id);
create index studio_jobs_age on studio_jobs (created_at);
create index studio_jobs_open on studio_jobs (id) where closed_at is null;

-- The newest event of each owner's stream: its lock orders them.
create table owner_feeds (
  owner text    primary key,
  n     integer not null
);

-- What happened to what an owner has: `n` is dense per owner, from 1.
create table owner_events (
  owner text        not null,
  n     integer     not null,
  type  text        not null,
  data  jsonb       not null,
  at    timestamptz not null default now(),
  primary key (owner, n)
);

create index owner_events_age on owner_events (at);

-- Who called what: of keys and sessions, by capability. Figures of usage and monitoring are counted from it.
create table calls (
  id          uuid        primary key,
  at          timestamptz not null default now(),
  owner       text        not null,
  key_id      uuid,
  via         text        not null check (via in ('http', 'mcp')),
  -- `studio.brief`, or the name of a tool
  capability  text        not null,
  status      smallint    not null,
  duration_ms integer     not null,
  request_id  text        not null,
  ip          inet
);

create index calls_key on calls (key_id, at);
create index calls_owner on calls (owner, at);
create index calls_age on calls (at);

-- What was done to keys, and by whom. Kept for as long as the keys are.
create table key_changes (
  id         uuid        primary key,
  key_id     uuid        not null,
  owner      text        not null,
  action     text        not null check (action in ('created', 'updated', 'revoked')),
  -- the key or the person that did it: `key <id>`, `person <e-mail>`
  changed_by text        not null,
  -- what the change set, by name; never a secret
  changes    jsonb       not null,
  request_id text        not null,
  at         timestamptz not null default now()
);

create index key_changes_key on key_changes (key_id, id);
