-- Actions on many jobs at once: what was previewed, and how far it is carried out.
-- Safe to run while the previous release serves: yes; it knows none of them.

create table job_actions (
  -- the caller's token as well: nothing of it can be guessed
  id         uuid        primary key,
  owner      text        not null,
  -- key or person who previewed it: nobody else can begin it
  made_by    text        not null,
  action     text        not null check (action in ('cancel', 'redrive', 'expire', 'reprioritise')),
  -- new priority of the jobs; null for other actions
  priority   smallint,
  -- selection as it was resolved: each job has to fit it still when its turn comes
  selection  jsonb       not null,
  jobs       integer     not null,
  expires_at timestamptz not null,
  -- null: previewed, and not begun
  begun_at   timestamptz,
  made_at    timestamptz not null default now(),
  -- number of jobs that are over, written in the transaction that moves them
  position   integer     not null default 0,
  done       integer     not null default 0,
  -- counts by why
  skipped    jsonb       not null default '{}',
  failed     jsonb       not null default '{}',
  -- first jobs that could not be moved, each with why
  failures   jsonb       not null default '[]',
  check ((action = 'reprioritise') = (priority is not null))
);

-- Which were never begun, and whose are they?
create index job_actions_open on job_actions (owner, made_at) where begun_at is null;
-- Which are old enough to be forgotten?
create index job_actions_made on job_actions (made_at);

-- The jobs of an action in the order of their ids, some hundreds a row.
create table job_action_parts (
  action uuid    not null references job_actions (id) on delete cascade,
  n      integer not null,
  jobs   uuid[]  not null,
  primary key (action, n)
);
