-- What the numbered files of this folder add up to. Written by `proofline migrate --dump`; a test holds it equal.
-- For reading and for seeing what a change does: columns stand in alphabetical order, nothing runs this file.

create sequence anchor_batches_number_seq as bigint increment 1 start 1;

create sequence due_dependents_id_seq as bigint increment 1 start 1;

create sequence events_seq as bigint increment 1 start 1;

create sequence flow_ends_id_seq as bigint increment 1 start 1;

create sequence humans_position_seq as integer increment 1 start 1;

create sequence signals_id_seq as bigint increment 1 start 1;

create sequence wakes_id_seq as bigint increment 1 start 1;

create table anchor_accounts (
  address text not null,
  anchor_price numeric,
  balance numeric,
  chain text not null,
  genesis bytea not null,
  looked_at timestamp with time zone,
  next_nonce bigint not null
);

create table anchor_attempts (
  address text not null,
  at timestamp with time zone not null default now(),
  batch_id uuid not null,
  block_hash bytea,
  block_number bigint,
  block_time timestamp with time zone,
  chain text not null,
  fee numeric,
  gas bigint not null,
  gas_used bigint,
  hash bytea not null,
  lost integer not null default 0,
  max_fee numeric not null,
  nonce bigint not null,
  priority_fee numeric not null,
  raw bytea not null,
  why text not null
);

create table anchor_batches (
  address text,
  chain text,
  created_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  id uuid not null,
  included_at timestamp with time zone,
  nonce bigint,
  number bigint not null generated always as identity,
  revision integer not null default 0,
  root bytea,
  signed_at timestamp with time zone,
  size integer not null,
  status text not null
);

create table anchor_leaves (
  batch_id uuid,
  created_at timestamp with time zone not null default now(),
  leaf text not null,
  leaf_index integer,
  root bytea not null
);

create table approvals (
  areas jsonb not null,
  created_at timestamp with time zone not null default now(),
  decided_at timestamp with time zone,
  decided_by text,
  effect jsonb not null,
  effect_hash bytea not null,
  expires_at timestamp with time zone not null,
  human jsonb,
  id uuid not null,
  job uuid,
  kind text not null,
  owner text not null,
  reason text,
  requested_by text not null,
  state text not null,
  subject uuid not null,
  used_at timestamp with time zone
);

create table assets (
  capability text,
  created_at timestamp with time zone not null default now(),
  duration double precision,
  erased_at timestamp with time zone,
  height integer,
  id uuid not null,
  job uuid not null,
  kind text not null,
  media_type text not null,
  name text not null,
  owner text not null,
  provenance jsonb not null default '{}'::jsonb,
  provider text,
  sha256 bytea not null,
  size bigint not null,
  thumbnail uuid,
  width integer
);

create table batch_lines (
  answered boolean not null,
  batch uuid not null,
  code text,
  custom_id text,
  job uuid,
  line integer not null,
  message text
);

create table batches (
  cancelling_at timestamp with time zone,
  completed integer not null default 0,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  endpoint text,
  error_file uuid,
  errors jsonb,
  expires_at timestamp with time zone not null,
  failed integer not null default 0,
  finalizing_at timestamp with time zone,
  id uuid not null,
  in_progress_at timestamp with time zone,
  input_file uuid not null,
  input_sha256 bytea not null,
  metadata jsonb,
  output_file uuid,
  owner text not null,
  status text not null,
  total integer not null default 0,
  usage jsonb
);

create table budgets (
  ceiling bigint,
  id text not null,
  reserved bigint not null default 0,
  spent bigint not null default 0,
  updated_at timestamp with time zone not null default now()
);

create table calls (
  at timestamp with time zone not null default now(),
  capability text not null,
  duration_ms integer not null,
  id uuid not null,
  ip inet,
  key_id uuid,
  owner text not null,
  request_id text not null,
  status smallint not null,
  via text not null
);

create table chains (
  analytics jsonb,
  answers json,
  as_of timestamp with time zone not null,
  contracts integer not null,
  digest bytea not null,
  given_at timestamp with time zone not null default now(),
  id uuid not null,
  owner text,
  packed bytea not null,
  source text not null,
  symbol text not null,
  synthetic boolean not null
);

create table contract_texts (
  contract jsonb not null,
  digest text not null,
  kept_at timestamp with time zone not null default now(),
  queue text not null,
  version integer not null
);

create table dependencies (
  job uuid not null,
  on_failure text not null,
  on_job uuid not null,
  state text
);

create table due_dependents (
  at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  job uuid not null
) with (autovacuum_vacuum_threshold=500, autovacuum_vacuum_scale_factor=0);

create table effects (
  attempt integer not null,
  claim_tokens uuid[] not null default '{}'::uuid[],
  cost bigint,
  decided_at timestamp with time zone,
  effect text not null,
  external_id text,
  intended_at timestamp with time zone not null default now(),
  intended_by integer,
  job uuid not null,
  outcome jsonb,
  request_hash bytea not null,
  state text not null
);

create table events (
  at timestamp with time zone not null default now(),
  data jsonb not null default '{}'::jsonb,
  job uuid not null,
  n integer not null,
  seq bigint not null default nextval('events_seq'::regclass),
  type text not null,
  xid xid8 not null default pg_current_xact_id()
) partition by RANGE (at);

create table feed_files (
  detail text not null,
  name text not null,
  outcome text not null,
  taken_at timestamp with time zone not null default now(),
  version text not null
);

create table files (
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  id uuid not null,
  media_type text not null,
  name text not null,
  owner text not null,
  purpose text not null,
  sha256 bytea not null,
  size bigint not null
);

create table flow_ends (
  change smallint not null default 1,
  flow uuid not null,
  id bigint not null generated always as identity,
  node text,
  state text not null
) with (autovacuum_vacuum_threshold=5000, autovacuum_vacuum_scale_factor=0);

create table flow_mornings (
  date date not null,
  state json not null,
  symbol text not null
);

create table flow_nodes (
  began_at timestamp with time zone,
  cancelled integer not null default 0,
  ended_at timestamp with time zone,
  error jsonb,
  failed integer not null default 0,
  flow uuid not null,
  n integer not null,
  name text not null,
  state text not null default 'pending'::text,
  submitted integer not null default 0,
  succeeded integer not null default 0,
  total integer
);

create table former_keys (
  at timestamp with time zone not null default now(),
  job uuid not null,
  key text not null,
  owner text not null,
  request_hash bytea not null
);

create table human_challenges (
  body jsonb not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  id uuid not null,
  message bytea not null,
  purpose text not null,
  used_at timestamp with time zone
);

create table human_invites (
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  expires_at timestamp with time zone not null,
  hash bytea not null,
  id uuid not null,
  label text not null,
  scopes text[] not null,
  tier text not null,
  used_at timestamp with time zone
);

create table human_roots (
  root bytea not null,
  since timestamp with time zone not null default now(),
  until timestamp with time zone
);

create table human_session_proofs (
  action bytea not null,
  nullifier bytea not null,
  used_at timestamp with time zone not null default now()
);

create table humans (
  assurance text not null,
  commitment bytea not null,
  created_at timestamp with time zone not null default now(),
  invite_id uuid,
  nullifier bytea not null,
  "position" integer not null generated always as identity,
  provider text not null,
  provider_subject bytea,
  revoked_at timestamp with time zone,
  scopes text[] not null,
  tier text not null,
  world_id_session text
);

create table identities (
  created_at timestamp with time zone not null default now(),
  email text not null,
  human text,
  issuer text not null,
  operator boolean not null default false,
  owner text not null,
  seen_at timestamp with time zone not null default now(),
  subject text not null
);

create table job_action_parts (
  action uuid not null,
  jobs uuid[] not null,
  n integer not null
);

create table job_actions (
  action text not null,
  begun_at timestamp with time zone,
  done integer not null default 0,
  expires_at timestamp with time zone not null,
  failed jsonb not null default '{}'::jsonb,
  failures jsonb not null default '[]'::jsonb,
  id uuid not null,
  jobs integer not null,
  made_at timestamp with time zone not null default now(),
  made_by text not null,
  owner text not null,
  "position" integer not null default 0,
  priority smallint,
  selection jsonb not null,
  skipped jsonb not null default '{}'::jsonb
);

create table job_contents (
  job uuid not null,
  look_at timestamp with time zone default (now() + '01:00:00'::interval),
  sha256 bytea not null
);

