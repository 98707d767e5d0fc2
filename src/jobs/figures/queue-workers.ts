import { sql } from 'slonik';
import { Type } from 'typebox';
import { fleets, fleetsOf } from '#queues/fleets.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { Takes } from '#src/jobs/model/takes.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Milliseconds for which an answer is good: with it a thousand submissions a second cost one query in two seconds. */
const KNOWN_MS = 2_000;

const Worker = Type.Object({
  fleet: Type.String(),
  takes: Type.Union([Type.Array(Takes), Type.Null()]),
  workers: Type.Integer(),
});

/**
 * Counts the live workers of each queue, or of one version of it, as of up to two seconds ago; null where that is not known: a worker
 * of another release, or of another repository, has a name that says nothing of its queues.
 */
export const queueWorkers = perContext((context: Context) =>
  sharedAnswer(KNOWN_MS, async (): Promise<(queue: string, version?: number) => number | null> => {
    const { db, config } = context;
    const registry = registryOf(context);
    // a row stays until the sweep has looked after its jobs
    const rows = await db.any(sql.type(row(Worker))`
      select fleet, takes, count(*)::int as workers from workers
      where beat_at > clock_timestamp() - ${config.LEASE_MS} * interval '1 millisecond' group by fleet, takes`);
    const counts = new Map<string, number>();
    let isAnyUnknown = false;
    const add = (name: string, workers: number) => counts.set(name, (counts.get(name) ?? 0) + workers);
    for (const { fleet, takes, workers } of rows) {
      for (const { name, versions } of takes ?? []) for (const version of versions) add(`${name}@${version}`, workers);
      for (const { name } of takes ?? []) add(name, workers);
      if (takes) continue;
      // those for suspects take nothing else, and API processes nothing that is delivered
      if (fleet.endsWith('-lane') || fleet === 'api') continue;
      const consumed = new Set(fleet.split('+').flatMap((name) => fleets[name] ?? [name]));
      for (const queue of consumed) {
        if (registry.get(queue) === undefined) isAnyUnknown = true;
        add(queue, workers);
        add(`${queue}@1`, workers);
      }
    }
    return (queue, version) =>
      counts.get(version === undefined ? queue : `${queue}@${version}`) ?? (isAnyUnknown ? null : 0);
  }),
);

/**
 * Makes the warning about a job that waits in a queue without a worker; undefined where it does not, or that is not
 * known.
 */
export async function idleWarning(
  context: Context,
  { queue, version, state, held }: Pick<Job, 'queue' | 'version' | 'state' | 'held'>,
): Promise<string | undefined> {
  if (state !== 'queued' || held) return undefined;
  // what is only said beside an answer must not fail it
  const workers = await queueWorkers(context)().then(
    (of) => of(queue, version),
    () => null,
  );
  if (workers !== 0) return undefined;
  const names = fleetsOf(queue);
  if (names.length === 0)
    return `No worker takes ${queue}@${version}: the job is kept, and starts once one does (register a worker of this version).`;
  const where = `start a worker of the fleet ${names.join(' or ')}`;
  return `No running worker consumes the queue ${queue}: the job is kept, and starts once one does (${where}).`;
}
