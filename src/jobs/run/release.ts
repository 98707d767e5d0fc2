import type { Client } from 'pg';
import { openBroker } from '#src/jobs/broker/broker.ts';
import type { Dispatched } from '#src/jobs/broker/broker-names.ts';
import { brokerRank } from '#src/jobs/broker/broker-rank.ts';
import { feedBy } from '#src/jobs/model/feed.ts';
import { moves } from '#src/jobs/model/states.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';

/** Rows of one statement; what is more waits for the next. */
const PAGE = 1_000;

/** The database's clock beside `run_at`: the delay is the difference of the two, whatever this machine's clock says. */
const entryColumns = `id, queue, version, owner, dispatch, priority, suspect, feed, run_at as "runAt", now() as "queuedAt"`;

/** Each look has a plan that stays: making one anew costs several times as much as the look. */
export const watchSession = 'set enable_seqscan = off; set enable_bitmapscan = off';

/**
 * Puts the running jobs that `which` names back into their queue, with the event that says why; `suspect` says which of
 * them run alone from then on.
 */
const release = (which: string, suspect: string) => `
  with chosen as materialized (
    select j.id from jobs j where j.state = 'running' and ${which}
  ), released as (
    update jobs j
    set state = 'queued', dispatch = j.dispatch + 1, suspect = ${suspect}, events = j.events + 1,
      worker_id = null, queued_at = now(), run_at = greatest(j.run_at, now()), feed = ${feedBy('j.run_at')}
    from chosen c where j.id = c.id
    returning j.*
  ), told as (
    insert into events (job, n, type, data) select id, events, 'released', jsonb_build_object('reason', $1::text) from released
  )
  select ${entryColumns} from released`;

/** By the missing worker, not by who died just now: a claim may commit after its worker was given up. */
const orphaned = {
  name: 'release-orphans',
  // in the order of the index of what runs: by id it may look as good to walk all jobs
  text: release(
    `not exists (select from workers w where w.id = j.worker_id) order by j.worker_id limit ${PAGE} for update skip locked`,
    'true',
  ),
};

/** Jobs of a dead process that a newer one replaces: running them again would only keep others waiting. */
const supersede = {
  name: 'supersede-jobs',
  text: `
  with chosen as materialized (
    select j.id from jobs j
    where j.state = 'running' and j.queue = any($1::text[]) and not exists (select from workers w where w.id = j.worker_id)
    order by j.worker_id limit ${PAGE} for update skip locked
  ), cancelled as (
    update jobs j
    set state = '${moves.cancel.to}', finished_at = now(), worker_id = null, events = j.events + 1, error = $2::jsonb,
      -- a caller who requests the same again must get a new job
      idempotency_key = null
    from chosen c where j.id = c.id
    returning j.id, j.queue, j.events, j.parent_id
  ), told as (
    insert into events (job, n, type, data)
    select id, events, 'cancelled', jsonb_build_object('by', '${systemOwner}', 'reason', 'superseded') from cancelled
  )
  select queue, parent_id as "parentId" from cancelled`,
};

const superseded = JSON.stringify({
  code: 'cancelled',
  message: 'The process that ran this job ended; a newer job replaces it, so it is not run again.',
  details: { reason: 'superseded' },
});

/** Lost workers elsewhere that a job may have run alone with. */
const MOST_LONE_LOSSES = 5;

const loneDeath = `
  with chosen as materialized (
    select j.id, j.lone_deaths + 1 >= ${MOST_LONE_LOSSES} as last from jobs j
    where j.state = 'running' and j.suspect and j.worker_id = any($1::uuid[])
    order by j.id for update
  ), counted as (
    update jobs j
    set lone_deaths = j.lone_deaths + 1, events = j.events + c.last::int,
      state = case when c.last then '${moves.quarantine.to}' else j.state end,
      worker_id = case when c.last then null else j.worker_id end,
      error = case when c.last then $2::jsonb else j.error end,
      finished_at = case when c.last then now() end
    from chosen c where j.id = c.id
    returning j.id, j.queue, j.state, j.events, j.parent_id
  ), told as (
    insert into events (job, n, type, data)
    select id, events, 'failed', jsonb_build_object('error', $2::jsonb) from counted where state = '${moves.quarantine.to}'
  )
  select id, queue, state, parent_id as "parentId" from counted`;

const poisoned = JSON.stringify({
  code: 'poisoned',
  message: `Workers were lost ${MOST_LONE_LOSSES} times while they ran this job alone; it is quarantined. Mend its cause, then redrive it.`,
  details: {},
});

/** Jobs that have not begun in their time: one that has begun has no such time any more. */
const expire = {
  name: 'expire-jobs',
  text: `
  with chosen as materialized (
    select j.id from jobs j where j.state in ('awaiting_approval', 'queued', 'waiting') and j.expires_at <= now()
    order by j.expires_at limit ${PAGE} for update skip locked
  ), cancelled as (
    update jobs j
    set state = '${moves.cancel.to}', finished_at = now(), events = j.events + 1, error = $1::jsonb, held = false
    from chosen c where j.id = c.id
    returning j.id, j.queue, j.events, j.parent_id
  ), told as (
    insert into events (job, n, type, data)
    select id, events, 'cancelled', jsonb_build_object('by', '${systemOwner}', 'reason', 'expired') from cancelled
  )
  select queue, parent_id as "parentId" from cancelled`,
};

const expired = JSON.stringify({
  code: 'cancelled',
  message: 'The job had not begun by the time its submitter set for it.',
  details: { reason: 'expired' },
});

