import type { Client } from 'pg';
import type { Context } from '#src/system/context.ts';

const BATCH = 1_000;
const MOST_BATCHES = 20;
/** Who waits for a lock on the ledger holds up every writer behind it, while one long reader keeps it. */
const LOCK_MS = 200;

/**
 * Forgets by the clock, not by traffic: finished jobs after `JOB_RETENTION_DAYS`, ledger partitions after
 * `EVENT_RETENTION_DAYS`, calls after `CALLS_RETENTION_DAYS`; and makes the partitions of the coming weeks.
 */
export async function forgetOld(
  { config, log }: Context,
  client: Client,
): Promise<{ readonly jobs: number; readonly partitions: number; readonly calls: number }> {
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  const partitions = await tendLedger(client, config.EVENT_RETENTION_DAYS).catch((error: unknown) => {
    log.warn({ err: error }, 'the partitions of the ledger could not be tended; it comes again');
    return 0;
  });
  const jobs = await deleteInBatches(
    client,
    `with old as materialized (
       select id from jobs where finished_at < now() - $1 * interval '1 day' order by finished_at limit ${BATCH} for update skip locked
     ), gone as (delete from effects where job in (select id from old))
     delete from jobs where id in (select id from old)`,
    config.JOB_RETENTION_DAYS,
  );
  const calls = await deleteInBatches(
    client,
    `delete from calls where id in (
       select id from calls where at < now() - $1 * interval '1 day' order by at limit ${BATCH} for update skip locked
     )`,
    config.CALLS_RETENTION_DAYS,
  );
  if (jobs + partitions + calls > 0) log.info({ jobs, partitions, calls }, 'forgot what is past its retention');
  return { jobs, partitions, calls };
}

/** In batches, so that a large clean-up never holds its locks for long. Answers how many rows it deleted. */
async function deleteInBatches(client: Client, statement: string, days: number): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const { rowCount } = await client.query(statement, [days]);
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
