-- Rates by a clock that went back: time that has passed is never less than none, so that a bucket ahead of the clock keeps
-- what it has left and counts from the next claim on. Keys under which a job was replaced before: the request of each is
-- answered with that job when it is repeated, for as long as the job is kept.
-- Safe to run while the previous release serves: yes; it asks the same function, and remembers no key.

create table former_keys (
  owner        text        not null,
  key          text        not null,
  job          uuid        not null references jobs (id) on delete cascade,
  request_hash bytea       not null,
  at           timestamptz not null default now(),
  primary key (owner, key)
);

-- Which are those of a job, the newest first?
create index former_keys_job on former_keys (job, at);

-- Those of these jobs that the rules let a worker claim now: asked for by the claim itself, which holds back other claims of
-- their queue until it commits, so that no two count the same free place. A limit may be reached late, and is never passed:
-- what one rule lets by and the next refuses still counts for the first in this claim. A job is bound by its queue, its
-- group, its owner and the key that submitted it; of two rules of a kind the one with a name counts.
-- The state of a queue changes faster than its statistics: the settings have every look go by an index. What was read so is
-- joined by hashes, whatever the session of the claim forbids itself: a batch of 200 beside 300 jobs that run takes 6 ms of
-- processor time then, and 20 without.
create or replace function allowed_claims(ids uuid[]) returns uuid[] language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = on set plan_cache_mode = force_generic_plan as $$
declare
  allowed uuid[];
begin
  perform hold_claims(limited.queue) from (
    select q.queue from (select distinct j.queue from jobs j where j.id = any(ids) union all select '*') q
    where exists (select from queue_rules r where r.limits and r.queue = q.queue) order by q.queue
  ) limited;
  with moment as materialized (
    select clock_timestamp() as at
  ), wanted as materialized (
    select j.id, j.queue, j.owner, j.key_id::text as key, coalesce(j.group_key, j.owner) as grp, j.run_at
    from jobs j where j.id = any(ids) and j.state = 'queued' and not j.held
  ), kinds as materialized (
    select r.queue, r.kind, bool_or(r.concurrency is not null) as counts, bool_or(r.rate is not null) as rated
    from queue_rules r where r.limits and (r.queue = '*' or r.queue in (select w.queue from wanted w)) group by r.queue, r.kind
  ), every as materialized (
    select r.* from queue_rules r where r.name = '*' and (r.queue = '*' or r.queue in (select w.queue from wanted w))
  ), asked as materialized (
    select k.queue, k.kind, s.subject, count(*) as jobs
    from kinds k join wanted w on k.queue = '*' or k.queue = w.queue
    cross join lateral (select case k.kind when 'queue' then '' when 'group' then w.grp when 'owner' then w.owner else w.key end as subject) s
    -- a job that no key submitted is bound by none
    where s.subject is not null group by k.queue, k.kind, s.subject
  ), running as materialized (
    select k.queue, k.kind, s.subject, sum(w.jobs) as jobs
    from (
      select j.queue, j.owner, j.key_id::text as key, coalesce(j.group_key, j.owner) as grp, count(*) as jobs
      from jobs j where j.state = 'running' and exists (select from kinds where counts) group by 1, 2, 3, 4
    ) w join kinds k on k.counts and (k.queue = '*' or k.queue = w.queue)
    cross join lateral (select case k.kind when 'queue' then '' when 'group' then w.grp when 'owner' then w.owner else w.key end as subject) s
    group by k.queue, k.kind, s.subject
  ), bound as materialized (
    select a.*, r.rate is not null as rated, case when r.paused then 0 end as paused, r.concurrency - coalesce(n.jobs, 0) as free,
      case when r.rate is not null then
        least(r.rate, coalesce(
          t.tokens + greatest(0, extract(epoch from (select at from moment) - t.at)) * 1000 * r.rate / r.rate_ms, r.rate))
      end as tokens
    from asked a
    left join queue_rules own on own.queue = a.queue and own.kind = a.kind and own.name = a.subject
    left join every on every.queue = a.queue and every.kind = a.kind and own.queue is null
    cross join lateral (
      select coalesce(own.limits, every.limits) as limits, coalesce(own.paused, every.paused) as paused,
        coalesce(own.concurrency, every.concurrency) as concurrency, coalesce(own.rate, every.rate) as rate,
        coalesce(own.rate_ms, every.rate_ms) as rate_ms
    ) r
    left join running n on n.queue = a.queue and n.kind = a.kind and n.subject = a.subject
    left join rate_buckets t on t.queue = a.queue and t.kind = a.kind and t.name = a.subject
    where r.limits
  ), places as materialized (
    select b.*, least(b.paused, b.free, floor(b.tokens)) as places from bound b
  ), tight as materialized (
    select exists (select from places p where p.jobs > p.places) as yes
  -- the narrowest first: what an owner may not run takes no place of its queue
  ), by_key as (
    select w.id, w.queue, w.owner, w.grp, w.run_at from (
      select w.*, row_number() over (partition by w.queue, w.key order by w.run_at, w.id) as own,
        row_number() over (partition by w.key order by w.run_at, w.id) as every
      from wanted w where (select t.yes from tight t)
    ) w
    left join places o on o.queue = w.queue and o.kind = 'key' and o.subject = w.key
    left join places e on e.queue = '*' and e.kind = 'key' and e.subject = w.key
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), by_owner as (
    select w.id, w.queue, w.owner, w.grp, w.run_at from (
      select w.*, row_number() over (partition by w.queue, w.owner order by w.run_at, w.id) as own,
        row_number() over (partition by w.owner order by w.run_at, w.id) as every
      from by_key w
    ) w
    left join places o on o.queue = w.queue and o.kind = 'owner' and o.subject = w.owner
    left join places e on e.queue = '*' and e.kind = 'owner' and e.subject = w.owner
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), by_group as (
    select w.id, w.queue, w.owner, w.grp, w.run_at from (
      select w.*, row_number() over (partition by w.queue, w.grp order by w.run_at, w.id) as own,
        row_number() over (partition by w.grp order by w.run_at, w.id) as every
      from by_owner w
    ) w
    left join places o on o.queue = w.queue and o.kind = 'group' and o.subject = w.grp
    left join places e on e.queue = '*' and e.kind = 'group' and e.subject = w.grp
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), by_queue as (
    select w.id from (
      select w.*, row_number() over (partition by w.queue order by w.run_at, w.id) as own,
        row_number() over (order by w.run_at, w.id) as every
      from by_group w
    ) w
    left join places o on o.queue = w.queue and o.kind = 'queue'
    left join places e on e.queue = '*' and e.kind = 'queue'
    where (w.own <= o.places) is not false and (w.every <= e.places) is not false
  ), passed as materialized (
    select w.id from wanted w where not (select t.yes from tight t)
    union all
    select q.id from by_queue q
  ), spent as (
    insert into rate_buckets as t (queue, kind, name, tokens, at)
    select p.queue, p.kind, p.subject, p.tokens - taken.jobs, (select at from moment)
    from (
      select k.queue, k.kind, s.subject, count(*) as jobs
      from kinds k join wanted w on k.queue = '*' or k.queue = w.queue join passed using (id)
      cross join lateral (select case k.kind when 'queue' then '' when 'group' then w.grp when 'owner' then w.owner else w.key end as subject) s
      where k.rated group by k.queue, k.kind, s.subject
    ) taken join places p using (queue, kind, subject) where p.rated
    on conflict (queue, kind, name) do update set tokens = excluded.tokens, at = excluded.at
  )
  select coalesce(array_agg(p.id), '{}') into allowed from passed p;
  return allowed;
end $$;
