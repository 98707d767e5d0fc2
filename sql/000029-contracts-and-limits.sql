-- Contracts as jobs were accepted under them, the key that pays for a job, and limits of callers as rows.
-- Safe to run while the previous release serves: yes; its jobs have neither contract nor key, and it goes by its settings.

alter table jobs
  -- SHA-256 of the contract it was accepted under, in its canonical form; null: it asks for no receipt, or is older
  add column contract text,
  -- Key that submitted it, and pays for its children; null: a session, or it is older
  add column key_id uuid;

-- The exact text behind each of those digests: a contract may be changed within its version.
create table contract_texts (
  queue    text        not null,
  version  integer     not null,
  digest   text        not null,
  contract jsonb       not null,
  kept_at  timestamptz not null default now(),
  primary key (queue, version, digest)
);

-- How much a caller may: what is not here is as the settings say.
create table limits (
  kind    text        not null check (kind in ('queue_depth', 'requests_per_minute', 'requests_per_day')),
  -- whose: of a key, of all callers of an owner, of all keys of a tier, of everybody
  scope   text        not null check (scope in ('key', 'owner', 'plan', 'default')),
  -- id of the key, the owner, the tier; empty for everybody
  subject text        not null,
  most    bigint      not null check (most between 0 and 10000000000),
  set_by  text        not null,
  set_at  timestamptz not null default now(),
  primary key (kind, scope, subject),
  check ((scope = 'default') = (subject = ''))
);

-- Rises with every change of a limit: what each process asks for every second.
create table limit_revision (
  only_one boolean primary key default true check (only_one),
  revision bigint  not null
);
insert into limit_revision (revision) values (1);

create function raise_limit_revision() returns trigger language plpgsql as $$
begin
  update limit_revision set revision = revision + 1;
  return null;
end $$;

create trigger limits_changed after insert or update or delete on limits
  for each statement execute function raise_limit_revision();
