import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { auditBroker, type Missing } from '#src/jobs/feed/audit.ts';
import { feed } from '#src/jobs/feed/feeder.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { releaseOrphans, watchSession } from '#src/jobs/run/release.ts';
import { endOverdue } from '#src/jobs/workers/overdue.ts';
import type { Context } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { cutDirect, endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import { forgetOld } from './retention.ts';
import { retentionPolicies } from './retention-policy.ts';

/**
 * Does `work` now and again, `everyMs` after it ended, over a connection of its own, until `signal`. What fails is
 * logged and comes again over a new connection. Never throws, and does not outlast the signal by a statement that
 * hangs.
 */
async function repeatDirect(
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
      // between two rare looks a connection would only be there
      if (everyMs > LONGEST_REST_MS) return;
      await sleep(everyMs, undefined, { signal: either }).catch(() => {});
    }
  } finally {
    signal.removeEventListener('abort', cut);
    await endDirect(client);
  }
}

const RETENTION_MS = 60_000;
/** Longest pause for which a connection is kept. */
const LONGEST_REST_MS = 30_000;
/** The feeder goes on by itself; where it failed it begins anew so much later. */
const FEED_RETRY_MS = 100;

/**
 * Finds what fell: dead workers, lost broker entries, jobs past their retention. One process does it at a time, in
 * three loops: neither a Redis that hangs nor a table that is locked may keep dead workers from being found.
 */
export function startSweep(context: Context, only?: readonly string[]): AsyncDisposable {
  // a setting that cannot hold ends the start, and not a minute later a loop
  retentionPolicies(context);
  const registry = registryOf(context);
  const names = () => only ?? registry.names();
  const replaceable = () => registry.all().flatMap((queue) => (queue.replaceable ? [queue.name] : []));
  return lead(context, 'sweep', async (client, leading) => {
    const done = new AbortController();
    const signal = AbortSignal.any([leading, done.signal]);
    const missing: Missing = new Map();
    const beside = [
      repeatDirect(context, 'feeder', FEED_RETRY_MS, signal, (own) => feed(context, own, names, signal)),
      repeatDirect(context, 'audit', context.config.AUDIT_MS, signal, (own) =>
        auditBroker(context, own, names(), missing, signal),
      ),
      repeatDirect(context, 'retention', RETENTION_MS, signal, (own) => forgetOld(context, own)),
    ];
    try {
      await watchWorkers(context, client, leading, replaceable);
    } finally {
      done.abort();
      await Promise.all(beside);
    }
  });
}

async function watchWorkers(
  context: Context,
  client: Client,
  signal: AbortSignal,
  replaceable: () => readonly string[],
): Promise<void> {
  const { config } = context;
  // A new leader, a restarted or a stopped Postgres: no process could beat, so none is declared dead for one lease.
  await client.query(watchSession);
  let begunAt = performance.now();
  let graceUntil = begunAt + config.LEASE_MS;
  while (!signal.aborted) {
    const now = performance.now();
    // nothing but our own statements and the pause lies between two rounds
    if (now - begunAt > config.SWEEP_MS + config.LEASE_MS / 2) graceUntil = now + config.LEASE_MS;
    begunAt = now;
    await releaseOrphans(context, client, now > graceUntil, replaceable());
    await endOverdue(context, client);
    await sleep(config.SWEEP_MS, undefined, { signal }).catch(() => {});
  }
}
