-- Receipts of any job: sealed at its end where its contract or its submission asks for one.
-- Safe to run while the previous release serves: yes; its jobs ask for none.

alter table jobs
  -- null: none is asked for
  add column receipt text check (receipt in ('wanted', 'sealed'));

-- What is to be sealed?
create index jobs_unsealed on jobs (finished_at) where receipt = 'wanted' and finished_at is not null;
