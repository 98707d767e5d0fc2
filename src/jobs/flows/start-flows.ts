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
      (select flow from flow_nodes where state = 'running' and (total is null or submitted < total) limit 100)
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
    try {
      while (!signal.aborted) {
        for (const id of [...(await read(client, look)), ...left]) {
          if (moving.size >= TOGETHER) break;
          if (moving.has(id)) continue;
          left.delete(id);
          moving.set(
            id,
            move(context, id, signal, left).finally(() => moving.delete(id)),
          );
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

async function move(context: Context, id: string, signal: AbortSignal, left: Set<string>): Promise<void> {
  try {
    await advanceFlow(context, id, signal);
  } catch (error) {
    if (signal.aborted) return;
    // a flow that cannot be moved holds up no other
    await logFailure(context, error, { flow: id }, 'a flow could not be moved; it is tried again');
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    left.add(id);
  }
}
