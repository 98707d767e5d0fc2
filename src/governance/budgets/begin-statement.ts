import type { Statement } from '#src/system/statements.ts';

/**
 * In one statement, so that all jobs of a moment cost one commit: each as running at its first attempt, the two events
 * that say so, the intent of its first effect, and the reservation of what that was quoted at, with the event for its
 * owner. All of a job, or nothing of it.
 *
 * `uptos` are what a job and those before it in the batch want of each of its budgets. A job that is refused counts there
 * too, so that one after it may be refused without need; none passes a ceiling.
 *
 * Locks in the order in which `reserve` does: budgets by id, the owners' streams last.
 */
export const beginPaidJobs: Statement = {
  name: 'begin-paid-jobs',
  text: `
    with given as materialized (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int2[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::uuid[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::uuid[], $15::text[], $16::text[],
        $17::text[], $18::text[], $19::int8[], $20::text[]) with ordinality
        as g (id, owner, queue, priority, payload, request_hash, idempotency_key, trace, worker, token, effect, effect_hash,
          provider, key_id, surface, capability, budgets, uptos, quoted, data, place)
    ), locked as materialized (
      select id, ceiling, reserved, spent from budgets where id = any($21::text[]) order by id for update
    ), judged as materialized (
      select g.*,
        not exists (
          select from unnest(g.budgets::text[], g.uptos::int8[]) as s (id, upto) left join locked l on l.id = s.id
          where l.id is null or (g.quoted > 0 and l.ceiling is not null and l.reserved + l.spent + s.upto > l.ceiling)
        ) as fits,
        exists (select from workers w where w.id = g.worker) as alive,
        exists (select from queue_pauses p where p.queue = g.queue) as paused
      from given g
    ), job as (
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, idempotency_key, trace, worker_id,
        claim_token, attempt, events, started_at)
      select id, owner, queue, 'running', priority, payload::jsonb, decode(request_hash, 'hex'), idempotency_key, trace,
        worker, token, 1, 2, now()
      from judged where fits and alive and not paused
      on conflict do nothing
      returning id
    ), begun as materialized (
      select g.*, row_number() over (partition by owner order by place) as nth from given g join job using (id)
    ), told as (
      insert into events (job, n, type, data)
      select id, 1, 'queued', jsonb_build_object('queue', queue) from begun
      union all
      select id, 2, 'started', jsonb_build_object('attempt', 1, 'worker', worker) from begun
    ), intent as (
      insert into effects (job, effect, request_hash, state, attempt)
      select id, effect, decode(effect_hash, 'hex'), 'intended', 1 from begun
    ), called as (
      insert into provider_calls (job, provider, owner, key_id, surface, capability, budgets, quoted, state)
      select id, provider, owner, key_id, surface, capability, budgets::text[], quoted, 'reserved' from begun
    ), sums as materialized (
      select b as id, sum(quoted) as quoted from begun cross join lateral unnest(budgets::text[]) b group by b
    ), taken as (
      update budgets b set reserved = b.reserved + s.quoted, updated_at = now() from sums s where b.id = s.id
    ), feeds as materialized (
      select owner, count(*)::int as many from begun group by owner order by owner
    ), next as (
      insert into owner_feeds as f (owner, n) select owner, many from feeds order by owner
      on conflict (owner) do update set n = f.n + excluded.n returning owner, n
    ), noted as (
      insert into owner_events (owner, n, type, data)
      select owner, next.n - many + nth, 'spend.reserved', data::jsonb from begun join feeds using (owner) join next using (owner)
      returning n, at
    )
    select g.place::int4, g.fits, g.alive, g.paused, (next.n - f.many + b.nth)::int4, (select max(at) from noted),
      case when g.place = 1 then (select json_agg(locked) from locked) end, (select epoch from relay)
    from judged g left join begun b using (place) left join feeds f on f.owner = b.owner left join next on next.owner = b.owner`,
};

/** Finds jobs of an earlier try that got through and whose answer was lost. */
export const findPaidJobs: Statement = {
  name: 'find-paid-jobs',
  text: `
    select j.id from unnest($1::uuid[], $2::uuid[]) as g (id, token) join jobs j on j.id = g.id and j.claim_token = g.token`,
};
