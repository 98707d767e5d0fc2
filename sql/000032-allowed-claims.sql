-- What do the rules let a worker claim?
-- Safe to run while the previous release serves: yes; it asks for none of this.

-- Claims that a rate allows now: as many as in its period at first, and as time gives them back.
create function rate_tokens(rate integer, rate_ms integer, tokens double precision, at timestamptz) returns double precision
language sql volatile as $$
  select least(rate, coalesce(tokens + extract(epoch from clock_timestamp() - at) * 1000 * rate / rate_ms, rate))
$$;

-- The limiting rules of these jobs, and what each counts them by: a job is bound by its queue, its group, its owner and
-- the key that submitted it; of two rules of a kind the one with a name counts.
create function binding_rules(ids uuid[]) returns table (
  id uuid, place bigint, queue text, kind text, subject text, concurrency integer, rate integer, rate_ms integer, paused boolean
) language sql stable as $$
  select w.id, w.place, r.queue, r.kind, r.subject, r.concurrency, r.rate, r.rate_ms, r.paused
  from (
    select j.id, j.queue, j.owner, j.key_id::text as key, coalesce(j.group_key, j.owner) as grp, row_number() over (order by j.run_at, j.id) as place
    from jobs j where j.id = any(ids) and j.state = 'queued' and not j.held
  ) w cross join lateral (
    select distinct on (r.queue, r.kind) r.*, s.subject
    from queue_rules r cross join lateral (
      select case r.kind when 'queue' then '' when 'group' then w.grp when 'owner' then w.owner else w.key end as subject
    ) s
    -- a job that no key submitted is bound by none
    where (r.queue = w.queue or r.queue = '*') and s.subject is not null and r.name in (s.subject, '*')
    order by r.queue, r.kind, r.name = '*'
  ) r where r.limits
$$;

-- Those of these jobs that the rules let a worker claim now: asked for by the claim itself, which holds the rules that bind
-- until it commits, so that no two claims count the same free place. A limit may be reached late, and is never passed: what
-- one rule lets by and the next refuses still counts for the first in this claim.
create function allowed_claims(ids uuid[]) returns uuid[] language plpgsql volatile as $$
declare
  allowed uuid[] := ids;
  by_kind text;
begin
  perform from queue_rules r
    where r.limits and (r.queue = '*' or r.queue in (select j.queue from jobs j where j.id = any(ids)))
    order by r.queue, r.kind, r.name for update;
  -- the narrowest first: what an owner may not run takes no place of its queue
  foreach by_kind in array array['key', 'owner', 'group', 'queue'] loop
    with bound as materialized (
      select * from binding_rules(allowed) b where b.kind = by_kind
    ), running as materialized (
      select b.queue, b.subject, count(j.id) as jobs
      from (select distinct queue, subject from bound where concurrency is not null) b
      left join jobs j on j.state = 'running' and (b.queue = '*' or j.queue = b.queue)
        and case by_kind when 'queue' then true when 'group' then coalesce(j.group_key, j.owner) = b.subject
          when 'owner' then j.owner = b.subject else j.key_id::text = b.subject end
      group by b.queue, b.subject
    ), placed as (
      select b.*, row_number() over (partition by b.queue, b.subject order by b.place) as nth, coalesce(r.jobs, 0) as ran,
        rate_tokens(b.rate, b.rate_ms, t.tokens, t.at) as tokens
      from bound b left join running r using (queue, subject)
      left join rate_buckets t on t.queue = b.queue and t.kind = b.kind and t.name = b.subject
    )
    select coalesce(array_agg(a.id), '{}') into allowed from unnest(allowed) as a (id)
    where not exists (
      select from placed p where p.id = a.id and (p.paused or p.ran + p.nth > p.concurrency or p.nth > p.tokens)
    );
  end loop;
  insert into rate_buckets as t (queue, kind, name, tokens, at)
  select b.queue, b.kind, b.subject, max(rate_tokens(b.rate, b.rate_ms, t.tokens, t.at)) - count(*), clock_timestamp()
  from binding_rules(allowed) b
  left join rate_buckets t on t.queue = b.queue and t.kind = b.kind and t.name = b.subject
  where b.rate is not null group by b.queue, b.kind, b.subject
  on conflict (queue, kind, name) do update set tokens = excluded.tokens, at = excluded.at;
  return allowed;
end $$;
