import { sql } from 'slonik';
import { Type } from 'typebox';
import { fleets, fleetsOf } from '#queues/fleets.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Milliseconds for which an answer is good: with it a thousand submissions a second cost one query in two seconds. */
const KNOWN_MS = 2_000;

const Worker = Type.Object({ fleet: Type.String(), workers: Type.Integer() });

/**
 * Counts the live worker processes of each queue, as of up to two seconds ago; null where that is not known: a worker
 * of another release, or of another repository, has a name that says nothing of its queues.
 */
export const queueWorkers = perContext((context: Context) =>
  sharedAnswer(KNOWN_MS, async (): Promise<(queue: string) => number | null> => {
    const { db, config } = context;
    const registry = registryOf(context);
    // a row stays until the sweep has looked after its jobs
    const rows = await db.any(sql.type(row(Worker))`
      select fleet, count(*)::int as workers from workers
      where beat_at > clock_timestamp() - ${config.LEASE_MS} * interval '1 millisecond' group by fleet`);
    const counts = new Map<string, number>();
    let isAnyUnknown = false;
    for (const { fleet, workers } of rows) {
      // those for suspects take nothing else, and API processes nothing that is delivered
      if (fleet.endsWith('-lane') || fleet === 'api') continue;
      const consumed = new Set(fleet.split('+').flatMap((name) => fleets[name] ?? [name]));
      for (const queue of consumed) {
        if (registry.get(queue) === undefined) isAnyUnknown = true;
        counts.set(queue, (counts.get(queue) ?? 0) + workers);
      }
    }
    return (queue) => counts.get(queue) ?? (isAnyUnknown ? null : 0);
  }),
);

/**
 * Makes the warning about a job that waits in a queue without a worker; undefined where it does not, or that is not
 * known.
 */
export async function idleWarning(
  context: Context,
  { queue, state, held }: Pick<Job, 'queue' | 'state' | 'held'>,
): Promise<string | undefined> {
  if (state !== 'queued' || held) return undefined;
  // what is only said beside an answer must not fail it
  const workers = await queueWorkers(context)().then(
    (of) => of(queue),
    () => null,
  );
  if (workers !== 0) return undefined;
  const names = fleetsOf(queue);
  const where = names.length > 0 ? `start a worker of the fleet ${names.join(' or ')}` : 'add it to a fleet';
  return `No running worker consumes the queue ${queue}: the job is kept, and starts once one does (${where}).`;
}
