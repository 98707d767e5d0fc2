import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { cutDirect, endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import type { Context } from './context.ts';
import { leaderLocks } from './leader-locks.ts';
import { logFailure } from './log-failure.ts';

/** Longest time between two attempts of a process that fails again and again. */
const MOST_RETRY_MS = 4_000;
/** Time of candidacy or leadership after which a process has not failed in a row. */
const STEADY_MS = 10_000;
/** A stop waits no longer for a statement that hangs. */
const STOP_MS = 2_000;

/**
 * Runs `work` in one process at a time, over all processes of this database: the one that holds the advisory lock of
 * `name`. The locks have a connection to themselves, which sends a statement twice a second however long the work's
 * statements take. `work` gets a connection of its own, and a signal that is aborted when either connection is lost, or
 * when we stop. The lock is no fence: a leader that slept may act once more before it notices.
 */
export function lead(
  context: Context,
  name: string,
  work: (client: Client, signal: AbortSignal) => Promise<void>,
  retryMs = 500,
): AsyncDisposable {
  return leadByLock(context, name, async (signal) => await withClient(context, name, signal, work), retryMs);
}

/** The same for work that needs no connection of its own: the signal is aborted when the lock is lost, or when we stop. */
export function leadByLock(
  context: Context,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  retryMs = 500,
): AsyncDisposable {
  const stop = new AbortController();
  const running = (async () => {
    let failures = 0;
    while (!stop.signal.aborted) {
      const since = performance.now();
      await once(context, name, work, stop.signal).catch(async (error: unknown) => {
        if (stop.signal.aborted) return;
        failures = performance.now() - since > STEADY_MS ? 1 : failures + 1;
        await logFailure(context, error, { leader: name }, 'leadership ended; standing for it again');
      });
      // all try again once the server is there, and not each of them all the time until then
      await context.postgresWatch.whenThere(stop.signal);
      const pauseMs = Math.min(retryMs * 2 ** Math.min(Math.max(failures - 1, 0), 10), MOST_RETRY_MS);
      if (!stop.signal.aborted) await sleep(pauseMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  const dispose = async () => {
    stop.abort();
    await running;
  };
  context.onClose(dispose);
  return { [Symbol.asyncDispose]: dispose };
}

async function once(
  context: Context,
  name: string,
  work: (signal: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const lock = await leaderLocks(context)(name, stop);
  if (lock === null) return;
  try {
    await work(AbortSignal.any([stop, lock.lost]));
  } finally {
    await lock.release();
  }
}

async function withClient(
  { config }: Context,
  name: string,
  leading: AbortSignal,
  work: (client: Client, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([leading, lost.signal]);
  const client = await openDirect(config, name, (error) => lost.abort(error));
  let cut: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', () => (cut = setTimeout(() => cutDirect(client), STOP_MS)), { once: true });
  try {
    await work(client, signal);
  } finally {
    clearTimeout(cut);
    await endDirect(client);
  }
}
