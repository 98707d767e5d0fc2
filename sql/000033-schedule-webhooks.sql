-- Receivers of the ends of the jobs of a schedule, and very many schedules that are due in the same second; how many an owner may have.
-- Safe to run while the previous release serves: yes; it leaves receivers out.

alter table schedules
  -- endpoint that is notified; null for none, and once it was removed
  add column receiver uuid references webhook_endpoints on delete set null;

-- Of which endpoint? Asked when one is removed.
create index schedules_receiver on schedules (receiver) where receiver is not null;

-- What is due, page by page?
drop index schedules_due;
create index schedules_due on schedules (next_at, owner, name) where next_at is not null and not paused;

alter table limits drop constraint limits_kind_check;
alter table limits add constraint limits_kind_check
  check (kind in ('queue_depth', 'requests_per_minute', 'requests_per_day', 'schedules'));
