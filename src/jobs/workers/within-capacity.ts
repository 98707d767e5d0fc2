import type { Client } from 'pg';
import { releaseMine } from '#src/jobs/run/release.ts';
import type { Context } from '#src/system/context.ts';
import { endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import type { Given } from './hands.ts';

/** Jobs that a worker has in hand, and whether one of them is a suspect. */
export const countInHand: Statement = {
  name: 'count-in-hand',
  text: `
    select count(*)::int4, coalesce(bool_or(j.suspect), false)
    from jobs j where j.worker_id = $1::uuid and j.state = 'running'`,
};

type InHandRow = readonly [count: number, hasSuspect: boolean];

/**
 * The part of what one poll has claimed that its worker can hold. Polls of one worker that wait in several processes do
 * not know of each other, but each sees what all have claimed once its own claims are made: a poll that then counts more
 * than the worker can hold gives back the rest of its own, one poll at a time.
 *
 * @param given claimed in the worker's name, and not handed out yet
 */
export async function withinCapacity(
  context: Context,
  worker: string,
  capacity: number,
  given: readonly Given[],
): Promise<readonly Given[]> {
  if (given.length === 0) return given;
  const [row] = await openStatements(context)<InHandRow>(countInHand, [worker]);
  if (!row || excessOf(row, capacity) <= 0) return given;
  const { config, log } = context;
  const client = await openDirect(config, 'give-back', () => {}, { answerMs: config.LEASE_MS });
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`in hand of ${worker}`]);
    const excess = Math.max(0, excessOf(await countAgain(client, worker), capacity));
    const kept = Math.max(0, given.length - excess);
    const jobs = given.slice(kept).map(({ id }) => id);
    // a suspect among them has not run: nothing speaks for it yet
    await releaseMine(context, client, { jobs, worker, suspects: true, reason: 'drain' });
    log.debug({ worker, jobs }, 'polls of one worker in several processes took more than it can hold');
    return given.slice(0, kept);
  } finally {
    // ends the lock too
    await endDirect(client);
  }
}

/** A suspect runs alone. */
function excessOf([count, hasSuspect]: InHandRow, capacity: number): number {
  return count - (hasSuspect ? 1 : capacity);
}

async function countAgain(client: Client, worker: string): Promise<InHandRow> {
  const { rows } = await client.query<[number, boolean]>({
    text: countInHand.text,
    values: [worker],
    rowMode: 'array',
  });
  return rows[0] ?? [0, false];
}
