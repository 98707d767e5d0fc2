import { sql } from 'slonik';
import Type from 'typebox';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { type Feed, feeds } from '#src/jobs/model/feed.ts';
import { moves } from '#src/jobs/model/states.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** The second death alone is the last. */
const MOST_LONE_DEATHS = 2;

const crashedRow = row(
  Type.Object({
    id: Type.String(),
    queue: Type.String(),
    version: Type.Integer(),
    owner: Type.String(),
    dispatch: Type.Integer(),
    priority: Type.Integer(),
    suspect: Type.Boolean(),
    feed: Type.Unsafe<Feed>({ enum: [...feeds] }),
    runAt: Type.Unsafe<Date>({}),
    queuedAt: Type.Unsafe<Date>({}),
    state: Type.String(),
    parentId: Type.Union([Type.String(), Type.Null()]),
    stands: Type.Boolean(),
  }),
);

/**
 * A process ended while it ran this one job and nothing else: the first time the job goes back to run alone again, the
 * second time it is quarantined (`failed`, code `poisoned`; redrive by hand). It counts while the claim holds, and
 * where the lease had run out before (a process blocked by its job): then the sweep has put the job back already, and
 * it may even run elsewhere. A claim that was settled, cancelled or given back counts for nothing.
 */
export async function recordSoloCrash(context: Context, id: string, attempt: number, how: string): Promise<void> {
  const { db, metrics, log } = context;
  const message = `The process that ran this job alone ended without a result ${MOST_LONE_DEATHS} times (last: ${how}); it is quarantined. Mend its cause, then redrive it.`;
  const error = JSON.stringify({ code: 'poisoned', message, details: {} });
  const crashed = await db.maybeOne(sql.type(crashedRow)`
    with fit as materialized (
      select id, lone_deaths + 1 >= ${MOST_LONE_DEATHS} as last,
        -- stands: the claim holds; else it is in its queue or with another worker, and stays there
        attempt = ${attempt} and state = 'running' as stands
      from jobs
      where id = ${id} and (
        attempt = ${attempt} and state = 'running'
        or state = any(${sql.array([...moves.quarantine.from], 'text')}) and exists (
          select from events s join events r on r.job = s.job and r.n = s.n + 1
          where s.job = ${id} and s.type = 'started' and (s.data->>'attempt')::int = ${attempt}
            and r.type = 'released' and r.data->>'reason' = 'worker_lost'))
      for update
    ), crashed as (
      update jobs j
      set lone_deaths = j.lone_deaths + 1, events = j.events + (f.last or f.stands)::int,
        worker_id = case when f.last or f.stands then null else j.worker_id end,
        state = case when f.last then ${moves.quarantine.to} when f.stands then ${moves.release.to} else j.state end,
        dispatch = j.dispatch + (f.stands and not f.last)::int,
        error = case when f.last then ${error}::jsonb else j.error end,
        finished_at = case when f.last then now() end,
        queued_at = case when f.stands and not f.last then now() else j.queued_at end,
        run_at = case when f.stands and not f.last then now() else j.run_at end,
        feed = case when f.stands and not f.last then 'fed' else j.feed end
      from fit f where j.id = f.id
      returning j.*, f.stands
    ), told as (
      insert into events (job, n, type, data)
      select id, events, case when state = 'failed' then 'failed' else 'released' end,
        case when state = 'failed' then jsonb_build_object('error', error) else jsonb_build_object('reason', 'process_ended') end
      from crashed where stands or state = 'failed'
    )
    select id, queue, version, owner, dispatch, priority, suspect, feed, run_at as "runAt", now() as "queuedAt", state,
      parent_id as "parentId", stands from crashed`);
  if (!crashed) return;
  log.error({ job: id, queue: crashed.queue, how, state: crashed.state }, 'a job ended its process while it ran alone');
  if (crashed.state !== 'failed') {
    if (crashed.stands) openBroker(context).add(crashed);
    return;
  }
  metrics.proofline_jobs_quarantined_total.inc({ queue: crashed.queue });
  metrics.proofline_jobs_finished_total.inc({ queue: crashed.queue, outcome: 'failed' });
  await wakeParents(context, [crashed.parentId]);
}