create table job_webhooks (
  closed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  endpoint uuid not null,
  job uuid not null,
  seen integer not null default 0
);

create table jobs (
  approval_id uuid,
  attempt integer not null default 0,
  awaited boolean not null default false,
  claim_token uuid,
  contract text,
  created_at timestamp with time zone not null default now(),
  dispatch integer not null default 1,
  error jsonb,
  events integer not null default 1,
  expires_at timestamp with time zone,
  failures smallint not null default 0,
  feed text not null default 'fed'::text,
  finished_at timestamp with time zone,
  flow_item integer,
  flow_node text,
  gate text,
  group_key text,
  held boolean not null default false,
  id uuid not null,
  idempotency_key text,
  key_id uuid,
  lone_deaths smallint not null default 0,
  metadata jsonb,
  owner text not null,
  parent_id uuid,
  payload jsonb not null,
  payload_content jsonb,
  priority smallint not null,
  queue text not null,
  queued_at timestamp with time zone not null default now(),
  receipt text,
  request_hash bytea not null,
  result jsonb,
  result_content jsonb,
  run_at timestamp with time zone not null default now(),
  signals integer not null default 0,
  started_at timestamp with time zone,
  state text not null,
  step_bytes integer not null default 0,
  steps integer not null default 0,
  suspect boolean not null default false,
  terms jsonb,
  trace text,
  unique_key text,
  unique_while text,
  version integer not null default 1,
  worker_id uuid
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.1);

create table key_changes (
  action text not null,
  at timestamp with time zone not null default now(),
  changed_by text not null,
  changes jsonb not null,
  id uuid not null,
  key_id uuid not null,
  owner text not null,
  request_id text not null
);

create table keys (
  allowed_ips text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  created_by_proof boolean not null default false,
  expires_at timestamp with time zone,
  hash bytea not null,
  human_id text,
  id uuid not null,
  last4 text not null,
  last_used_at timestamp with time zone,
  made_by uuid,
  name text not null,
  operator boolean not null default false,
  owner text not null,
  pepper_version smallint not null,
  revoked_at timestamp with time zone,
  scopes text[] not null,
  start text not null,
  tier text not null default 'standard'::text
);

create table limit_revision (
  only_one boolean not null default true,
  revision bigint not null
);

create table limits (
  kind text not null,
  most bigint not null,
  scope text not null,
  set_at timestamp with time zone not null default now(),
  set_by text not null,
  subject text not null
);

create table migrations (
  applied_at timestamp with time zone not null default now(),
  digest text not null,
  file text not null,
  number integer not null
);

create table mission_events (
  at text not null,
  data jsonb not null,
  hash text,
  mission uuid not null,
  prev text,
  seq integer not null,
  type text not null,
  xid xid8 not null default pg_current_xact_id()
);

create table mission_steps (
  challenge jsonb,
  effect text,
  error jsonb,
  finished_at timestamp with time zone,
  human jsonb,
  input jsonb,
  job uuid,
  mission uuid not null,
  output jsonb,
  output_hash text,
  output_length integer,
  "position" smallint not null,
  started_at timestamp with time zone,
  state text not null,
  step text not null
);

create table missions (
  budget bigint,
  chained integer not null,
  closed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  deadline_at timestamp with time zone,
  error jsonb,
  events integer not null,
  executed_at timestamp with time zone,
  finished_at timestamp with time zone,
  genesis text not null,
  goal text not null,
  head text not null,
  human text not null,
  id uuid not null,
  idempotency_key text,
  inputs jsonb not null,
  owner text not null,
  plan jsonb not null,
  request_hash bytea not null,
  salt bytea not null,
  sealed_at timestamp with time zone,
  spent bigint not null default 0,
  state text not null,
  timeout_s integer not null
);

create table namespaces (
  created_at timestamp with time zone not null default now(),
  name text not null,
  owner text
);

create table notices (
  at timestamp with time zone not null default now(),
  data jsonb not null,
  key text not null,
  owner text not null,
  type text not null,
  xid xid8 not null default pg_current_xact_id()
);

create table notification_cursors (
  epoch text not null,
  name text not null,
  "position" text not null
);

create table operator_changes (
  action text not null,
  at timestamp with time zone not null default now(),
  changed_by text not null,
  email text not null,
  id uuid not null,
  request_id text
);

create table owner_events (
  at timestamp with time zone not null default now(),
  data jsonb not null,
  n integer not null,
  owner text not null,
  type text not null,
  xid xid8 not null default pg_current_xact_id()
);

create table owner_feeds (
  n integer not null,
  owner text not null
);

create table platform_deliveries (
  attempts integer not null default 0,
  body text not null,
  created_at timestamp with time zone not null default now(),
  delivered_at timestamp with time zone,
  error text,
  event text not null,
  id uuid not null,
  job uuid not null,
  owner text not null,
  replays integer not null default 0,
  sender uuid,
  status integer,
  url text not null
);

create table platform_videos (
  asked jsonb not null,
  created_at timestamp with time zone not null default now(),
  id uuid not null,
  owner text not null
);

create table platform_webhooks (
  closed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  events text[] not null,
  job uuid not null,
  owner text not null,
  told integer not null default 0,
  url text not null
);

create table provider_call_decisions (
  at timestamp with time zone not null default now(),
  cost bigint not null,
  decided_by text not null,
  decision text not null,
  id uuid not null,
  job uuid not null,
  provider text not null,
  request_id text,
  why text
);

create table provider_calls (
  budgets text[] not null,
  capability text not null,
  cost bigint,
  created_at timestamp with time zone not null default now(),
  decided_by text,
  decided_why text,
  ended_at timestamp with time zone,
  external_id text,
  held bigint,
  job uuid not null,
  key_id uuid,
  owner text not null,
  provider text not null,
  quoted bigint not null,
  reason text,
  state text not null,
  surface text not null
);

create table provider_messages (
  body jsonb not null,
  created_at timestamp with time zone not null default now(),
  job uuid not null,
  provider text not null
);

create table queue_history (
  cancelled bigint not null,
  expired bigint not null,
  failed bigint not null,
  group_name text not null,
  queue text not null,
  resolution integer not null,
  retried bigint not null,
  runs jsonb not null,
  start timestamp with time zone not null,
  started bigint not null,
  submitted bigint not null,
  succeeded bigint not null,
  waits jsonb not null
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05);

create table queue_history_cursor (
  after_seq bigint,
  after_xid xid8,
  only_one boolean not null default true,
  "position" pg_snapshot,
  target pg_snapshot,
  target_at timestamp with time zone
);

create table queue_history_spans (
  since timestamp with time zone not null,
  until timestamp with time zone not null
);

create table queue_pauses (
  paused_at timestamp with time zone not null default now(),
  paused_by text not null,
  queue text not null,
  reason text
);

create table queue_revision (
  only_one boolean not null default true,
  revision bigint not null
);

create table queue_rules (
  changed_at timestamp with time zone not null default now(),
  changed_by text not null,
  concurrency integer,
  kind text not null,
  limits boolean not null generated always as ((paused OR (concurrency IS NOT NULL) OR (rate IS NOT NULL))),
  name text not null,
  paused boolean not null default false,
  queue text not null,
  rate integer,
  rate_ms integer,
  reason text,
  weight real
);

create table queues (
  changed_at timestamp with time zone not null default now(),
  contract jsonb not null,
  digest text not null,
  name text not null,
  namespace text not null,
  registered_at timestamp with time zone not null default now(),
  registered_by text not null,
  version integer not null
);

create table rate_buckets (
  at timestamp with time zone not null,
  kind text not null,
  name text not null,
  queue text not null,
  tokens double precision not null
);

create table receipts (
  body jsonb not null,
  id uuid not null,
  kid text not null,
  kind text not null,
  owner text not null,
  root bytea not null,
  sealed_at timestamp with time zone not null
);

create table relay (
  epoch text not null,
  leader_token uuid,
  only_one boolean not null default true,
  "position" pg_snapshot,
  system_identifier text not null,
  timeline integer not null
);

create table response_events (
  event json not null,
  n integer not null,
  response uuid not null
);

create table responses (
  background boolean not null,
  begun json not null,
  created_at timestamp with time zone not null default now(),
  ended json,
  id uuid not null,
  input json not null,
  owner text not null,
  previous uuid,
  work json
);

