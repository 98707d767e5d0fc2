import { openBroker } from '#src/jobs/broker/broker.ts';
import type { Dispatched } from '#src/jobs/broker/broker-names.ts';
import { moves, type WaitKind } from '#src/jobs/model/states.ts';
import { MOST_STEP_BYTES } from '#src/jobs/model/step-bounds.ts';
import { plainArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';

type Row = readonly [
  id: string,
  queue: string,
  version: number,
  owner: string,
  dispatch: number,
  priority: number,
  suspect: boolean,
  runAt: Date,
  queuedAt: Date,
  kind: WaitKind,
];

/** A child's result that is too large for a step: its parent gets the failure in its place. */
const tooLarge = JSON.stringify({
  state: 'failed',
  result: null,
  error: {
    code: 'step_too_large',
    message: `The result of the child has more than ${MOST_STEP_BYTES} bytes as JSON, which no step can hold: let it keep the result elsewhere, and answer where.`,
    details: { limit: MOST_STEP_BYTES },
  },
});

/*
 * What ended a wait is looked at under the lock of the job's row, but in the snapshot from before the lock. That is
 * enough: the row of the wait is of the locked attempt, so it is the wait that the job is in; and what comes after the
 * snapshot leaves a row in `wakes` of its own, which is not visible here and so not deleted. A row that is visible came
 * with what it tells of, and that is visible too.
 */
export const wakeJobs: Statement = {
  name: 'wake-jobs',
  text: `
    with given as materialized (
      select *, '${moves.wake.from[0]}' as state from unnest($1::uuid[]) as g (id) order by id
    ), fit as materialized (
      select locked.* from given g cross join lateral (
        select j.id, j.attempt, j.steps from jobs j where j.id = g.id and j.state is not distinct from g.state
        for update
      ) locked
    ), over as materialized (
      select f.id, f.steps + 1 as n, w.kind, w.name, w.after, w.at as since, s.id as signal,
        case w.kind when 'sleep' then 'null'::jsonb
          when 'signal' then case when s.id is null then '{"timed_out": true}'::jsonb else jsonb_build_object('payload', s.payload) end
          -- a result beside its row is read with the steps: it stays until the parent has ended
          else jsonb_build_object('state', c.state, 'result', c.result, 'error', c.error)
            || case when c.result_content is null then '{}'::jsonb else jsonb_build_object('content', c.result_content) end
          end as value,
        coalesce((c.result_content->>'size')::int, 0) as beside
      from fit f join waits w on w.job = f.id and w.attempt = f.attempt
      left join lateral (
        select s.id, s.payload from signals s
        where w.kind = 'signal' and s.job = w.job and s.name = w.name and s.taken_at is null order by s.id limit 1
      ) s on true
      left join jobs c on c.id = w.child
      where w.wake_at <= now() or s.id is not null or c.finished_at is not null
    ), sized as materialized (
      select *, octet_length(value::text) + beside as bytes from over
    ), fitting as materialized (
      select id, n, kind, name, after, since, signal,
        case when bytes <= ${MOST_STEP_BYTES} or kind <> 'result' then value else $2::text::jsonb end as value,
        case when bytes <= ${MOST_STEP_BYTES} or kind <> 'result' then bytes else octet_length($2::text) end as bytes
      from sized
    ), woken as (
      update jobs j
      set state = '${moves.wake.to}', dispatch = j.dispatch + 1, events = j.events + 1, steps = o.n,
        step_bytes = j.step_bytes + o.bytes, queued_at = now(), run_at = now(), feed = 'fed'
      from fitting o where j.id = o.id
      returning j.id, j.queue, j.version, j.owner, j.dispatch, j.priority, j.suspect, j.run_at, j.events, o.kind, o.name, o.signal
    ), kept as (
      insert into steps (job, name, n, kind, after, value, bytes, since)
      select id, name, n, kind, after, value, bytes, since from fitting
      on conflict (job, name) do nothing
    ), taken as (
      update signals s set taken_at = now() from woken o where s.job = o.id and s.id = o.signal
    ), told as (
      insert into events (job, n, type, data)
      select id, events, 'released', jsonb_build_object('reason', 'woken', 'on', jsonb_build_object('kind', kind, 'name', name))
        || case when kind = 'signal' and signal is null then '{"timed_out": true}'::jsonb else '{}'::jsonb end
      from woken
    ), seen as materialized (
      -- never waited for: of two that wake the same jobs in another order, each would hold what the other wants
      select locked.* from given g cross join lateral (
        select n.ctid as place from wakes n where n.job = g.id for update skip locked
      ) locked
    ), noted as (
      delete from wakes where ctid = any(array(select place from seen))
    )
    select id, queue, version, owner, dispatch, priority, suspect, run_at, now(), kind from woken`,
};

const waking = perContext((context: Context) =>
  batched<string, boolean>(context, {
    patienceMs: context.config.LEASE_MS,
    refuse: (job, cause) => new AppError('internal', `The job ${job} could not be woken.`, { job }, cause),
    run: async (ids) => {
      const rows = await openStatements(context)<Row>(wakeJobs, [plainArray(ids), tooLarge]);
      await announce(context, rows);
      const woken = new Set(rows.map(([id]) => id));
      return ids.map((id) => woken.has(id));
    },
  }),
);

/** Adds woken jobs to the broker. Where Redis does not take them now, the audit adds them. */
async function announce(context: Context, rows: readonly Row[]): Promise<void> {
  const entries = rows.map((row): Dispatched => {
    const [id, queue, version, owner, dispatch, priority, suspect, runAt, queuedAt, kind] = row;
    context.metrics.proofline_jobs_woken_total.inc({ queue, on: kind });
    return { id, queue, version, owner, dispatch, priority, suspect, feed: 'fed', runAt, queuedAt };
  });
  await openBroker(context)
    .addAll(entries)
    .catch((error: unknown) => context.log.debug({ err: error }, 'broker adds were lost; the audit will repeat them'));
}

/**
 * Puts a waiting job back into its queue where its wait is over, with the step that says what ended it. Any other job
 * stays as it is, so that this may be called whenever a wait may be over, and twice. Batched.
 *
 * @returns true where this call has woken it
 * @throws AppError `unavailable` while Postgres is away: the waker finds the job then.
 */
export async function wakeJob(context: Context, id: string): Promise<boolean> {
  return await waking(context)(id);
}

/**
 * Wakes a job for which something has come and is kept, with the note that the waker goes by: so this never throws, and
 * where Postgres is away the job goes on a little later.
 */
export async function wakeNow(context: Context, id: string): Promise<void> {
  await wakeJob(context, id).catch((error: unknown) =>
    logFailure(context, error, { job: id }, 'a job was not woken at once; the waker will find it'),
  );
}

/** Wakes the jobs that may wait for the end of a child which has just ended; a null stands for a job without a parent. */
export async function wakeParents(context: Context, parents: readonly (string | null)[]): Promise<void> {
  await Promise.all([...new Set(parents)].map(async (id) => id !== null && (await wakeNow(context, id))));
}
