-- Jobs of any queue that wait for a decision, or run under a reservation.
-- Safe to run while the previous release serves: yes; it submits none of them, and leaves those that are there alone.

alter table jobs
  -- Decision and money that it runs under, as its contract and its submission have it; null: none
  add column terms jsonb,
  -- What of that is to be done next; null: nothing
  add column gate text check (gate in ('ask', 'asked', 'reserve', 'reserved', 'end'));

-- Which jobs wait for us?
create index jobs_gate on jobs (id) where gate in ('ask', 'reserve', 'end');
-- Whose reservation is to be settled, whose decision is needed no more?
create index jobs_gate_over on jobs (id) where gate in ('asked', 'reserved') and finished_at is not null;

-- What an effect has cost, as its worker says: millionths of a dollar; null: it has not said
alter table effects
  add column cost bigint check (cost >= 0),
  -- claims that have meant it; none of a job that ran here, or before this release
  add column claim_tokens uuid[] not null default '{}';

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in ('render', 'publish', 'job'));
