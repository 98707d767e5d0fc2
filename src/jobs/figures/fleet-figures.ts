import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { fleets } from '#queues/fleets.ts';
import { Takes } from '#src/jobs/model/takes.ts';
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
  /** Queues of which jobs are delivered to it; null for a process that says nothing of them. */
  takes: Type.Union([Type.Array(Takes), Type.Null()]),
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
    select w.id, w.fleet, w.host, w.pid, w.started_at as "startedAt", w.beat_at as "beatAt", w.takes,
      (select count(*) from jobs j where j.state = 'running' and j.worker_id = w.id) as running
    from workers w where w.owner is null order by w.started_at, w.id`);
  const workers = rows.map((one) => ({ ...one, suspects: one.fleet.endsWith(LANE) }));
  const namesOf = ({ fleet, suspects }: WorkerFigures) => (suspects ? fleet.slice(0, -LANE.length) : fleet).split('+');
  const names = new Set([...Object.keys(fleets), ...workers.flatMap(namesOf).toSorted()]);
  return [...names].map((name) => {
    const own = workers.filter((worker) => namesOf(worker).includes(name));
    const taken = new Set(own.flatMap(({ takes }) => takes ?? []).map((one) => one.name));
    // a process of several single queues takes those of the others too
    const known = registry.get(name) === undefined ? [...taken].toSorted() : [name];
    return { name, queues: fleets[name] ?? known, workers: own };
  });
}
