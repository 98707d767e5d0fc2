import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { flowQueue } from '#queues/flows.ts';
import type { Context } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import type { Statement } from '#src/system/statements.ts';
import { advanceFlow } from './advance-flow.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 50;
/** Milliseconds until a flow is looked at again that could not be moved. */
const PAUSE_MS = 1_000;
/** Looks that pass over a flow for which there was no room. */
const PAUSE_LOOKS = 10;
/** Flows that are moved at the same time. */
const TOGETHER = 8;
const PAGE = 5_000;

/** Flows that something has happened to: three looks into indexes that cost nothing while there are none. */
const look: Statement = {
  name: 'look-for-flows',
  text: `
    select coalesce(array_agg(distinct flow), '{}') as flows from (
      (select flow from flow_ends limit ${PAGE})
      union all
      (select id from jobs where queue = '${flowQueue.name}' and state = 'queued' and held limit 100)
      union all
      (select flow from flow_nodes where state = 'running' and (total is null or submitted < total) limit ${PAGE})
    ) found`,
};

/** Flows under way: what a process before left in the middle of something is taken up by the next. */
const underWay: Statement = {
  name: 'flows-under-way',
  text: `select coalesce(array_agg(job), '{}') as flows from waits where kind = 'flow'`,
};

/** Moves flows on when their jobs end, in one process at a time. */
export function startFlows(context: Context): AsyncDisposable {
  return lead(context, 'flows', async (client, signal) => {
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off');
    const moving = new Map<string, Promise<void>>();
    const left = new Set(await read(client, underWay));
    // flows that wait for the room that others have, with the look that is about them again
    const later = new Map<string, number>();
    let looks = 0;
    try {
      while (!signal.aborted) {
        looks++;
        for (const id of [...(await read(client, look)), ...left]) {
          if (moving.size >= TOGETHER) break;
          if (moving.has(id) || (later.get(id) ?? 0) > looks) continue;
          left.delete(id);
          later.delete(id);
          const moved = move(context, id, signal, left).then((next) => {
            moving.delete(id);
            if (next !== 'later') return;
            left.add(id);
            later.set(id, looks + PAUSE_LOOKS);
          });
          moving.set(id, moved);
        }
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      await Promise.all(moving.values());
    }
  });
}

async function read(client: Client, query: Statement): Promise<readonly string[]> {
  const { rows } = await client.query<{ flows: string[] }>(query);
  return rows[0]?.flows ?? [];
}

async function move(context: Context, id: string, signal: AbortSignal, left: Set<string>): Promise<'later' | 'done'> {
  try {
    return await advanceFlow(context, id, signal);
  } catch (error) {
    if (signal.aborted) return 'done';
    // a flow that cannot be moved holds up no other
    await logFailure(context, error, { flow: id }, 'a flow could not be moved; it is tried again');
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    left.add(id);
    return 'done';
  }
}