create table schedule_runs (
  at timestamp with time zone not null,
  job uuid,
  noted_at timestamp with time zone not null default now(),
  outcome text not null,
  owner text not null,
  reason text,
  schedule text not null
);

create table schedules (
  changed_at timestamp with time zone not null default now(),
  cron text,
  every_ms bigint,
  key_id uuid,
  last_at timestamp with time zone,
  last_job uuid,
  made_at timestamp with time zone not null default now(),
  made_by text not null,
  missed text not null,
  missed_within_s integer not null,
  name text not null,
  next_at timestamp with time zone,
  options jsonb not null default '{}'::jsonb,
  overlap text not null,
  owner text not null,
  paused boolean not null default false,
  payload jsonb not null,
  queue text not null,
  receiver uuid,
  version integer,
  zone text not null
);

create table signals (
  at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  job uuid not null,
  key text not null,
  name text not null,
  payload jsonb not null,
  taken_at timestamp with time zone
);

create table snapshots (
  as_of timestamp with time zone not null,
  figures jsonb not null,
  knowledge_time timestamp with time zone not null,
  spot double precision not null,
  symbol text not null
) partition by RANGE (as_of);

create table steps (
  after integer not null,
  at timestamp with time zone not null default now(),
  bytes integer not null,
  job uuid not null,
  kind text not null,
  n integer not null,
  name text not null,
  since timestamp with time zone,
  value jsonb not null
);

create table stream_tokens (
  as_operator boolean not null default false,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  hash bytea not null,
  id uuid not null,
  key_id uuid,
  kind text not null,
  owner text not null,
  revoked_at timestamp with time zone,
  session text,
  subject text not null
);

create table studio_briefs (
  brief jsonb not null,
  created_at timestamp with time zone not null default now(),
  id uuid not null,
  owner text not null
);

create table studio_jobs (
  closed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  id uuid not null,
  kind text not null,
  owner text not null,
  parent uuid,
  plan uuid,
  told integer not null default 0
);

create table studio_plans (
  brief uuid not null,
  created_at timestamp with time zone not null default now(),
  id uuid not null,
  owner text not null,
  plan jsonb not null,
  plan_hash bytea not null
);

create table waits (
  after integer not null,
  at timestamp with time zone not null default now(),
  attempt integer not null,
  child uuid,
  job uuid not null,
  kind text not null,
  name text not null,
  owner text not null,
  queue text not null,
  wake_at timestamp with time zone
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.1);

create table wakes (
  at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  job uuid not null
) with (autovacuum_vacuum_threshold=500, autovacuum_vacuum_scale_factor=0);

create table webhook_deliveries (
  attempted_at timestamp with time zone,
  attempts integer not null default 0,
  batch uuid,
  body text not null,
  created_at timestamp with time zone not null default now(),
  delivered_at timestamp with time zone,
  dispatch integer not null default 0,
  endpoint uuid not null,
  error text,
  event text not null,
  give_up_at timestamp with time zone not null default (now() + '1 day'::interval),
  happened_at timestamp with time zone not null default now(),
  id uuid not null,
  next_at timestamp with time zone not null default now(),
  owner text not null,
  replays integer not null default 0,
  sender uuid,
  state text not null default 'pending'::text,
  status integer,
  took_ms integer,
  type text not null
);

create table webhook_endpoints (
  changed_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  disabled_why text,
  enabled boolean not null default true,
  events text[] not null,
  every_owner boolean not null default false,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  format text not null,
  groups text[] not null default '{}'::text[],
  id uuid not null,
  issuer text,
  key_id uuid,
  listed boolean not null default true,
  made_by text not null,
  not_before timestamp with time zone,
  owner text not null,
  previous_until timestamp with time zone,
  queues text[] not null default '{}'::text[],
  secret_version integer not null default 1,
  subject text,
  symbols text[] not null default '{}'::text[],
  title text not null,
  url text not null
);

create table webhook_revision (
  only_one boolean not null default true,
  revision bigint not null
);

create table webhook_secrets (
  created_at timestamp with time zone not null default now(),
  name text not null,
  pepper text not null,
  sealed bytea not null
);

create table workers (
  beat_at timestamp with time zone not null default now(),
  capacity integer,
  credits integer not null default 0,
  fleet text not null,
  host text not null,
  id uuid not null,
  key_id uuid,
  name text,
  owner text,
  pid integer not null,
  sdk text,
  started_at timestamp with time zone not null default now(),
  takes jsonb
);

alter table anchor_accounts add constraint anchor_accounts_genesis_check CHECK ((length(genesis) = 32));

alter table anchor_accounts add constraint anchor_accounts_pkey PRIMARY KEY (chain, address);

alter table anchor_attempts add constraint anchor_attempts_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES anchor_batches(id);

alter table anchor_attempts add constraint anchor_attempts_block_hash_check CHECK ((length(block_hash) = 32));

alter table anchor_attempts add constraint anchor_attempts_check CHECK ((((block_number IS NULL) = (block_hash IS NULL)) AND ((block_number IS NULL) = (block_time IS NULL))));

alter table anchor_attempts add constraint anchor_attempts_hash_check CHECK ((length(hash) = 32));

alter table anchor_attempts add constraint anchor_attempts_pkey PRIMARY KEY (hash);

alter table anchor_attempts add constraint anchor_attempts_why_check CHECK ((why = ANY (ARRAY['first'::text, 'bump'::text, 'nonce_taken'::text])));

alter table anchor_batches add constraint anchor_batches_chain_address_nonce_key UNIQUE (chain, address, nonce);

alter table anchor_batches add constraint anchor_batches_check CHECK (((status = 'new'::text) OR ((chain IS NOT NULL) AND (address IS NOT NULL) AND (nonce IS NOT NULL))));

alter table anchor_batches add constraint anchor_batches_check1 CHECK (((size = 0) = (root IS NULL)));

alter table anchor_batches add constraint anchor_batches_number_key UNIQUE (number);

alter table anchor_batches add constraint anchor_batches_pkey PRIMARY KEY (id);

alter table anchor_batches add constraint anchor_batches_root_check CHECK ((length(root) = 32));

alter table anchor_batches add constraint anchor_batches_status_check CHECK ((status = ANY (ARRAY['new'::text, 'signed'::text, 'included'::text, 'safe'::text, 'finalized'::text, 'void'::text])));

alter table anchor_leaves add constraint anchor_leaves_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES anchor_batches(id);

alter table anchor_leaves add constraint anchor_leaves_batch_id_leaf_index_key UNIQUE (batch_id, leaf_index);

alter table anchor_leaves add constraint anchor_leaves_check CHECK (((batch_id IS NULL) = (leaf_index IS NULL)));

alter table anchor_leaves add constraint anchor_leaves_pkey PRIMARY KEY (leaf);

alter table anchor_leaves add constraint anchor_leaves_root_check CHECK ((length(root) = 32));

alter table approvals add constraint approvals_effect_hash_check CHECK ((length(effect_hash) = 32));

alter table approvals add constraint approvals_kind_check CHECK ((kind = ANY (ARRAY['render'::text, 'publish'::text, 'job'::text])));

alter table approvals add constraint approvals_pkey PRIMARY KEY (id);

alter table approvals add constraint approvals_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'granted'::text, 'declined'::text, 'used'::text, 'expired'::text])));

alter table assets add constraint assets_job_name_key UNIQUE (job, name);

alter table assets add constraint assets_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text, 'text'::text, 'package'::text, 'data'::text])));

alter table assets add constraint assets_pkey PRIMARY KEY (id);

alter table assets add constraint assets_sha256_check CHECK ((length(sha256) = 32));

alter table batch_lines add constraint batch_lines_batch_fkey FOREIGN KEY (batch) REFERENCES batches(id) ON DELETE CASCADE;

alter table batch_lines add constraint batch_lines_pkey PRIMARY KEY (batch, line);

alter table batches add constraint batches_input_sha256_check CHECK ((length(input_sha256) = 32));

alter table batches add constraint batches_pkey PRIMARY KEY (id);

alter table batches add constraint batches_status_check CHECK ((status = ANY (ARRAY['validating'::text, 'failed'::text, 'in_progress'::text, 'finalizing'::text, 'completed'::text, 'expired'::text, 'cancelling'::text, 'cancelled'::text])));

alter table budgets add constraint budgets_pkey PRIMARY KEY (id);

alter table budgets add constraint budgets_reserved_check CHECK ((reserved >= 0));

