-- What operators do to queues, and what their figures are read by.
-- Safe to run while the previous release serves: yes, but its workers start jobs of paused queues.

-- A queue whose jobs wait: accepted as ever, and started by nobody. The broker is told of it, and told again whenever it
-- forgets; what it delivers meanwhile is refused by the claim, which reads this.
create table queue_pauses (
  queue     text        primary key,
  paused_at timestamptz not null default now(),
  -- owner of the key or session that asked for it
  paused_by text        not null,
  reason    text
);

-- How many wait for a decision?
create index jobs_awaiting on jobs (queue) where state = 'awaiting_approval';
-- What did this job ask for?
create index jobs_parent on jobs (parent_id, id) where parent_id is not null;
