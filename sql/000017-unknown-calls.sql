-- Calls of providers whose outcome nobody knows: how much is held for each, and who decided about it in the end.
-- Safe to run while the previous release serves: yes. It gives a hold back in full where this one has made it smaller, so
-- a call that became unknown here and is settled there lowers what its budgets have reserved too far: stop the old
-- processes before providers fail in numbers, not after.

-- millionths of a dollar that its budgets have reserved for it; null: what it was quoted at
alter table provider_calls add column held bigint;
-- who billed it or wrote it off, where no provider has said what it cost: an owner, or the rule
alter table provider_calls add column decided_by text;
-- in their words
alter table provider_calls add column decided_why text;

-- Which calls are unknown, the longest first?
create index provider_calls_unknown on provider_calls (ended_at, job, provider) where state = 'unknown';
-- What was decided lately?
create index provider_calls_decided on provider_calls (ended_at, job, provider) where decided_by is not null;
