import { sql } from 'slonik';
import Type from 'typebox';
import { readPauses } from '#src/jobs/broker/queue-pauses.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { readQueueFigures } from './queue-figures.ts';

const workerRow = row(Type.Object({ fleet: Type.String(), alive: Type.Integer() }));
const ageRow = row(Type.Object({ age: Type.Number() }));

const RATE_SECONDS = 10;

/** Fills the gauges that only Postgres knows, at every scrape: depth, oldest age, drain time, live workers. */
export function gaugeQueues(context: Context): void {
  const { db, metrics, log } = context;
  const read = async () => {
    const pauses = await readPauses({ db });
    for (const figures of await readQueueFigures(context, null)) {
      const { queue, queued, delayed, held, running, waiting, oldest, tenSeconds } = figures;
      const due = queued + delayed;
      metrics.proofline_queue_paused.set({ queue }, pauses.has(queue) ? 1 : 0);
      metrics.proofline_queue_depth.set({ queue, state: 'queued' }, due);
      metrics.proofline_queue_depth.set({ queue, state: 'held' }, held);
      metrics.proofline_queue_depth.set({ queue, state: 'running' }, running);
      metrics.proofline_queue_depth.set({ queue, state: 'waiting' }, waiting);
      metrics.proofline_queue_oldest_waiting_seconds.set({ queue }, oldest);
      metrics.proofline_queue_estimated_drain_seconds.set({ queue }, drainSeconds(due, tenSeconds));
    }
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
    metrics.proofline_oldest_transaction_seconds,
  ];
  for (const gauge of gauges) Object.assign(gauge, { collect });
}

/** 0 when nothing waits, -1 while nothing finishes. */
function drainSeconds(queued: number, finished: number): number {
  if (queued === 0) return 0;
  return finished === 0 ? -1 : queued / (finished / RATE_SECONDS);
}
