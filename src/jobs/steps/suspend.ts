import { moves } from '#src/jobs/model/states.ts';
import { LONGEST_WAIT_MS, MOST_JOB_BYTES, MOST_STEPS } from '#src/jobs/model/step-bounds.ts';
import { wakeNow } from '#src/jobs/wake/wake.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { canHold, checkName, checkPlace, type Fence, isJobId, type Stale, stale } from './fence.ts';
import { beyond } from './keep-step.ts';

/** The event that ends a wait. `name` is that of the step which this end becomes. */
export type WaitFor =
  | { readonly kind: 'sleep'; readonly name: string; readonly until: Date }
  /** The name is that of the signal as well; without a timeout it waits until it is cancelled. */
  | { readonly kind: 'signal'; readonly name: string; readonly timeoutMs?: number }
  /** The end of a job that this job has submitted. */
  | { readonly kind: 'result'; readonly name: string; readonly child: string };

export interface Wait {
  readonly on: WaitFor;
  /** Number of steps that had ended when the wait began. */
  readonly after: number;
}

export type Suspended = { readonly status: 'suspended' } | Stale;

interface Written extends Fence {
  readonly after: number;
  readonly kind: WaitFor['kind'];
  readonly name: string;
  readonly child: string | null;
  readonly until: string | null;
  readonly timeoutMs: number | null;
}

type Outcome = 'waiting' | 'many' | 'large' | 'taken' | 'no_child';
type Row = readonly [place: number, outcome: Outcome, isOver: boolean, queue: string];
type Answer = { readonly outcome: Outcome; readonly isOver: boolean } | null;

/**
 * Settles to `waiting`, with the wait in a row of its own. No end of it is missed: what came before the lock shows in
 * the locked rows, of the job (signals) and of the child (its end), and leaves a row in `wakes`; what comes after sees
 * the wait. The children are locked among the jobs, all in id order: see the claim.
 */
export const suspendJobs: Statement = {
  name: 'suspend-jobs',
  text: `
    with given as materialized (
      select *, '${moves.suspend.from[0]}' as was
      from unnest($1::int4[], $2::uuid[], $3::int4[], $4::uuid[], $5::int4[], $6::text[], $7::text[], $8::uuid[], $9::timestamptz[], $10::float8[])
        as g (place, job, attempt, token, after, kind, name, child, until, timeout_ms)
    ), rows as materialized (
      select place, job as id, attempt, token, was, null::uuid as parent from given
      union all
      select place, child, null, null, null, job from given where child is not null
      order by id
    ), locked as materialized (
      select r.place, r.parent is null as is_own, l.* from rows r cross join lateral (
        select j.owner, j.queue, j.steps, j.step_bytes, j.signals, j.finished_at from jobs j
        where j.id = r.id and case when r.parent is null
          then j.attempt = r.attempt and j.claim_token = r.token and j.state is not distinct from r.was
          else j.parent_id = r.parent or exists (
            -- another's job, which holds the unique key that a child was to have
            select from steps s where s.job = r.parent and s.kind = 'child' and s.value->>'job' = j.id::text) end
        for update
      ) l
    ), fit as materialized (
      select g.*, o.owner, o.queue, coalesce(g.until, now() + g.timeout_ms * interval '1 ms') as wake_at,
        c.finished_at is not null or g.kind = 'signal' and o.signals > 0 as is_noted,
        case when o.steps >= ${MOST_STEPS} then 'many' when o.step_bytes >= ${MOST_JOB_BYTES} then 'large'
          when k.job is not null then 'taken'
          when g.child is not null and c.place is null then 'no_child' else '${moves.suspend.to}' end as outcome
      from given g join locked o on o.place = g.place and o.is_own left join locked c on c.place = g.place and not c.is_own
      left join lateral (select s.job from steps s where s.job = g.job and s.name = g.name limit 1) k on true
    ), suspended as (
      update jobs j set state = f.outcome, events = j.events + 1, worker_id = null
      from fit f where j.id = f.job and f.outcome = '${moves.suspend.to}'
      returning j.id, j.events, f.attempt, f.kind, f.name, f.after, f.child, f.wake_at, f.owner, f.queue, f.is_noted
    ), waited as (
      insert into waits (job, attempt, kind, name, after, child, wake_at, owner, queue)
      select id, attempt, kind, name, after, child, wake_at, owner, queue from suspended
    ), noted as (
      insert into wakes (job) select id from suspended where is_noted
    ), told as (
      insert into events (job, n, type, data)
      select id, events, 'waiting', jsonb_build_object('attempt', attempt, 'on', jsonb_strip_nulls(jsonb_build_object(
        'kind', kind, 'name', name, 'child', child,
        'until', to_char(wake_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
      from suspended
    )
    select place, outcome, is_noted or coalesce(wake_at <= now(), false), queue from fit`,
};

