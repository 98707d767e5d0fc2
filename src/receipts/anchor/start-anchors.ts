import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { anchor } from '#queues/missions.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { type EvmChain, openChain } from '#src/system/outside/evm-chain.ts';
import { IN_FLIGHT } from './decide.ts';
import { makeBatches } from './make-batches.ts';
import { surveyAccounts } from './survey.ts';

const SURVEY_MS = 5_000;
const MOST_LOOK_MS = 500;
const LEAST_LOOK_MS = 20;
/** Times `ANCHOR_POLL_MS` after which a look that did not happen is requested again. */
const LOST_POLLS = 10;

/** Principal of jobs that the system submits by itself. */
const system = { owner: systemOwner };

/**
 * Closes batches of roots that wait, and asks for a look at each that is due, a job each; one process does it at a
 * time. A batch whose job was lost is due like any other. Without a chain in the settings it says so once, and roots
 * wait.
 */
export function startAnchors(context: Context): AsyncDisposable {
  const chain = openChain(context);
  if (!chain) {
    context.log.warn('ANCHOR_RPC_URL names no chain: receipts are sealed, and their anchors stay pending');
    return { [Symbol.asyncDispose]: async () => {} };
  }
  return lead(context, 'anchors', async (client, leading) => {
    const done = new AbortController();
    const signal = AbortSignal.any([leading, done.signal]);
    // beside, because a chain that hangs must not keep batches from being closed
    const surveying = survey(context, chain, signal);
    try {
      await attend(context, client, leading);
    } finally {
      done.abort();
      await surveying;
    }
  });
}

async function survey(context: Context, chain: EvmChain, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await surveyAccounts(context, chain).catch(async (error: unknown) => {
      if (!signal.aborted)
        await logFailure(context, error, {}, 'the chain of the anchors was not looked at; it comes again');
    });
    await sleep(SURVEY_MS, undefined, { signal }).catch(() => {});
  }
}

async function attend(context: Context, client: Client, signal: AbortSignal): Promise<void> {
  const { ANCHOR_IDLE_MS, ANCHOR_POLL_MS } = context.config;
  const everyMs = Math.max(LEAST_LOOK_MS, Math.min(MOST_LOOK_MS, ANCHOR_IDLE_MS / 4, ANCHOR_POLL_MS / 2));
  while (!signal.aborted) {
    await makeBatches(context);
    await askForTicks(context, client);
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}

/**
 * Submits a look at each batch that is due and has no job under way: the lowest nonces first, since the others wait for
 * them anyway. A job that failed, or was never written, is submitted again in this way, after a while: one that fails
 * for a wrong setting would else be submitted without end.
 */
export async function askForTicks(context: Context, client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with busy as materialized (
       select (payload->>'batchId')::uuid as id from jobs where queue = $1 and state in ('queued', 'running')
     ), due as (
       select * from anchor_batches
       where status not in ('finalized', 'void') and due_at <= clock_timestamp() and coalesce(chain, $2) = $2
         and id not in (select id from busy)
     )
     update anchor_batches set due_at = clock_timestamp() + $4 * interval '1 ms' where id in (
       (select id from due where status in ('new', 'signed') order by nonce nulls last, number limit $3)
       union all (select id from due where status not in ('new', 'signed') order by due_at limit $3)
     ) returning id`,
    [anchor.name, context.config.ANCHOR_CHAIN, 2 * IN_FLIGHT, LOST_POLLS * context.config.ANCHOR_POLL_MS],
  );
  for (const { id } of rows) await submit(context, anchor, { principal: system, payload: { batchId: id } });
  return rows.map(({ id }) => id);
}
