import { openBroker } from '#src/jobs/broker/broker.ts';
import type { Dispatched } from '#src/jobs/broker/broker-names.ts';
import { type Feed, feedBy } from '#src/jobs/model/feed.ts';
import { moves } from '#src/jobs/model/states.ts';
import { plainArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { wakeParents } from './wake.ts';

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
  state: string,
  held: boolean,
  parentId: string | null,
  feed: Feed,
];

/*
 * The ends of what a job waits for are written with those ends, together with a note: a note that is visible came with
 * the end it tells of, and one that comes later is not deleted here. See the wake.
 */
export const startDependents: Statement = {
  name: 'start-dependents',
  text: `
    with given as materialized (
      select *, '${moves.start.from[0]}' as state from unnest($1::uuid[]) as g (id) order by id
    ), fit as materialized (
      select locked.* from given g cross join lateral (
        select j.id from jobs j where j.id = g.id and j.state is not distinct from g.state for update
      ) locked
    ), ready as materialized (
      select f.id, (min(d.on_job::text) filter (where d.state <> 'succeeded' and d.on_failure = 'fail'))::uuid as broken
      from fit f join waits w on w.job = f.id and w.kind = 'jobs' left join dependencies d on d.job = f.id
      group by f.id having count(*) filter (where d.job is not null and d.state is null) = 0
    ), moved as (
      update jobs j
      set events = j.events + 1,
        state = case when r.broken is not null then '${moves.abandon.to}'
          when j.terms ? 'approval' then '${moves.ask.to}' else '${moves.start.to}' end,
        gate = case when r.broken is not null then null when j.terms ? 'approval' then 'ask' when j.terms ? 'budget' then 'reserve' end,
        held = j.held or r.broken is null and coalesce(j.terms ? 'budget', false),
        queued_at = now(), run_at = greatest(j.run_at, now()), feed = ${feedBy('j.run_at')},
        finished_at = case when r.broken is not null then now() end,
        error = case when r.broken is not null then jsonb_build_object('code', 'dependency_failed',
          'message', 'The job ' || r.broken::text || ', which this one waited for, did not succeed. Redrive that one and submit this one again.',
          'details', jsonb_build_object('job', r.broken)) end
      from ready r where j.id = r.id
      returning j.*
    ), told as (
      insert into events (job, n, type, data)
      select id, events,
        case state when '${moves.start.to}' then 'released' else state end,
        case state when '${moves.start.to}' then '{"reason": "depends_on"}'::jsonb
          when '${moves.ask.to}' then jsonb_build_object('queue', queue) else jsonb_build_object('error', error) end
      from moved
    ), seen as materialized (
      -- never waited for: of two that start the same jobs in another order, each would hold what the other wants
      select locked.* from given g cross join lateral (
        select n.ctid as place from due_dependents n where n.job = g.id for update skip locked
      ) locked
    ), noted as (
      delete from due_dependents where ctid = any(array(select place from seen))
    )
    select id, queue, version, owner, dispatch, priority, suspect, run_at, now(), state, held, parent_id, feed from moved`,
};

/** Jobs that wait for one, which has just ended. */
const dependentsOf: Statement = {
  name: 'dependents-of',
  text: 'select d.job from dependencies d where d.on_job = $1::uuid limit 10000',
};

const starting = perContext((context: Context) =>
  batched<string, void>(context, {
    patienceMs: context.config.LEASE_MS,
    refuse: (job, cause) => new AppError('internal', `The job ${job} could not begin.`, { job }, cause),
    run: async (ids) => {
      const rows = await openStatements(context)<Row>(startDependents, [plainArray([...new Set(ids)])]);
      await announce(context, rows);
      return ids.map(() => undefined);
    },
  }),
);

/** Tells the broker of jobs that may run now, and counts those that never will. */
async function announce(context: Context, rows: readonly Row[]): Promise<void> {
  const due: Dispatched[] = [];
  const parents: (string | null)[] = [];
  for (const row of rows) {
    const [id, queue, version, owner, dispatch, priority, suspect, runAt, queuedAt, state, held, parentId, feed] = row;
    if (state === moves.start.to && !held)
      due.push({ id, queue, version, owner, dispatch, priority, suspect, feed, runAt, queuedAt });
    if (state !== moves.abandon.to) continue;
    context.metrics.proofline_jobs_finished_total.inc({ queue, outcome: 'failed' });
    parents.push(parentId);
  }
  openBroker(context).addLater(due);
  // not waited for: these wakes go through other batches
  void wakeParents(context, parents);
}

/**
 * Lets jobs begin where all that they wait for has ended; others stay as they are, so that this may be called whenever it
 * may be so, and twice. Never throws: the waker finds what was left.
 */
export async function startNow(context: Context, ids: readonly string[]): Promise<void> {
  const start = starting(context);
  await Promise.all(
    ids.map(async (id) => {
      await start(id).catch((error: unknown) =>
        logFailure(context, error, { job: id }, 'a job that waited for others did not begin; the waker will find it'),
      );
    }),
  );
}

/** Lets the jobs begin that waited for one which has just ended. Never throws. */
export async function startWaitingFor(context: Context, ended: string): Promise<void> {
  try {
    const rows = await openStatements(context)<readonly [string]>(dependentsOf, [ended]);
    await startNow(
      context,
      rows.map(([id]) => id),
    );
  } catch (error) {
    await logFailure(
      context,
      error,
      { job: ended },
      'jobs that waited for one were not started; the waker will find them',
    );
  }
}
