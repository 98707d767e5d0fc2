import type { Client } from 'pg';
import type { Context } from '#src/system/context.ts';
import { forgettable } from './forgettable.ts';

const BATCH = 1_000;
const MOST_BATCHES = 20;
/** Who waits for a lock on the ledger holds up every writer behind it, while one long reader keeps it. */
const LOCK_MS = 200;

/**
 * Forgets by the clock, not by traffic: whole partitions of the ledger after `EVENT_RETENTION_DAYS`, and rows as the table of
 * what is {@link forgettable} says; and makes the partitions of the coming weeks. Answers how many of each went.
 */
export async function forgetOld({ config, log }: Context, client: Client): Promise<Readonly<Record<string, number>>> {
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  const partitions = await tendLedger(client, config.EVENT_RETENTION_DAYS).catch((error: unknown) => {
    log.warn({ err: error }, 'the partitions of the ledger could not be tended; it comes again');
    return 0;
  });
  const gone: Record<string, number> = { partitions };
  for (const { name, statement, days } of forgettable)
    gone[name] = await deleteInBatches(client, statement, days(config));
  if (Object.values(gone).some((count) => count > 0)) log.info(gone, 'forgot what is past its retention');
  return gone;
}

/** In batches, so that a large clean-up never holds its locks for long. Answers how many rows it deleted. */
async function deleteInBatches(client: Client, statement: string, days: number): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const { rowCount } = await client.query(statement, [days, BATCH]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) break;
  }
  return deleted;
}

/** Answers how many partitions it dropped. @throws when somebody reads the ledger for longer than we may wait. */
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
