import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';
import { consumerConnection } from '#src/system/consumer-connection.ts';
import type { Context } from '#src/system/context.ts';
import { brokerName, brokerPrefix, type Delivery, type Versioned } from './broker.ts';
import { consumerBackend, markersOf } from './consumer-backend.ts';

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

/** BullMQ's worker without its loop: one entry at a time, and when the next one that is delayed is due. */
class Entries extends Worker<Delivery> {
  async next(token: string): Promise<{ readonly job: Job<Delivery> | undefined; readonly dueAt: number }> {
    const [data, id, , dueAt] = await this.backend.moveToActive(token);
    return { job: await this.nextJobFromJobData(data, id, token), dueAt: dueAt ?? 0 };
  }
}

/** Opens a taker of a queue's version, or of its suspects. */
export function openTaker(context: Context, versioned: Versioned, suspects: boolean): Taker {
  const { config, metrics, log } = context;
  const label = { queue: versioned.queue };
  const prefix = brokerPrefix(config, versioned.queue);
  const name = brokerName(versioned, suspects);
  const markers = markersOf(context)(prefix);
  const entries = new Entries(
    name,
    null,
    {
      connection: consumerConnection(context),
      prefix,
      autorun: false,
      // covers what was taken but not claimed
      lockDuration: 4_000,
      stalledInterval: 2_000,
      maxStalledCount: 1_000_000_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
    consumerBackend(context, prefix),
  );
  entries.on('error', (error) => {
    metrics.proofline_broker_errors_total.inc(label);
    log.debug({ err: error, ...label }, 'broker');
  });
  entries.on('stalled', () => metrics.proofline_broker_stalls_total.inc(label));
  void entries.startStalledCheckTimer();
  let dueAt = 0;

  const done = (job: Job<Delivery>, token: string) => () =>
    void job.moveToCompleted(null, token, false).catch((error: unknown) => {
      metrics.proofline_broker_errors_total.inc(label);
      log.debug({ err: error, ...label }, 'an entry was not forgotten; a claim refuses it');
    });

  return {
    take: async (most) => {
      const taken = await Promise.all(
        Array.from({ length: most }, async () => {
          const token = randomUUID();
          const found = await entries.next(token);
          if (found.job) return { ...found.job.data, done: done(found.job, token) };
          dueAt = found.dueAt;
          return null;
        }),
      );
      return taken.filter((one) => one !== null);
    },
    untilNews: async (signal) => {
      const untilDue = dueAt > 0 ? Math.max(0, dueAt - Date.now()) / 1_000 : QUIET_SECONDS;
      const seconds = Math.max(0.01, Math.min(QUIET_SECONDS, untilDue));
      const marker = await markers.wait(`${prefix}:${name}:marker`, seconds, signal);
      const early = (marker?.score ?? 0) - Date.now();
      if (early > 0) await sleep(Math.min(early, QUIET_SECONDS * 1_000), undefined, { signal });
    },
    close: async () => await entries.close(),
  };
}