alter table calls add constraint calls_pkey PRIMARY KEY (id);

alter table calls add constraint calls_via_check CHECK ((via = ANY (ARRAY['http'::text, 'mcp'::text])));

alter table chains add constraint chains_pkey PRIMARY KEY (id);

alter table contract_texts add constraint contract_texts_pkey PRIMARY KEY (queue, version, digest);

alter table dependencies add constraint dependencies_on_failure_check CHECK ((on_failure = ANY (ARRAY['fail'::text, 'continue'::text])));

alter table dependencies add constraint dependencies_pkey PRIMARY KEY (job, on_job);

alter table dependencies add constraint dependencies_state_check CHECK ((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])));

alter table due_dependents add constraint due_dependents_pkey PRIMARY KEY (job, id);

alter table effects add constraint effects_cost_check CHECK ((cost >= 0));

alter table effects add constraint effects_pkey PRIMARY KEY (job, effect);

alter table effects add constraint effects_state_check CHECK ((state = ANY (ARRAY['intended'::text, 'done'::text, 'failed'::text, 'unknown'::text])));

alter table events add constraint events_pkey PRIMARY KEY (job, n, at);

alter table feed_files add constraint feed_files_pkey PRIMARY KEY (name);

alter table files add constraint files_pkey PRIMARY KEY (id);

alter table files add constraint files_sha256_check CHECK ((length(sha256) = 32));

alter table flow_ends add constraint flow_ends_change_check CHECK ((change = ANY (ARRAY['-1'::integer, 1])));

alter table flow_ends add constraint flow_ends_pkey PRIMARY KEY (flow, id);

alter table flow_mornings add constraint flow_mornings_pkey PRIMARY KEY (symbol);

alter table flow_nodes add constraint flow_nodes_pkey PRIMARY KEY (flow, name);

alter table flow_nodes add constraint flow_nodes_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'skipped'::text])));

alter table former_keys add constraint former_keys_job_fkey FOREIGN KEY (job) REFERENCES jobs(id) ON DELETE CASCADE;

alter table former_keys add constraint former_keys_pkey PRIMARY KEY (owner, key);

alter table human_challenges add constraint human_challenges_message_check CHECK ((length(message) = 32));

alter table human_challenges add constraint human_challenges_pkey PRIMARY KEY (id);

alter table human_challenges add constraint human_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['enrol'::text, 'key'::text, 'step'::text, 'approval'::text, 'person'::text])));

alter table human_invites add constraint human_invites_hash_check CHECK ((length(hash) = 32));

alter table human_invites add constraint human_invites_hash_key UNIQUE (hash);

alter table human_invites add constraint human_invites_pkey PRIMARY KEY (id);

alter table human_roots add constraint human_roots_pkey PRIMARY KEY (root);

alter table human_roots add constraint human_roots_root_check CHECK ((length(root) = 32));

alter table human_session_proofs add constraint human_session_proofs_action_check CHECK ((length(action) = 32));

alter table human_session_proofs add constraint human_session_proofs_nullifier_check CHECK ((length(nullifier) = 32));

alter table human_session_proofs add constraint human_session_proofs_pkey PRIMARY KEY (nullifier, action);

alter table humans add constraint humans_assurance_check CHECK ((assurance = ANY (ARRAY['enrolled'::text, 'unique'::text])));

alter table humans add constraint humans_check CHECK (((provider = 'world-id'::text) = (world_id_session IS NOT NULL)));

alter table humans add constraint humans_commitment_check CHECK ((length(commitment) = 32));

alter table humans add constraint humans_commitment_key UNIQUE (commitment);

alter table humans add constraint humans_invite_id_fkey FOREIGN KEY (invite_id) REFERENCES human_invites(id);

alter table humans add constraint humans_nullifier_check CHECK ((length(nullifier) = 32));

alter table humans add constraint humans_pkey PRIMARY KEY (nullifier);

alter table humans add constraint humans_position_key UNIQUE ("position");

alter table humans add constraint humans_provider_provider_subject_key UNIQUE (provider, provider_subject);

alter table humans add constraint humans_provider_subject_check CHECK ((length(provider_subject) = 32));

alter table humans add constraint humans_world_id_session_check CHECK ((world_id_session ~ '^session_[0-9a-f]{128}$'::text));

alter table identities add constraint identities_pkey PRIMARY KEY (issuer, subject);

alter table job_action_parts add constraint job_action_parts_action_fkey FOREIGN KEY (action) REFERENCES job_actions(id) ON DELETE CASCADE;

alter table job_action_parts add constraint job_action_parts_pkey PRIMARY KEY (action, n);

alter table job_actions add constraint job_actions_action_check CHECK ((action = ANY (ARRAY['cancel'::text, 'redrive'::text, 'expire'::text, 'reprioritise'::text])));

alter table job_actions add constraint job_actions_check CHECK (((action = 'reprioritise'::text) = (priority IS NOT NULL)));

alter table job_actions add constraint job_actions_pkey PRIMARY KEY (id);

alter table job_contents add constraint job_contents_pkey PRIMARY KEY (sha256);

alter table job_contents add constraint job_contents_sha256_check CHECK ((length(sha256) = 32));

alter table job_webhooks add constraint job_webhooks_endpoint_fkey FOREIGN KEY (endpoint) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;

alter table job_webhooks add constraint job_webhooks_pkey PRIMARY KEY (job, endpoint);

alter table jobs add constraint jobs_check CHECK (((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])) = (finished_at IS NOT NULL)));

alter table jobs add constraint jobs_check1 CHECK (((state = 'running'::text) = (worker_id IS NOT NULL)));

alter table jobs add constraint jobs_feed_check CHECK ((feed = ANY (ARRAY['fed'::text, 'ready'::text, 'later'::text])));

alter table jobs add constraint jobs_gate_check CHECK ((gate = ANY (ARRAY['ask'::text, 'asked'::text, 'reserve'::text, 'reserved'::text, 'end'::text])));

alter table jobs add constraint jobs_pkey PRIMARY KEY (id);

alter table jobs add constraint jobs_receipt_check CHECK ((receipt = ANY (ARRAY['wanted'::text, 'sealed'::text])));

alter table jobs add constraint jobs_state_check CHECK ((state = ANY (ARRAY['awaiting_approval'::text, 'queued'::text, 'running'::text, 'waiting'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))) NOT VALID;

alter table jobs add constraint jobs_unique_while_check CHECK ((unique_while = ANY (ARRAY['queued'::text, 'unfinished'::text, 'forever'::text])));

alter table key_changes add constraint key_changes_action_check CHECK ((action = ANY (ARRAY['created'::text, 'updated'::text, 'revoked'::text])));

alter table key_changes add constraint key_changes_pkey PRIMARY KEY (id);

alter table keys add constraint keys_hash_check CHECK ((length(hash) = 32));

alter table keys add constraint keys_hash_key UNIQUE (hash);

alter table keys add constraint keys_made_by_fkey FOREIGN KEY (made_by) REFERENCES keys(id);

alter table keys add constraint keys_pkey PRIMARY KEY (id);

alter table limit_revision add constraint limit_revision_only_one_check CHECK (only_one);

alter table limit_revision add constraint limit_revision_pkey PRIMARY KEY (only_one);

alter table limits add constraint limits_check CHECK (((scope = 'default'::text) = (subject = ''::text)));

alter table limits add constraint limits_kind_check CHECK ((kind = ANY (ARRAY['queue_depth'::text, 'requests_per_minute'::text, 'requests_per_day'::text, 'schedules'::text])));

alter table limits add constraint limits_most_check CHECK (((most >= 0) AND (most <= '10000000000'::bigint)));

alter table limits add constraint limits_pkey PRIMARY KEY (kind, scope, subject);

alter table limits add constraint limits_scope_check CHECK ((scope = ANY (ARRAY['key'::text, 'owner'::text, 'plan'::text, 'default'::text])));

alter table migrations add constraint migrations_pkey PRIMARY KEY (number);

alter table mission_events add constraint mission_events_mission_fkey FOREIGN KEY (mission) REFERENCES missions(id);

alter table mission_events add constraint mission_events_pkey PRIMARY KEY (mission, seq);

alter table mission_steps add constraint mission_steps_mission_fkey FOREIGN KEY (mission) REFERENCES missions(id);

alter table mission_steps add constraint mission_steps_pkey PRIMARY KEY (mission, step);

alter table mission_steps add constraint mission_steps_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'awaiting_human'::text, 'approved'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'skipped'::text])));

