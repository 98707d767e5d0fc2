import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { lanes } from '#src/lib/async/lanes.ts';
import { consumerConnection } from '#src/system/consumer-connection.ts';
import type { Context } from '#src/system/context.ts';
import { brokerName, brokerPrefix, type Delivery, type Versioned } from './broker-names.ts';
import { carriedDelivery, placeOf } from './carriers.ts';
import { consumerBackend, markersOf } from './consumer-backend.ts';
import { finishCarriers, recallDelayed, renewCarriers, type TakenCarrier, takeCarriers } from './take-carriers.ts';

/** Longest wait for a marker: one that another process took, and did nothing with, must not cost more. */
const QUIET_SECONDS = 2;

/** Nothing is added to the broker that is to wait for so long, ms. */
const MOST_DELAY_MS = 10_000;

/** A job that was taken from the broker and not yet claimed. */
export interface Taken extends Delivery {
  /** Place among others, the lowest first: see `brokerRank`. */
  readonly rank: number;
  /** True where it went before a line. */
  readonly isAhead: boolean;
  /**
   * It is claimed, or refused: the broker forgets it once all that came in the same entry are. To be called once. What
   * was not claimed then, the audit delivers again.
   */
  readonly done: () => void;
}

/** Takes jobs of one queue from the broker when it is asked to. */
export interface Taker {
  /**
   * Takes jobs that are due, at most `most`; and of a line at most `ofLine`, once something goes before it now and again.
   *
   * @throws what Redis answers.
   */
  readonly take: (most: number, ofLine?: number) => Promise<readonly Taken[]>;
  /** True where the last look has left jobs of a line: then there is news of what goes before it alone. */
  readonly isKept: () => boolean;
  /** Resolves when there may be something to take, after two seconds at the latest. @throws the signal's reason. */
  readonly untilNews: (signal: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Covers what was taken but not claimed; renewed while its process lives. */
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
  const onError = (message: string) => (error: unknown) => {
    metrics.proofline_broker_errors_total.inc(label);
    log.debug({ err: error, ...label }, message);
  };
  watch.on('error', onError('broker'));
  watch.on('stalled', () => metrics.proofline_broker_stalls_total.inc(label));
  void watch.startStalledCheckTimer();

  const queue = { prefix, name };
  const inHand = new Set<TakenCarrier>();
  let dueAt = 0;
  let isKept = false;
  const renewal = setInterval(() => {
    if (inHand.size > 0)
      void renewCarriers(redis, queue, LOCK_MS, [...inHand]).catch(onError('locks were not renewed; a claim decides'));
  }, LOCK_MS / 2).unref();

  const forget = lanes<TakenCarrier, void>(async (carriers) => {
    await finishCarriers(redis, queue, carriers);
    return carriers.map(() => ({ status: 'fulfilled', value: undefined }));
  });

  const unload = (carrier: TakenCarrier, isLine: boolean): Taken[] => {
    inHand.add(carrier);
    let left = carrier.jobs.length;
    const done = () => {
      left--;
      if (left > 0) return;
      inHand.delete(carrier);
      void forget(carrier).catch(onError('an entry was not forgotten; a claim refuses it'));
    };
    // whatever has no job in it is done with
    if (left === 0) done();
    const { rank, isNext } = placeOf(carrier.priority);
    return carrier.jobs.map((text) => ({ ...carriedDelivery(text), rank, isAhead: isLine && isNext, done }));
  };

  return {
    isKept: () => isKept,
    take: async (most, ofLine = most) => {
      const taken = await takeCarriers(redis, queue, { token: randomUUID(), lockMs: LOCK_MS, most, ofLine });
      ({ dueAt, isKept } = taken);
      if (dueAt - Date.now() > MOST_DELAY_MS) {
        await recallDelayed(redis, queue, MOST_DELAY_MS).catch(onError('what is due too late stays so for now'));
        dueAt = 0;
      }
      return taken.carriers.flatMap((carrier) => unload(carrier, taken.isLine));
    },
    untilNews: async (signal) => {
      const untilDue = dueAt > 0 ? Math.max(0, dueAt - Date.now()) / 1_000 : QUIET_SECONDS;
      const seconds = Math.max(0.01, Math.min(QUIET_SECONDS, untilDue));
      const marker = await markers.wait(`${prefix}:${name}:${isKept ? 'ahead' : 'marker'}`, seconds, signal);
      const early = (marker?.score ?? 0) - Date.now();
      if (early > 0) await sleep(Math.min(early, QUIET_SECONDS * 1_000), undefined, { signal });
    },
    close: async () => {
      clearInterval(renewal);
      await watch.close();
    },
  };
}
