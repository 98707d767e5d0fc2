import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { cutDirect, endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';

/**
 * Does `work` now and again, `everyMs` after it ended, over a connection of its own, until `signal`. What fails is logged
 * and comes again over a new connection. Never throws, and does not outlast the signal by a statement that hangs.
 */
export async function repeatDirect(
  context: Context,
  name: string,
  everyMs: number,
  signal: AbortSignal,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    await overOne(context, name, everyMs, signal, work).catch(async (error: unknown) => {
      if (!signal.aborted) await logFailure(context, error, {}, `the ${name} failed and comes again`);
    });
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}

async function overOne(
  { config }: Context,
  name: string,
  everyMs: number,
  signal: AbortSignal,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const lost = new AbortController();
  const client = await openDirect(config, name, (error) => lost.abort(error));
  const cut = () => cutDirect(client);
  signal.addEventListener('abort', cut, { once: true });
  const either = AbortSignal.any([signal, lost.signal]);
  try {
    while (!either.aborted) {
      await work(client);
      await sleep(everyMs, undefined, { signal: either }).catch(() => {});
    }
  } finally {
    signal.removeEventListener('abort', cut);
    await endDirect(client);
  }
}
