-- Verified humans: who may hold keys that write missions and approve their steps.
-- Safe to run while the previous release serves: yes.

-- Codes that an operator hands to one person each, outside of this system.
create table human_invites (
  id         uuid        primary key,
  -- HMAC-SHA-256 of the code under the pepper, as keys are kept
  hash       bytea       not null unique check (length(hash) = 32),
  -- for whom, in the operator's words
  label      text        not null,
  -- what the human may put into keys, and their row of the rate table
  scopes     text[]      not null,
  tier       text        not null,
  created_by text        not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);

create table humans (
  -- Semaphore nullifier of the account scope, big-endian: the same for every proof that this human makes
  nullifier        bytea       primary key check (length(nullifier) = 32),
  -- Semaphore identity commitment, big-endian; the leaf of the group
  commitment       bytea       not null unique check (length(commitment) = 32),
  -- leaves are in this order; numbers may be missing
  position         integer     not null generated always as identity unique,
  provider         text        not null,
  -- SHA-256 of what the provider knows the human by: one person enrols once with each provider
  provider_subject bytea       check (length(provider_subject) = 32),
  assurance        text        not null check (assurance in ('enrolled', 'unique')),
  invite_id        uuid        references human_invites,
  scopes           text[]      not null,
  tier             text        not null,
  -- the World ID session opened at enrolment: proving it again shows that this human is there
  world_id_session text        check (world_id_session ~ '^session_[0-9a-f]{128}$'),
  created_at       timestamptz not null default now(),
  -- set when the human is removed: no key and no proof of theirs counts any more
  revoked_at       timestamptz,
  unique (provider, provider_subject),
  check ((provider = 'world-id') = (world_id_session is not null))
);

-- Session proofs of World ID that were used: its portal confirms one as often as it is asked.
create table human_session_proofs (
  -- both elements of session_nullifier, big-endian
  nullifier bytea       not null check (length(nullifier) = 32),
  action    bytea       not null check (length(action) = 32),
  used_at   timestamptz not null default now(),
  primary key (nullifier, action)
);

-- Roots of the group of humans that are not revoked. Proofs are made against the root of a moment ago, so old ones count
-- for a while; a removal deletes them all.
create table human_roots (
  root  bytea       primary key check (length(root) = 32),
  since timestamptz not null default now(),
  -- when another root took its place; null for the one that holds
  until timestamptz
);

create table human_challenges (
  id         uuid        primary key,
  purpose    text        not null check (purpose in ('enrol', 'key', 'step', 'approval', 'person')),
  -- what is proven over: SHA-256 of the purpose's prefix and the canonical JSON of the body
  message    bytea       not null check (length(message) = 32),
  body       jsonb       not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);

-- Which challenges may be forgotten?
create index human_challenges_expired on human_challenges (expires_at);

-- Minted by a proof of personhood, not by another key or an operator.
alter table keys add column created_by_proof boolean not null default false;

-- Which keys fall with a human?
create index keys_human on keys (human_id) where human_id is not null;
