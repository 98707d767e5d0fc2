import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { fleets } from '#queues/fleets.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Worker = Type.Object({
  id: Type.String(),
  fleet: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  startedAt: Type.Unsafe<Date>({}),
  beatAt: Type.Unsafe<Date>({}),
  running: Type.Integer(),
});

/** A process with a live lease. */
export type WorkerFigures = Static<typeof Worker> & {
  /** It runs the fleet's suspects, one at a time. */
  readonly suspects: boolean;
};

export interface FleetFigures {
  readonly name: string;
  readonly queues: readonly string[];
  readonly workers: readonly WorkerFigures[];
}

/** Ending of the name of a fleet's process for suspects. */
const LANE = '-lane';

/**
 * Every fleet of ours with its processes: those of the table first, also without any, then what else runs (single queues, and
 * API processes with jobs of their own, as `api`). A process of several fleets is in each of them.
 */
export async function readFleets(context: Context): Promise<readonly FleetFigures[]> {
  const registry = registryOf(context);
  const rows = await context.db.any(sql.type(row(Worker))`
    select w.id, w.fleet, w.host, w.pid, w.started_at as "startedAt", w.beat_at as "beatAt",
      (select count(*) from jobs j where j.state = 'running' and j.worker_id = w.id) as running
    from workers w where w.owner is null order by w.started_at, w.id`);
  const workers = rows.map((one) => ({ ...one, suspects: one.fleet.endsWith(LANE) }));
  const namesOf = ({ fleet, suspects }: WorkerFigures) => (suspects ? fleet.slice(0, -LANE.length) : fleet).split('+');
  const names = new Set([...Object.keys(fleets), ...workers.flatMap(namesOf).toSorted()]);
  return [...names].map((name) => ({
    name,
    queues: fleets[name] ?? [name].filter((one) => registry.get(one) !== undefined),
    workers: workers.filter((worker) => namesOf(worker).includes(name)),
  }));
}