alter table missions add constraint missions_pkey PRIMARY KEY (id);

alter table missions add constraint missions_salt_check CHECK ((length(salt) = 32));

alter table missions add constraint missions_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'awaiting_human'::text, 'executing'::text, 'sealing'::text, 'sealed'::text, 'failed'::text, 'cancelled'::text])));

alter table namespaces add constraint namespaces_name_check CHECK ((name ~ '^[a-z][a-z0-9-]{0,38}$'::text));

alter table namespaces add constraint namespaces_pkey PRIMARY KEY (name);

alter table notices add constraint notices_pkey PRIMARY KEY (owner, key);

alter table notification_cursors add constraint notification_cursors_pkey PRIMARY KEY (name);

alter table operator_changes add constraint operator_changes_action_check CHECK ((action = ANY (ARRAY['link_made'::text, 'link_used'::text, 'removed'::text])));

alter table operator_changes add constraint operator_changes_pkey PRIMARY KEY (id);

alter table owner_events add constraint owner_events_pkey PRIMARY KEY (owner, n);

alter table owner_feeds add constraint owner_feeds_pkey PRIMARY KEY (owner);

alter table platform_deliveries add constraint platform_deliveries_event_check CHECK ((event = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])));

alter table platform_deliveries add constraint platform_deliveries_pkey PRIMARY KEY (id);

alter table platform_videos add constraint platform_videos_pkey PRIMARY KEY (id);

alter table platform_webhooks add constraint platform_webhooks_pkey PRIMARY KEY (job);

alter table provider_call_decisions add constraint provider_call_decisions_decision_check CHECK ((decision = ANY (ARRAY['written_off'::text, 'billed'::text])));

alter table provider_call_decisions add constraint provider_call_decisions_job_provider_fkey FOREIGN KEY (job, provider) REFERENCES provider_calls(job, provider) ON DELETE CASCADE;

alter table provider_call_decisions add constraint provider_call_decisions_pkey PRIMARY KEY (id);

alter table provider_calls add constraint provider_calls_pkey PRIMARY KEY (job, provider);

alter table provider_calls add constraint provider_calls_state_check CHECK ((state = ANY (ARRAY['reserved'::text, 'settled'::text, 'released'::text, 'unknown'::text])));

alter table provider_messages add constraint provider_messages_pkey PRIMARY KEY (job, provider);

alter table queue_history add constraint queue_history_pkey PRIMARY KEY (queue, resolution, group_name, start);

alter table queue_history add constraint queue_history_resolution_check CHECK ((resolution = ANY (ARRAY[60, 600, 3600])));

alter table queue_history_cursor add constraint queue_history_cursor_only_one_check CHECK (only_one);

alter table queue_history_cursor add constraint queue_history_cursor_pkey PRIMARY KEY (only_one);

alter table queue_history_spans add constraint queue_history_spans_pkey PRIMARY KEY (since);

alter table queue_pauses add constraint queue_pauses_pkey PRIMARY KEY (queue);

alter table queue_revision add constraint queue_revision_only_one_check CHECK (only_one);

alter table queue_revision add constraint queue_revision_pkey PRIMARY KEY (only_one);

alter table queue_rules add constraint queue_rules_check CHECK (((kind = 'queue'::text) = (name = ''::text)));

alter table queue_rules add constraint queue_rules_check1 CHECK (((rate IS NULL) = (rate_ms IS NULL)));

alter table queue_rules add constraint queue_rules_concurrency_check CHECK ((concurrency >= 0));

alter table queue_rules add constraint queue_rules_kind_check CHECK ((kind = ANY (ARRAY['queue'::text, 'group'::text, 'owner'::text, 'key'::text])));

alter table queue_rules add constraint queue_rules_pkey PRIMARY KEY (queue, kind, name);

alter table queue_rules add constraint queue_rules_rate_check CHECK ((rate > 0));

alter table queue_rules add constraint queue_rules_rate_ms_check CHECK ((rate_ms > 0));

alter table queue_rules add constraint queue_rules_weight_check CHECK (((weight >= (0.01)::double precision) AND (weight <= (1000)::double precision)));

alter table queues add constraint queues_check CHECK ((namespace = split_part(name, '.'::text, 1)));

alter table queues add constraint queues_name_check CHECK ((name ~ '^[a-z][a-z0-9-]{0,38}\.[a-z][a-z0-9-]{0,59}$'::text));

alter table queues add constraint queues_namespace_fkey FOREIGN KEY (namespace) REFERENCES namespaces(name);

alter table queues add constraint queues_pkey PRIMARY KEY (name, version);

alter table queues add constraint queues_version_check CHECK ((version >= 1));

alter table rate_buckets add constraint rate_buckets_pkey PRIMARY KEY (queue, kind, name);

alter table receipts add constraint receipts_kind_check CHECK ((kind = ANY (ARRAY['mission'::text, 'execution'::text])));

alter table receipts add constraint receipts_pkey PRIMARY KEY (id);

alter table receipts add constraint receipts_root_check CHECK ((length(root) = 32));

alter table relay add constraint relay_only_one_check CHECK (only_one);

alter table relay add constraint relay_pkey PRIMARY KEY (only_one);

alter table response_events add constraint response_events_pkey PRIMARY KEY (response, n);

alter table response_events add constraint response_events_response_fkey FOREIGN KEY (response) REFERENCES responses(id) ON DELETE CASCADE;

alter table responses add constraint responses_pkey PRIMARY KEY (id);

alter table schedule_runs add constraint schedule_runs_outcome_check CHECK ((outcome = ANY (ARRAY['submitted'::text, 'skipped'::text, 'missed'::text, 'refused'::text])));

alter table schedule_runs add constraint schedule_runs_owner_schedule_fkey FOREIGN KEY (owner, schedule) REFERENCES schedules(owner, name) ON DELETE CASCADE;

alter table schedule_runs add constraint schedule_runs_pkey PRIMARY KEY (owner, schedule, at);

alter table schedules add constraint schedules_check CHECK (((cron IS NULL) <> (every_ms IS NULL)));

alter table schedules add constraint schedules_every_ms_check CHECK ((every_ms > 0));

alter table schedules add constraint schedules_missed_check CHECK ((missed = ANY (ARRAY['none'::text, 'last'::text, 'all'::text])));

alter table schedules add constraint schedules_overlap_check CHECK ((overlap = ANY (ARRAY['skip'::text, 'queue'::text, 'replace'::text])));

alter table schedules add constraint schedules_pkey PRIMARY KEY (owner, name);

alter table schedules add constraint schedules_receiver_fkey FOREIGN KEY (receiver) REFERENCES webhook_endpoints(id) ON DELETE SET NULL;

alter table signals add constraint signals_pkey PRIMARY KEY (job, id);

alter table snapshots add constraint snapshots_pkey PRIMARY KEY (symbol, as_of);

alter table steps add constraint steps_kind_check CHECK ((kind = ANY (ARRAY['step'::text, 'child'::text, 'sleep'::text, 'signal'::text, 'result'::text])));

alter table steps add constraint steps_pkey PRIMARY KEY (job, name);

alter table stream_tokens add constraint stream_tokens_hash_check CHECK ((length(hash) = 32));

alter table stream_tokens add constraint stream_tokens_hash_key UNIQUE (hash);

alter table stream_tokens add constraint stream_tokens_kind_check CHECK ((kind = ANY (ARRAY['job'::text, 'flow'::text, 'queue'::text, 'symbol'::text])));

alter table stream_tokens add constraint stream_tokens_pkey PRIMARY KEY (id);

alter table studio_briefs add constraint studio_briefs_pkey PRIMARY KEY (id);

alter table studio_jobs add constraint studio_jobs_kind_check CHECK ((kind = ANY (ARRAY['render'::text, 'publish'::text, 'call'::text])));

alter table studio_jobs add constraint studio_jobs_pkey PRIMARY KEY (id);

alter table studio_plans add constraint studio_plans_brief_fkey FOREIGN KEY (brief) REFERENCES studio_briefs(id);

alter table studio_plans add constraint studio_plans_pkey PRIMARY KEY (id);

alter table studio_plans add constraint studio_plans_plan_hash_check CHECK ((length(plan_hash) = 32));

alter table waits add constraint waits_check CHECK (((kind = 'result'::text) = (child IS NOT NULL)));

