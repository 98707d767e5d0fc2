-- Who became an operator without an identity provider: each link that was made, each that was used, each operator removed.
-- Safe to run while the previous release serves: yes; links that it makes and takes leave a line in its log alone.

-- Kept for good: they are few, and say who may do everything.
create table operator_changes (
  id         uuid        primary key,
  at         timestamptz not null default now(),
  -- the address that the link is for
  email      text        not null,
  action     text        not null check (action in ('link_made', 'link_used', 'removed')),
  -- where it was done: `cli <user>@<host>`, `browser <address>`
  changed_by text        not null,
  request_id text
);

-- What happened last?
create index operator_changes_at on operator_changes (at, id);
