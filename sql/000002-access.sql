-- Who may call: keys, stored as HMAC so that a stolen table cannot even confirm a guessed key.
-- Safe to run while the previous release serves: yes.

create table keys (
  id             uuid        primary key,
  owner          text        not null,
  name           text        not null,
  -- HMAC-SHA-256 of the whole key under the pepper of that version; the key itself is nowhere
  hash           bytea       not null unique check (length(hash) = 32),
  pepper_version smallint    not null,
  -- first and last four characters behind the prefix, so that people can tell their keys apart
  start          text        not null,
  last4          text        not null,
  scopes         text[]      not null,
  -- CIDR ranges the key may be used from; none means anywhere
  allowed_ips    text[]      not null default '{}',
  tier           text        not null default 'standard',
  operator       boolean     not null default false,
  -- the verified human behind the key, where that is proven
  human_id       text,
  expires_at     timestamptz,
  revoked_at     timestamptz,
  last_used_at   timestamptz,
  created_at     timestamptz not null default now()
);

-- Whose keys, in order of creation?
create index keys_owner on keys (owner, id);