alter table waits add constraint waits_check1 CHECK (((kind <> 'sleep'::text) OR (wake_at IS NOT NULL)));

alter table waits add constraint waits_kind_check CHECK ((kind = ANY (ARRAY['sleep'::text, 'signal'::text, 'result'::text, 'jobs'::text, 'flow'::text])));

alter table waits add constraint waits_pkey PRIMARY KEY (job);

alter table wakes add constraint wakes_pkey PRIMARY KEY (job, id);

alter table webhook_deliveries add constraint webhook_deliveries_endpoint_event_key UNIQUE (endpoint, event);

alter table webhook_deliveries add constraint webhook_deliveries_endpoint_fkey FOREIGN KEY (endpoint) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;

alter table webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (id);

alter table webhook_deliveries add constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'delivered'::text, 'failed'::text])));

alter table webhook_endpoints add constraint webhook_endpoints_format_check CHECK ((format = ANY (ARRAY['raw'::text, 'slack'::text, 'discord'::text, 'teams'::text, 'mail'::text])));

alter table webhook_endpoints add constraint webhook_endpoints_pkey PRIMARY KEY (id);

alter table webhook_revision add constraint webhook_revision_only_one_check CHECK (only_one);

alter table webhook_revision add constraint webhook_revision_pkey PRIMARY KEY (only_one);

alter table webhook_secrets add constraint webhook_secrets_pkey PRIMARY KEY (name);

alter table webhook_secrets add constraint webhook_secrets_sealed_check CHECK ((length(sealed) = 60));

alter table workers add constraint workers_pkey PRIMARY KEY (id);

CREATE INDEX anchor_attempts_batch ON public.anchor_attempts USING btree (batch_id, at);

CREATE INDEX anchor_batches_open ON public.anchor_batches USING btree (due_at) WHERE (status <> ALL (ARRAY['finalized'::text, 'void'::text]));

CREATE INDEX anchor_leaves_waiting ON public.anchor_leaves USING btree (created_at) WHERE (batch_id IS NULL);

CREATE INDEX approvals_open ON public.approvals USING btree (expires_at, id) WHERE (state = ANY (ARRAY['pending'::text, 'granted'::text]));

CREATE INDEX approvals_over ON public.approvals USING btree (expires_at) WHERE (state = ANY (ARRAY['declined'::text, 'used'::text, 'expired'::text]));

CREATE INDEX approvals_owner ON public.approvals USING btree (owner, id);

CREATE INDEX assets_age ON public.assets USING btree (created_at) WHERE (erased_at IS NULL);

CREATE INDEX assets_content ON public.assets USING btree (sha256) WHERE (erased_at IS NULL);

CREATE INDEX assets_owner ON public.assets USING btree (owner, id);

CREATE INDEX batches_open ON public.batches USING btree (input_sha256, id) WHERE (ended_at IS NULL);

CREATE INDEX batches_over ON public.batches USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX batches_owner ON public.batches USING btree (owner, id);

CREATE INDEX calls_age ON public.calls USING btree (at);

CREATE INDEX calls_key ON public.calls USING btree (key_id, at);

CREATE INDEX calls_owner ON public.calls USING btree (owner, at);

CREATE INDEX chains_newest ON public.chains USING btree (symbol, owner, given_at DESC);

CREATE UNIQUE INDEX chains_same ON public.chains USING btree (symbol, COALESCE(owner, ''::text), digest);

CREATE INDEX dependencies_on ON public.dependencies USING btree (on_job);

CREATE INDEX events_xid ON ONLY public.events USING btree (xid, seq);

CREATE INDEX files_age ON public.files USING btree (expires_at);

CREATE INDEX files_content ON public.files USING btree (sha256);

CREATE INDEX files_owner ON public.files USING btree (owner, id);

CREATE INDEX flow_nodes_begun ON public.flow_nodes USING btree (flow) WHERE ((state = 'running'::text) AND ((total IS NULL) OR (submitted < total)));

CREATE INDEX former_keys_job ON public.former_keys USING btree (job, at);

CREATE INDEX human_challenges_expired ON public.human_challenges USING btree (expires_at);

CREATE INDEX job_actions_made ON public.job_actions USING btree (made_at);

CREATE INDEX job_actions_open ON public.job_actions USING btree (owner, made_at) WHERE (begun_at IS NULL);

CREATE INDEX job_contents_due ON public.job_contents USING btree (look_at) WHERE (look_at IS NOT NULL);

CREATE INDEX job_contents_job ON public.job_contents USING btree (job);

CREATE INDEX job_webhooks_age ON public.job_webhooks USING btree (created_at);

CREATE INDEX job_webhooks_open ON public.job_webhooks USING btree (job) WHERE (closed_at IS NULL);

CREATE INDEX jobs_awaiting ON public.jobs USING btree (queue) WHERE (state = 'awaiting_approval'::text);

CREATE INDEX jobs_expiring ON public.jobs USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (state = ANY (ARRAY['awaiting_approval'::text, 'queued'::text, 'waiting'::text])));

CREATE INDEX jobs_fed ON public.jobs USING btree (queue, queued_at, id) WHERE ((state = 'queued'::text) AND (feed = 'fed'::text) AND (NOT held));

CREATE INDEX jobs_finished_by_queue ON public.jobs USING btree (queue, finished_at) WHERE (finished_at IS NOT NULL);

CREATE UNIQUE INDEX jobs_flow ON public.jobs USING btree (parent_id, flow_node, flow_item) WHERE (flow_item IS NOT NULL);

CREATE INDEX jobs_gate ON public.jobs USING btree (id) WHERE (gate = ANY (ARRAY['ask'::text, 'reserve'::text, 'end'::text]));

CREATE INDEX jobs_gate_over ON public.jobs USING btree (id) WHERE ((gate = ANY (ARRAY['asked'::text, 'reserved'::text])) AND (finished_at IS NOT NULL));

CREATE INDEX jobs_held ON public.jobs USING btree (queue) WHERE ((state = 'queued'::text) AND held);

