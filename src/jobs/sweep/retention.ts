import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { forgetContents } from '#src/jobs/contents/forget-contents.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { forgetJobs } from './forget-jobs.ts';
import { forgettable } from './forgettable.ts';

const BATCH = 1_000;
/** Longest time spent on one kind of rows before the others have their turn. */
const TURN_MS = 20_000;
/**
 * Milliseconds to wait for a lock on the ledger: a waiting statement holds up every writer behind it, while one long
 * reader keeps the lock.
 */
const LOCK_MS = 200;

/**
 * Forgets by the clock, not by traffic: whole partitions of the ledger after `EVENT_RETENTION_DAYS`, finished jobs by
 * the policy of their queue, and rows as the table of what is {@link forgettable} says; and makes the partitions of the
 * coming weeks. Goes on, kind by kind in turn, until nothing is left. Answers how many of each went.
 */
export async function forgetOld(context: Context, client: Client): Promise<Readonly<Record<string, number>>> {
  const { config } = context;
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  const partitions = await tendLedger(client, config.EVENT_RETENTION_DAYS).catch(async (error: unknown) => {
    await logFailure(context, error, {}, 'the partitions of the ledger could not be tended; it comes again');
    return 0;
  });
  const gone: Record<string, number> = { partitions };
  const turns: Record<string, Turn> = {
    // first: the others go once their job is gone
    jobs: async (deadline) => await forgetJobs(context, client, deadline),
    contents: async (deadline) => await forgetContents(context, client, deadline),
    ...Object.fromEntries(
      forgettable.map(({ name, statement, days }) => [
        name,
        async (deadline: number) => await deleteInBatches(client, statement, days(config), deadline),
      ]),
    ),
  };
  for (let left = Object.keys(turns); left.length > 0; ) {
    const unfinished: string[] = [];
    for (const name of left) {
      const { count, more } = await turns[name]!(performance.now() + TURN_MS);
      gone[name] = (gone[name] ?? 0) + count;
      if (more) unfinished.push(name);
    }
    left = unfinished;
  }
  if (Object.values(gone).some((count) => count > 0)) context.log.debug(gone, 'forgot what is past its retention');
  return gone;
}

/**
 * Deletes until `deadline` (of `performance.now()`) or until nothing is left; answers how many went, and whether some
 * are left.
 */
type Turn = (deadline: number) => Promise<{ readonly count: number; readonly more: boolean }>;

/** In batches, so that a large clean-up never holds its locks for long; rests after each as long as it took. */
async function deleteInBatches(client: Client, statement: string, days: number, deadline: number) {
  let count = 0;
  while (performance.now() < deadline) {
    const since = performance.now();
    const { rowCount } = await client.query(statement, [days, BATCH]);
    count += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return { count, more: false };
    await sleep(performance.now() - since);
  }
  return { count, more: true };
}

/** Answers how many partitions it dropped. @throws when a reader holds the ledger for longer than we may wait. */
async function tendLedger(client: Client, keepDays: number): Promise<number> {
  await client.query('select make_event_partitions(4)');
  for (let dropped = 0; ; dropped++) {
    const { rows } = await client.query<{ count: number }>(
      `select drop_event_partition($1 * interval '1 day') as count`,
      [keepDays],
    );
    if (rows[0]?.count === 1) continue;
    await client.query(`delete from events_rest where at < now() - $1 * interval '1 day'`, [keepDays]);
    return dropped;
  }
}
