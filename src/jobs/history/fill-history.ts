import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Context } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { fillStatement } from './fill-statement.ts';

/** Milliseconds between two looks at the ledger. */
const EVERY_MS = 5_000;

/** On tables without statistics the planner would sort and walk them all, as for the relay. */
const session = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off';

/**
 * True where what the cursor says is no longer so: before the first look, in a database that runs behind it (restored from
 * a dump), and where events have been forgotten before they were counted.
 */
const isLost = `
  select position is null or pg_snapshot_xmax(position) > pg_snapshot_xmax(pg_current_snapshot())
    or coalesce((select max(until) from queue_history_spans) < now() - $1 * interval '1 day', false) as lost
  from queue_history_cursor`;

const beginAnew = `
  with moved as (
    update queue_history_cursor
    set position = pg_current_snapshot(), target = null, target_at = null, after_xid = null, after_seq = null
  )
  insert into queue_history_spans (since, until) values (now(), now()) on conflict do nothing`;

/**
 * Keeps the past of queues: counts what is new in the ledger every five seconds. One process does it at a time; should two,
 * one waits for the other, and what that has counted is not counted again.
 */
export function startHistory(context: Context): AsyncDisposable {
  return lead(context, 'history', async (client, signal) => {
    while (!signal.aborted) {
      await fillHistory(context, client, signal);
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  });
}

/** Counts all that is new in the ledger, a page a transaction. A process that dies meanwhile leaves whole pages alone. */
export async function fillHistory(
  context: Context,
  client: Client,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  await client.query(session);
  while (!signal.aborted && (await fillPage(context, client))) {
    // the next page follows at once
  }
}

/** Answers whether there may be more. */
async function fillPage({ config }: Context, client: Client): Promise<boolean> {
  await client.query('begin');
  try {
    // the statements behind it take snapshots of their own, in which another's counting is whole
    await client.query('select from queue_history_cursor for update');
    const { rows } = await client.query<{ lost: boolean }>(isLost, [config.EVENT_RETENTION_DAYS]);
    let isFull = false;
    if (rows[0]?.lost === true) await client.query(beginAnew);
    else isFull = (await client.query<{ is_full: boolean }>(fillStatement)).rows[0]?.is_full === true;
    await client.query('commit');
    return isFull;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