/** Nothing speaks for a suspect that lost its lease, and nothing against another job. */
const mine = release('j.id = any($2::uuid[]) and j.worker_id = $3 order by j.id for update', 'j.suspect');

/**
 * Clears suspects. Where the sweep was faster, it took a living process for dead. The job waits already, and goes on
 * waiting under the same dispatch: only the place where it waits changes. One whose process did die alone is left where
 * it is.
 */
const clearSuspects = `
  with chosen as materialized (
    select id from jobs
    where id = any($1::uuid[]) and state = 'queued' and suspect and lone_deaths = 0
    order by id for update
  ), cleared as (
    update jobs j set suspect = false, feed = ${feedBy('j.run_at')} from chosen c where j.id = c.id returning j.*
  )
  select ${entryColumns} from cleared`;

/**
 * Declares silent workers dead, where `mayBury` says that may be done now, and puts what they ran back into its queues:
 * as suspects, each of which runs alone until it has shown that it did not end the process. What ran in one of the
 * `replaceable` queues is cancelled instead.
 */
export async function releaseOrphans(
  context: Context,
  client: Client,
  mayBury: boolean,
  replaceable: readonly string[],
): Promise<void> {
  if (mayBury) await removeDeadWorkers(context, client);
  for (;;) {
    const { rows } = await client.query<Cancelled>({ ...supersede, values: [replaceable, superseded] });
    await countCancelled(context, rows);
    if (rows.length > 0) context.log.info({ jobs: rows.length }, 'jobs of a dead process are superseded by newer ones');
    if (rows.length < PAGE) break;
  }
  await expireJobs(context, client);
  for (;;) {
    const { rows } = await client.query<Dispatched>({ ...orphaned, values: ['worker_lost'] });
    // those that callers wait for reach the broker first, and are fetched first; of these the older
    const inOrder = rows
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .toSorted((one, other) => brokerRank(one) - brokerRank(other));
    announce(context, inOrder, 'worker_lost');
    if (rows.length < PAGE) return;
  }
}

/** Cancels jobs that have not begun by the time their submitters set. */
async function expireJobs(context: Context, client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<Cancelled>({ ...expire, values: [expired] });
    await countCancelled(context, rows);
    if (rows.length < PAGE) return;
  }
}

interface Cancelled {
  readonly queue: string;
  readonly parentId: string | null;
}

/** Counts jobs that the sweep has cancelled, and wakes what waits for them. */
async function countCancelled(context: Context, cancelled: readonly Cancelled[]): Promise<void> {
  for (const { queue } of cancelled)
    context.metrics.proofline_jobs_finished_total.inc({ queue, outcome: moves.cancel.to });
  await wakeParents(
    context,
    cancelled.map(({ parentId }) => parentId),
  );
}

async function removeDeadWorkers(context: Context, client: Client): Promise<void> {
  const { config, metrics, log } = context;
  const { rows: dead } = await client.query<{
    id: string;
    fleet: string;
    host: string;
    pid: number;
    owner: string | null;
  }>(
    `delete from workers where beat_at < clock_timestamp() - $1 * interval '1 ms' returning id, fleet, host, pid, owner`,
    [config.LEASE_MS],
  );
  const elsewhere = dead.filter(({ owner }) => owner !== null).map(({ id }) => id);
  if (elsewhere.length > 0) await countLoneDeaths(context, client, elsewhere);
  metrics.proofline_workers_lost_total.inc(dead.length);
  for (const worker of dead) log.warn({ worker }, 'a worker did not beat for one lease and is taken for dead');
}

/**
 * Suspects that ran alone with workers elsewhere which are taken for dead. Their ends are not seen, as those of our own
 * processes are: a machine that goes down looks the same. So it takes more of them before a job is quarantined.
 */
async function countLoneDeaths(context: Context, client: Client, workers: readonly string[]): Promise<void> {
  const { metrics, log } = context;
  const { rows } = await client.query<{ id: string; queue: string; state: string; parentId: string | null }>(
    loneDeath,
    [workers, poisoned],
  );
  for (const { id, queue, state, parentId } of rows) {
    log.warn({ job: id, queue, state }, 'a worker elsewhere was lost while it ran this job alone');
    if (state !== moves.quarantine.to) continue;
    metrics.proofline_jobs_quarantined_total.inc({ queue });
    metrics.proofline_jobs_finished_total.inc({ queue, outcome: 'failed' });
    await wakeParents(context, [parentId]);
  }
}

export interface Mine {
  readonly jobs: readonly string[];
  /** The id under which they were claimed. */
  readonly worker: string;
  /** True where that is a process for suspects: they stay suspects until they have succeeded, or died alone. */
  readonly suspects: boolean;
  /** Why they are given back; `lease_lost` without one. */
  readonly reason?: 'drain' | 'lease_lost';
}

/** Jobs of a process that lost its lease, or gives them back: nothing speaks against them, so they run as before. */
export async function releaseMine(context: Context, client: Client, mineNow: Mine): Promise<void> {
  const { jobs, worker, suspects, reason = 'lease_lost' } = mineNow;
  if (jobs.length === 0) return;
  const { rows } = await client.query<Dispatched>(mine, [reason, jobs, worker]);
  announce(context, rows, reason);
  if (suspects) return;
  const { rows: cleared } = await client.query<Dispatched>(clearSuspects, [jobs]);
  for (const entry of cleared) {
    openBroker(context).add(entry);
  }
}

function announce(context: Context, rows: readonly Dispatched[], reason: string): void {
  for (const entry of rows) {
    context.metrics.proofline_jobs_released_total.inc({ queue: entry.queue, reason });
    openBroker(context).add(entry);
  }
}
