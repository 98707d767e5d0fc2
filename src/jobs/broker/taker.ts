import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { lanes } from '#src/lib/async/lanes.ts';
import { consumerConnection } from '#src/system/consumer-connection.ts';
import type { Context } from '#src/system/context.ts';
import { brokerName, brokerPrefix, type Delivery, type Versioned } from './broker.ts';
import { consumerBackend, markersOf } from './consumer-backend.ts';
import { finishEntries, type TakenEntry, takeEntries } from './take-entries.ts';

/** Longest wait for a marker: one that another process took, and did nothing with, must not cost more. */
const QUIET_SECONDS = 2;

/** An entry that was taken from the broker and not yet claimed. */
export interface Taken extends Delivery {
  /** The broker forgets it. What was not claimed meanwhile, the audit adds again. */
  readonly done: () => void;
}

/** Takes entries of one queue when it is asked to, where a consumer takes whatever comes. */
export interface Taker {
  /** Takes entries that are due, at most `most`. @throws what Redis answers. */
  readonly take: (most: number) => Promise<readonly Taken[]>;
  /** Resolves when there may be something to take, after two seconds at the latest. @throws the signal's reason. */
  readonly untilNews: (signal: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Covers what was taken but not claimed. */
const LOCK_MS = 4_000;

/** Opens a taker of a queue's version, or of its suspects. */
export function openTaker(context: Context, versioned: Versioned, suspects: boolean): Taker {
  const { config, metrics, log } = context;
  const label = { queue: versioned.queue };
  const prefix = brokerPrefix(config, versioned.queue);
  const name = brokerName(versioned, suspects);
  const markers = markersOf(context)(prefix);
  const redis = consumerConnection(context);
  // looks after entries whose taker died; takes nothing itself
  const watch = new Worker(
    name,
    null,
    {
      connection: redis,
      prefix,
      autorun: false,
      lockDuration: LOCK_MS,
      stalledInterval: 2_000,
      maxStalledCount: 1_000_000_000,
    },
    consumerBackend(context, prefix),
  );
  watch.on('error', (error) => {
    metrics.proofline_broker_errors_total.inc(label);
    log.debug({ err: error, ...label }, 'broker');
  });
  watch.on('stalled', () => metrics.proofline_broker_stalls_total.inc(label));
  void watch.startStalledCheckTimer();
  let dueAt = 0;

  const queue = { prefix, name };
  const forget = lanes<TakenEntry, void>(async (entries) => {
    await finishEntries(redis, queue, entries);
    return entries.map(() => ({ status: 'fulfilled', value: undefined }));
  });
  const done = (entry: TakenEntry) => () =>
    void forget(entry).catch((error: unknown) => {
      metrics.proofline_broker_errors_total.inc(label);
      log.debug({ err: error, ...label }, 'an entry was not forgotten; a claim refuses it');
    });

  return {
    take: async (most) => {
      const taken = await takeEntries(redis, queue, { token: randomUUID(), lockMs: LOCK_MS, most });
      dueAt = taken.dueAt;
      return taken.entries.map((entry) => ({ ...(JSON.parse(entry.data) as Delivery), done: done(entry) }));
    },
    untilNews: async (signal) => {
      const untilDue = dueAt > 0 ? Math.max(0, dueAt - Date.now()) / 1_000 : QUIET_SECONDS;
      const seconds = Math.max(0.01, Math.min(QUIET_SECONDS, untilDue));
      const marker = await markers.wait(`${prefix}:${name}:marker`, seconds, signal);
      const early = (marker?.score ?? 0) - Date.now();
      if (early > 0) await sleep(Math.min(early, QUIET_SECONDS * 1_000), undefined, { signal });
    },
    close: async () => await watch.close(),
  };
}