CREATE UNIQUE INDEX jobs_idempotency ON public.jobs USING btree (owner, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX jobs_later ON public.jobs USING btree (queue, run_at) WHERE ((state = 'queued'::text) AND (feed = 'later'::text) AND (NOT held));

CREATE INDEX jobs_open_children ON public.jobs USING btree (parent_id) WHERE ((parent_id IS NOT NULL) AND (finished_at IS NULL));

CREATE INDEX jobs_owner ON public.jobs USING btree (owner, state, id);

CREATE INDEX jobs_parent ON public.jobs USING btree (parent_id, id) WHERE (parent_id IS NOT NULL);

CREATE INDEX jobs_ready ON public.jobs USING btree (queue, version, COALESCE(group_key, owner), (((run_at - '2000-01-01 00:00:00+00'::timestamp with time zone) + ((priority)::double precision * '00:00:03'::interval))), id) WHERE ((state = 'queued'::text) AND (feed = 'ready'::text) AND (NOT held));

CREATE INDEX jobs_running ON public.jobs USING btree (worker_id) WHERE (state = 'running'::text);

CREATE UNIQUE INDEX jobs_unique ON public.jobs USING btree (owner, queue, unique_key) WHERE (unique_key IS NOT NULL);

CREATE INDEX jobs_unsealed ON public.jobs USING btree (finished_at) WHERE ((receipt = 'wanted'::text) AND (finished_at IS NOT NULL));

CREATE INDEX key_changes_key ON public.key_changes USING btree (key_id, id);

CREATE INDEX keys_human ON public.keys USING btree (human_id) WHERE (human_id IS NOT NULL);

CREATE INDEX keys_owner ON public.keys USING btree (owner, id);

CREATE INDEX mission_events_xid ON public.mission_events USING btree (xid);

CREATE INDEX mission_steps_running ON public.mission_steps USING btree (job) WHERE (state = 'running'::text);

CREATE UNIQUE INDEX missions_idempotency ON public.missions USING btree (owner, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX missions_live ON public.missions USING btree (state, id) WHERE ((sealed_at IS NULL) AND (executed_at IS NOT NULL));

CREATE INDEX missions_owner ON public.missions USING btree (owner, id);

CREATE INDEX missions_unclosed ON public.missions USING btree (id) WHERE ((closed_at IS NULL) AND (finished_at IS NOT NULL));

CREATE INDEX notices_age ON public.notices USING btree (at);

CREATE INDEX notices_xid ON public.notices USING btree (xid);

CREATE INDEX operator_changes_at ON public.operator_changes USING btree (at, id);

CREATE INDEX owner_events_age ON public.owner_events USING btree (at);

CREATE INDEX owner_events_xid ON public.owner_events USING btree (xid);

CREATE INDEX platform_deliveries_age ON public.platform_deliveries USING btree (created_at);

CREATE INDEX platform_deliveries_owner ON public.platform_deliveries USING btree (owner, id);

CREATE INDEX platform_deliveries_unsent ON public.platform_deliveries USING btree (id) WHERE (sender IS NULL);

CREATE INDEX platform_videos_age ON public.platform_videos USING btree (created_at);

CREATE INDEX platform_videos_owner ON public.platform_videos USING btree (owner, id);

CREATE INDEX platform_webhooks_age ON public.platform_webhooks USING btree (created_at);

CREATE INDEX platform_webhooks_open ON public.platform_webhooks USING btree (job) WHERE (closed_at IS NULL);

CREATE INDEX provider_call_decisions_call ON public.provider_call_decisions USING btree (job, provider, at, id);

CREATE INDEX provider_calls_decided ON public.provider_calls USING btree (ended_at, job, provider) WHERE (decided_by IS NOT NULL);

CREATE INDEX provider_calls_external ON public.provider_calls USING btree (provider, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX provider_calls_open ON public.provider_calls USING btree (created_at) WHERE (state = 'reserved'::text);

CREATE INDEX provider_calls_over ON public.provider_calls USING btree (ended_at) WHERE (state = ANY (ARRAY['settled'::text, 'released'::text]));

CREATE INDEX provider_calls_owner ON public.provider_calls USING btree (owner, created_at);

CREATE INDEX provider_calls_unknown ON public.provider_calls USING btree (ended_at, job, provider) WHERE (state = 'unknown'::text);

CREATE INDEX provider_messages_age ON public.provider_messages USING btree (created_at);

CREATE INDEX queue_history_age ON public.queue_history USING btree (resolution, start, queue);

CREATE INDEX queues_namespace ON public.queues USING btree (namespace);

CREATE INDEX receipts_owner ON public.receipts USING btree (owner, sealed_at, id);

CREATE INDEX responses_age ON public.responses USING btree (created_at);

CREATE INDEX schedule_runs_noted ON public.schedule_runs USING btree (noted_at);

CREATE INDEX schedules_due ON public.schedules USING btree (next_at, owner, name) WHERE ((next_at IS NOT NULL) AND (NOT paused));

CREATE INDEX schedules_queue ON public.schedules USING btree (queue);

CREATE INDEX schedules_receiver ON public.schedules USING btree (receiver) WHERE (receiver IS NOT NULL);

CREATE UNIQUE INDEX signals_key ON public.signals USING btree (job, name, key);

CREATE INDEX signals_untaken ON public.signals USING btree (job, name, id) WHERE (taken_at IS NULL);

CREATE INDEX stream_tokens_age ON public.stream_tokens USING btree (expires_at);

CREATE INDEX stream_tokens_owner ON public.stream_tokens USING btree (owner, id);

CREATE INDEX studio_briefs_age ON public.studio_briefs USING btree (created_at);

CREATE INDEX studio_briefs_owner ON public.studio_briefs USING btree (owner, id);

CREATE INDEX studio_jobs_age ON public.studio_jobs USING btree (created_at);

CREATE INDEX studio_jobs_open ON public.studio_jobs USING btree (id) WHERE (closed_at IS NULL);

CREATE INDEX studio_jobs_owner ON public.studio_jobs USING btree (owner, id);

CREATE INDEX studio_jobs_plan ON public.studio_jobs USING btree (plan, id);

CREATE INDEX studio_plans_age ON public.studio_plans USING btree (created_at);

CREATE INDEX studio_plans_brief ON public.studio_plans USING btree (brief);

CREATE INDEX studio_plans_owner ON public.studio_plans USING btree (owner, id);

CREATE INDEX waits_child ON public.waits USING btree (child) WHERE (child IS NOT NULL);

CREATE INDEX waits_due ON public.waits USING btree (wake_at) WHERE (wake_at IS NOT NULL);

CREATE INDEX waits_flow ON public.waits USING btree (job) WHERE (kind = 'flow'::text);

CREATE INDEX waits_owner ON public.waits USING btree (owner, queue);

CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint, next_at) WHERE (state = 'pending'::text);

CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (endpoint, id);

CREATE INDEX webhook_deliveries_owner ON public.webhook_deliveries USING btree (owner, id);

CREATE INDEX webhook_deliveries_sending ON public.webhook_deliveries USING btree (endpoint) WHERE (state = 'sending'::text);

CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND enabled);

CREATE INDEX webhook_endpoints_owner ON public.webhook_endpoints USING btree (owner, id) WHERE listed;

CREATE UNIQUE INDEX webhook_endpoints_single ON public.webhook_endpoints USING btree (owner, url) WHERE (NOT listed);

CREATE INDEX webhook_secrets_pepper ON public.webhook_secrets USING btree (pepper);

CREATE INDEX workers_owner ON public.workers USING btree (owner) WHERE (owner IS NOT NULL);

CREATE OR REPLACE FUNCTION public.add_counts(a jsonb, b jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(jsonb_object_agg(key, n), '{}') from (
    select key, sum(value::bigint) as n from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) e
    group by key
  ) s
$function$
;

CREATE OR REPLACE FUNCTION public.allowed_claims(ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'on'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  allowed uuid[];
begin
  perform hold_claims(limited.queue) from (
    select q.queue from (select distinct j.queue from jobs j where j.id = any(ids) union all select '*') q
    where exists (select from queue_rules r where r.limits and r.queue = q.queue) order by q.queue
  ) limited;
  with moment as materialized (
    select clock_timestamp() as at
  ), wanted as materialized (
    select j.id, j.queue, j.owner, j.key_id::text as key, coalesce(j.group_key, j.owner) as grp, j.run_at
    from jobs j where j.id = any(ids) and j.state = 'queued' and not j.held
  ), kinds as materialized (
    select r.queue, r.kind, bool_or(r.concurrency is not null) as counts, bool_or(r.rate is not null) as rated
    from queue_rules r where r.limits and (r.queue = '*' or r.queue in (select w.queue from wanted w)) group by r.queue, r.kind
  ), every as materialized (
    select r.* from queue_rules r where r.name = '*' and (r.queue = '*' or r.queue in (select w.queue from wanted w))
  ), asked as materialized (
    select k.queue, k.kind, s.subject, count(*) as jobs
    from kinds k join wanted w on k.queue = '*' or k.queue = w.queue
    cross join lateral (select case k.kind when 'queue' then '' when 'group' then w.grp when 'owner' then w.owner else w.key end as subject) s
    -- a job that no key submitted is bound by none
    where s.subject is not null group by k.queue, k.kind, s.subject
  ), running as materialized (
    select k.queue, k.kind, s.subject, sum(w.jobs) as jobs
    from (
      select j.queue, j.owner, j.key_id::text as key, coalesce(j.group_key, j.owner) as grp, count(*) as jobs
      from jobs j where j.state = 'running' and exists (select from kinds where counts) group by 1, 2, 3, 4
    ) w join kinds k on k.counts and (k.queue = '*' or k.queue = w.queue)
    cross join lateral (select case k.kind when 'queue' then '' when 'group' then w.grp when 'owner' then w.owner else w.key end as subject) s
    group by k.queue, k.kind, s.subject
  ), bound as materialized (
    select a.*, r.rate is not null as rated, case when r.paused then 0 end as paused, r.concurrency - coalesce(n.jobs, 0) as free,
      case when r.rate is not null then
        least(r.rate, coalesce(
          t.tokens + greatest(0, extract(epoch from (select at from moment) - t.at)) * 1000 * r.rate / r.rate_ms, r.rate))
      end as tokens
    from asked a
    left join queue_rules own on own.queue = a.queue and own.kind = a.kind and own.name = a.subject
    left join every on every.queue = a.queue and every.kind = a.kind and own.queue is null
    cross join lateral (
      select coalesce(own.limits, every.limits) as limits, coalesce(own.paused, every.paused) as paused,
        coalesce(own.concurrency, every.concurrency) as concurrency, coalesce(own.rate, every.rate) as rate,
        coalesce(own.rate_ms, every.rate_ms) as rate_ms
    ) r
    left join running n on n.queue = a.queue and n.kind = a.kind and n.subject = a.subject
    left join rate_buckets t on t.queue = a.queue and t.kind = a.kind and t.name = a.subject
    where r.limits
  ), places as materialized (
    select b.*, least(b.paused, b.free, floor(b.tokens)) as places from bound b
  ), tight as materialized (
    select exists (select from places p where p.jobs > p.places) as yes
  -- the narrowest first: what an owner may not run takes no place of its queue
  ), by_key as (
    select w.id, w.queue, w.owner, w.grp, w.run_at from (
      select w.*, row_number() over (partition by w.queue, w.key order by w.run_at, w.id) as own,
        row_number() over (partition by w.key order by w.run_at, w.id) as every
      from wanted w where (select t.yes from tight t)
    ) w
    left join places o on o.queue = w.queue and o.kind = 'key' and o.subject = w.key
    left join places e on e.queue = '*' and e.kind = 'key' and e.subject = w.key
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), by_owner as (
    select w.id, w.queue, w.owner, w.grp, w.run_at from (
      select w.*, row_number() over (partition by w.queue, w.owner order by w.run_at, w.id) as own,
        row_number() over (partition by w.owner order by w.run_at, w.id) as every
      from by_key w
    ) w
    left join places o on o.queue = w.queue and o.kind = 'owner' and o.subject = w.owner
    left join places e on e.queue = '*' and e.kind = 'owner' and e.subject = w.owner
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), by_group as (
    select w.id, w.queue, w.owner, w.grp, w.run_at from (
      select w.*, row_number() over (partition by w.queue, w.grp order by w.run_at, w.id) as own,
        row_number() over (partition by w.grp order by w.run_at, w.id) as every
      from by_owner w
    ) w
    left join places o on o.queue = w.queue and o.kind = 'group' and o.subject = w.grp
    left join places e on e.queue = '*' and e.kind = 'group' and e.subject = w.grp
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), by_queue as (
    select w.id from (
      select w.*, row_number() over (partition by w.queue order by w.run_at, w.id) as own,
        row_number() over (order by w.run_at, w.id) as every
      from by_group w
    ) w
    left join places o on o.queue = w.queue and o.kind = 'queue'
    left join places e on e.queue = '*' and e.kind = 'queue'
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), passed as materialized (
    select w.id from wanted w where not (select t.yes from tight t)
    union all
    select q.id from by_queue q
  ), spent as (
    insert into rate_buckets as t (queue, kind, name, tokens, at)
    select p.queue, p.kind, p.subject, p.tokens - taken.jobs, (select at from moment)
    from (
      select k.queue, k.kind, s.subject, count(*) as jobs
      from kinds k join wanted w on k.queue = '*' or k.queue = w.queue join passed using (id)
      cross join lateral (select case k.kind when 'queue' then '' when 'group' then w.grp when 'owner' then w.owner else w.key end as subject) s
      where k.rated group by k.queue, k.kind, s.subject
    ) taken join places p using (queue, kind, subject) where p.rated
    on conflict (queue, kind, name) do update set tokens = excluded.tokens, at = excluded.at
  )
  select coalesce(array_agg(p.id), '{}') into allowed from passed p;
  return allowed;
end $function$
;

CREATE OR REPLACE FUNCTION public.drop_event_partition(keep interval)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.drop_snapshot_partitions(keep interval)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  part text;
  dropped integer := 0;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'snapshots'::regclass and c.relname ~ '^snapshots_[0-9]{6}$'
      and (to_date(right(c.relname, 6), 'YYYYMM')::timestamp at time zone 'utc') + interval '1 month' < now() - keep
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $function$
;

CREATE OR REPLACE FUNCTION public.end_wait()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  delete from waits where job = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.give_up_expiry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update jobs set expires_at = null where id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.give_up_unique_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update jobs set unique_key = null where id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.hold_claims(queue text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtextextended('claims ' || queue, 0))
$function$
;

CREATE OR REPLACE FUNCTION public.hold_claims_of_rule()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform hold_claims(coalesce(new.queue, old.queue));
  return coalesce(new, old);
end $function$
;

CREATE OR REPLACE FUNCTION public.make_event_partitions(weeks_ahead integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.make_snapshot_partition(instant timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  month timestamp := date_trunc('month', instant at time zone 'utc');
  part text := 'snapshots_' || to_char(month, 'YYYYMM');
begin
  if to_regclass(part) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('make_snapshot_partition', 0));
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I (like snapshots including defaults)', part);
  execute format('alter table snapshots attach partition %I for values from (%L) to (%L)',
    part, month at time zone 'utc', (month + interval '1 month') at time zone 'utc');
end $function$
;

CREATE OR REPLACE FUNCTION public.note_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  if new.awaited then
    update dependencies set state = new.state where on_job = new.id and state is null;
    insert into due_dependents (job) select job from dependencies where on_job = new.id;
  end if;
  -- its parent; or one that asked for a child and was answered this job
  if new.awaited or new.parent_id is not null then
    insert into wakes (job) select job from waits where child = new.id;
  end if;
  if new.flow_item is not null then
    insert into flow_ends (flow, node, state) values (new.parent_id, new.flow_node, new.state);
  end if;
  if new.queue = 'flows.run' then
    insert into flow_ends (flow, state) values (new.id, new.state);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.raise_limit_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update limit_revision set revision = revision + 1;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.raise_queue_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update queue_revision set revision = revision + 1;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.raise_webhook_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update webhook_revision set revision = revision + 1;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.take_end_back()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into flow_ends (flow, node, state, change) values (new.parent_id, new.flow_node, old.state, -1);
  return null;
end $function$
;

CREATE TRIGGER jobs_end_taken_back AFTER UPDATE OF finished_at ON public.jobs FOR EACH ROW WHEN (((old.finished_at IS NOT NULL) AND (new.finished_at IS NULL) AND (new.flow_item IS NOT NULL))) EXECUTE FUNCTION take_end_back();

CREATE TRIGGER jobs_ended AFTER UPDATE OF finished_at ON public.jobs FOR EACH ROW WHEN (((old.finished_at IS NULL) AND (new.finished_at IS NOT NULL) AND (new.awaited OR (new.parent_id IS NOT NULL) OR (new.flow_item IS NOT NULL) OR (new.queue = 'flows.run'::text)))) EXECUTE FUNCTION note_end();

CREATE TRIGGER jobs_expiry_given_up AFTER UPDATE OF attempt ON public.jobs FOR EACH ROW WHEN (((new.expires_at IS NOT NULL) AND (new.attempt > old.attempt))) EXECUTE FUNCTION give_up_expiry();

CREATE TRIGGER jobs_unique_given_up AFTER UPDATE OF attempt, finished_at, unique_key, unique_while ON public.jobs FOR EACH ROW WHEN (((new.unique_key IS NOT NULL) AND (((new.unique_while = 'queued'::text) AND (new.attempt > 0)) OR ((new.unique_while <> 'forever'::text) AND (new.finished_at IS NOT NULL))))) EXECUTE FUNCTION give_up_unique_key();

CREATE TRIGGER jobs_wait_ended AFTER UPDATE OF state ON public.jobs FOR EACH ROW WHEN (((old.state = 'waiting'::text) AND (new.state <> 'waiting'::text))) EXECUTE FUNCTION end_wait();

CREATE TRIGGER limits_changed AFTER INSERT OR DELETE OR UPDATE ON public.limits FOR EACH STATEMENT EXECUTE FUNCTION raise_limit_revision();

CREATE TRIGGER rule_changed BEFORE INSERT OR DELETE OR UPDATE ON public.queue_rules FOR EACH ROW EXECUTE FUNCTION hold_claims_of_rule();

CREATE TRIGGER queues_changed AFTER INSERT OR DELETE OR UPDATE ON public.queues FOR EACH STATEMENT EXECUTE FUNCTION raise_queue_revision();

CREATE TRIGGER webhook_endpoints_changed AFTER UPDATE OF events, queues, groups, symbols, every_owner, enabled ON public.webhook_endpoints FOR EACH STATEMENT EXECUTE FUNCTION raise_webhook_revision();

CREATE TRIGGER webhook_endpoints_made AFTER INSERT OR DELETE ON public.webhook_endpoints FOR EACH STATEMENT EXECUTE FUNCTION raise_webhook_revision();
