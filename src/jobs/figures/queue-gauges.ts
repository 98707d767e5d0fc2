import { sql } from 'slonik';
import Type from 'typebox';
import { readPauses } from '#src/jobs/broker/queue-pauses.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { LONGEST_SHOWN, readGroupFigures, topGroups } from './group-figures.ts';
import { type QueueFigures, readQueueFigures } from './queue-figures.ts';
import { queueWorkers } from './queue-workers.ts';
import { readRemoteFigures } from './remote-figures.ts';
import { versionStatuses } from './version-figures.ts';

const workerRow = row(Type.Object({ fleet: Type.String(), alive: Type.Integer() }));
const ageRow = row(Type.Object({ age: Type.Number() }));

const RATE_SECONDS = 10;

/** Fills the gauges that only Postgres knows, at every scrape: depth, oldest age, drain time, live workers, those elsewhere. */
export function gaugeQueues(context: Context): void {
  const { db, metrics, log } = context;
  const read = async () => {
    const pauses = await readPauses({ db });
    const figures = await readQueueFigures(context, null);
    for (const { queue, queued, delayed, held, running, waiting, oldest, tenSeconds } of figures) {
      const due = queued + delayed;
      metrics.proofline_queue_paused.set({ queue }, pauses.has(queue) ? 1 : 0);
      metrics.proofline_queue_depth.set({ queue, state: 'queued' }, due);
      metrics.proofline_queue_depth.set({ queue, state: 'held' }, held);
      metrics.proofline_queue_depth.set({ queue, state: 'running' }, running);
      metrics.proofline_queue_depth.set({ queue, state: 'waiting' }, waiting);
      metrics.proofline_queue_oldest_waiting_seconds.set({ queue }, oldest);
      metrics.proofline_queue_estimated_drain_seconds.set({ queue }, drainSeconds(due, tenSeconds));
    }
    const startable = figures.filter(({ queue }) => !pauses.has(queue));
    await gaugeUntaken(context, startable);
    await gaugeGroups(context, startable);
    await gaugeRemote(context);
    metrics.proofline_workers_alive.reset();
    for (const { fleet, alive } of await db.any(
      sql.type(workerRow)`select fleet, count(*) as alive from workers group by fleet`,
    )) {
      metrics.proofline_workers_alive.set({ fleet }, alive);
    }
    const age = await db.oneFirst(sql.type(ageRow)`
      select coalesce(extract(epoch from now() - min(xact_start)), 0)::float8 as age
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
    metrics.proofline_oldest_transaction_seconds.set(age);
  };
  // one read for all gauges of a scrape, each of which waits for it
  let reading: Promise<void> | undefined;
  const collect = () => {
    // a scrape while Postgres is away must still show everything else
    reading ??= read()
      .catch((error: unknown) => log.debug({ err: error }, 'the queue gauges were not read'))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const gauges = [
    metrics.proofline_queue_depth,
    metrics.proofline_queue_paused,
    metrics.proofline_queue_oldest_waiting_seconds,
    metrics.proofline_queue_estimated_drain_seconds,
    metrics.proofline_workers_alive,
    metrics.proofline_remote_workers,
    metrics.proofline_remote_capacity,
    metrics.proofline_remote_credits,
    metrics.proofline_remote_jobs_running,
    metrics.proofline_queue_untaken_seconds,
    metrics.proofline_group_waiting,
    metrics.proofline_group_oldest_waiting_seconds,
    metrics.proofline_oldest_transaction_seconds,
  ];
  for (const gauge of gauges) Object.assign(gauge, { collect });
}

/** Sets the gauges of jobs in versions of registered queues that no worker takes. Workers of built-in queues have alerts of their own. */
async function gaugeUntaken(context: Context, figures: readonly QueueFigures[]): Promise<void> {
  const gauge = context.metrics.proofline_queue_untaken_seconds;
  const registry = registryOf(context);
  const workersOf = await queueWorkers(context)();
  gauge.reset();
  for (const one of figures) {
    const { queue } = one;
    if (one.queued === 0 || registry.ownerOf(queue) === null) continue;
    for (const { version, workers, queued, oldest } of versionStatuses(context, one, workersOf))
      if (workers === 0 && queued > 0) gauge.set({ queue, version }, oldest);
  }
}

/** Sets the gauges of groups, of queues in which jobs wait. The others together have no label of a group: every group has a name. */
async function gaugeGroups(context: Context, figures: readonly QueueFigures[]): Promise<void> {
  const { proofline_group_waiting: waiting, proofline_group_oldest_waiting_seconds: oldest } = context.metrics;
  const busy = figures.filter(({ queued }) => queued > 0);
  const groups = await Promise.all(busy.map(async ({ queue }) => await readGroupFigures(context, queue)));
  waiting.reset();
  oldest.reset();
  for (const [index, { queue }] of busy.entries()) {
    const found = groups[index];
    if (!found) continue;
    const { top, rest } = topGroups(found.groups, found.others, LONGEST_SHOWN);
    const labelled = top.map(({ group, ...one }) => ({ labels: { queue, group }, ...one }));
    for (const one of rest ? [...labelled, { labels: { queue }, ...rest }] : labelled) {
      waiting.set(one.labels, one.waiting);
      oldest.set(one.labels, one.oldest);
    }
  }
}

async function gaugeRemote(context: Context): Promise<void> {
  const {
    proofline_remote_workers: workers,
    proofline_remote_capacity: capacity,
    proofline_remote_credits: credits,
    proofline_remote_jobs_running: running,
  } = context.metrics;
  const figures = await readRemoteFigures(context);
  for (const gauge of [workers, capacity, credits, running]) gauge.reset();
  for (const { queue, ...one } of figures) {
    workers.set({ queue }, one.workers);
    capacity.set({ queue }, one.capacity);
    credits.set({ queue }, one.credits);
    running.set({ queue }, one.running);
  }
}

/** 0 when nothing waits, -1 while nothing finishes. */
function drainSeconds(queued: number, finished: number): number {
  if (queued === 0) return 0;
  return finished === 0 ? -1 : queued / (finished / RATE_SECONDS);
}
