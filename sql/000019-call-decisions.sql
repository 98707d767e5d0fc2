-- Every decision about a call of a provider whose outcome was unknown, so that one that replaces another hides nothing.
-- Safe to run while the previous release serves: yes; decisions that it makes leave a line in its log alone.

-- Kept as long as the call.
create table provider_call_decisions (
  id         uuid        primary key,
  job        uuid        not null,
  provider   text        not null,
  at         timestamptz not null default now(),
  decision   text        not null check (decision in ('written_off', 'billed')),
  -- what the call counts as since then, in millionths of a dollar
  cost       bigint      not null,
  -- an owner, or the rule
  decided_by text        not null,
  -- in their words
  why        text,
  request_id text,
  foreign key (job, provider) references provider_calls on delete cascade
);

-- What was decided about a call, in order?
create index provider_call_decisions_call on provider_call_decisions (job, provider, at, id);

-- the decisions that count now; those they replaced are in logs
insert into provider_call_decisions (id, job, provider, at, decision, cost, decided_by, why)
select gen_random_uuid(), job, provider, ended_at, case state when 'settled' then 'billed' else 'written_off' end,
  coalesce(cost, 0), decided_by, decided_why
from provider_calls where decided_by is not null and state in ('settled', 'released') and ended_at is not null;