/** Finds the same suspensions of an earlier try, whatever has become of the job since: the ledger has them. */
export const findSuspended: Statement = {
  name: 'find-suspended-jobs',
  text: `
    select g.place from unnest($1::int4[], $2::uuid[], $3::int4[], $4::text[], $5::text[], $6::text[])
      as g (place, job, attempt, kind, name, child)
    where exists (
      select from events e where e.job = g.job and e.type = 'waiting' and e.data->>'attempt' = g.attempt::text
        and e.data->'on'->>'kind' = g.kind and e.data->'on'->>'name' = g.name
        and e.data->'on'->>'child' is not distinct from g.child
    )`,
};

const suspending = perContext((context: Context) => {
  const count = context.metrics.proofline_jobs_suspended_total;
  return batched<Written, Answer>(context, {
    // a few leases: by then others run the job, and the suspension would be late
    patienceMs: context.config.LEASE_MS * 4,
    refuse: ({ job, name }, cause) =>
      new AppError(
        'invalid_request',
        `The job cannot wait for ${name}: expected a time that Postgres has.`,
        { job },
        cause,
      ),
    run: async (waits) => {
      const send = openStatements(context);
      const rows = await send<Row>(suspendJobs, valuesOf(waits));
      const answers = new Map<number, Answer>();
      for (const [place, outcome, isOver, queue] of rows) {
        answers.set(place, { outcome, isOver });
        if (outcome === 'waiting') count.inc({ queue, on: waits[place]!.kind });
      }
      const rest = waits.flatMap((wait, place) => (answers.has(place) ? [] : [{ ...wait, place }]));
      if (rest.length > 0)
        for (const [place] of await send<readonly [number]>(findSuspended, [
          plainArray(rest.map((wait) => wait.place)),
          plainArray(rest.map(({ job }) => job)),
          plainArray(rest.map(({ attempt }) => attempt)),
          plainArray(rest.map(({ kind }) => kind)),
          textArray(rest.map(({ name }) => name)),
          textArray(rest.map(({ child }) => child)),
        ]))
          answers.set(place, { outcome: 'waiting', isOver: false });
      return waits.map((_, place) => answers.get(place) ?? null);
    },
  });
});

function valuesOf(waits: readonly Written[]) {
  return [
    plainArray(waits.map((_, place) => place)),
    plainArray(waits.map(({ job }) => job)),
    plainArray(waits.map(({ attempt }) => attempt)),
    plainArray(waits.map(({ token }) => token)),
    plainArray(waits.map(({ after }) => after)),
    plainArray(waits.map(({ kind }) => kind)),
    textArray(waits.map(({ name }) => name)),
    plainArray(waits.map(({ child }) => child)),
    textArray(waits.map(({ until }) => until)),
    plainArray(waits.map(({ timeoutMs }) => timeoutMs)),
  ];
}

/**
 * Ends the attempt and lets the job wait: it holds no process and no lease, and comes back into its queue with one more
 * step once its time has come, the signal is there, or the child has ended. Where that is so already, it comes back at
 * once. A suspension that is repeated after a lost answer is answered as the first time.
 *
 * @returns `stale` where the fence no longer holds
 * @throws AppError `too_many_steps`, `state_conflict` where a step has the name already, `not_found` for a child that is
 *   none of the job, `invalid_request` for a name, a place or a time that cannot be, `unavailable` while Postgres is
 *   away.
 */
export async function suspend(context: Context, fence: Fence, { on, after }: Wait): Promise<Suspended> {
  checkName('step', on.name);
  checkPlace(after);
  checkTime(on);
  if (!canHold(fence)) return stale;
  const { job, attempt, token } = fence;
  const child = on.kind === 'result' ? on.child : null;
  if (child !== null && !isJobId(child)) throw noChild(job, child);
  const answer = await suspending(context)({
    job,
    attempt,
    token,
    after,
    kind: on.kind,
    name: on.name,
    child,
    until: on.kind === 'sleep' ? on.until.toISOString() : null,
    timeoutMs: on.kind === 'signal' ? (on.timeoutMs ?? null) : null,
  });
  if (answer === null) return stale;
  const { outcome, isOver } = answer;
  if (outcome === 'many' || outcome === 'large') throw beyond(job, outcome);
  if (outcome === 'taken') throw taken(job, on.name);
  if (outcome === 'no_child') throw noChild(job, child ?? '');
  if (isOver) await wakeNow(context, job);
  return { status: 'suspended' };
}

function checkTime(on: WaitFor): void {
  const ms = on.kind === 'sleep' ? on.until.getTime() - Date.now() : on.kind === 'signal' ? (on.timeoutMs ?? 0) : 0;
  if (ms <= LONGEST_WAIT_MS && (on.kind === 'sleep' || ms >= 0)) return;
  const [field, got] = on.kind === 'sleep' ? ['until', String(on.until)] : ['timeout_ms', ms];
  const message = `${field}: expected a time within the next hundred years, got ${got}.`;
  throw new AppError('invalid_request', message, { field });
}

function taken(job: string, name: string): AppError {
  const message = `The job has a step ${name} already: expected a name of its own for each step and each wait.`;
  return new AppError('state_conflict', message, { job, step: name });
}

function noChild(job: string, child: string): AppError {
  const message = `expected the id of a job that this job has submitted, got ${JSON.stringify(child.slice(0, 80))}.`;
  return new AppError('not_found', message, { job, child: child.slice(0, 80) });
}
