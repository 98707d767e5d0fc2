-- Files that clients of the platform bring, and those that it writes for them.
-- Safe to run while the previous release serves: yes.

-- The bytes lie in the artefact storage under their SHA-256, beside those of assets; the same content is kept once.
create table files (
  id         uuid        primary key,
  owner      text        not null,
  name       text        not null,
  purpose    text        not null,
  media_type text        not null,
  sha256     bytea       not null check (length(sha256) = 32),
  size       bigint      not null,
  created_at timestamptz not null default now(),
  -- then the row goes, and the bytes unless something else needs them
  expires_at timestamptz not null
);

-- Whose files, newest first?
create index files_owner on files (owner, id);
-- Are these bytes still anybody's?
create index files_content on files (sha256);
-- Which are past their time?
create index files_age on files (expires_at);
