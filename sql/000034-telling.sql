-- Secrets of webhooks outlive a change of KEY_PEPPER; deliveries know when what they tell happened; stream tokens know their
-- maker's role.
-- Safe to run while the previous release serves: yes; it derives the same secrets, and leaves the time to the default.

-- Secrets that messages are signed with, sealed under KEY_PEPPER. A secret is derived from the pepper of its first use, and
-- stays the same under another one.
create table webhook_secrets (
  -- `owner:…`, or `endpoint:<id>.<version>`
  name       text        primary key,
  -- AES-256-GCM: nonce, tag, 32 bytes
  sealed     bytea       not null check (length(sealed) = 60),
  -- names the pepper that it is sealed under
  pepper     text        not null,
  created_at timestamptz not null default now()
);

-- Which are sealed under another pepper than the present one?
create index webhook_secrets_pepper on webhook_secrets (pepper);

-- When the event happened: the time to its receiver is counted from then.
alter table webhook_deliveries add column happened_at timestamptz not null default now();

-- Deliveries that one job sends; null for those that wait.
alter table webhook_deliveries add column batch uuid;

-- It opens what another owner's stream tells: it ends with the maker's role.
alter table stream_tokens add column as_operator boolean not null default false;

-- Who fails, and since when?
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where failing_since is not null and enabled;
