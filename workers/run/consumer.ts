import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '#src/jobs/broker/broker-names.ts';
import { openTaker, type Taken } from '#src/jobs/broker/taker.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { type Hands, openHands } from './hands.ts';
import type { Handler } from './processor.ts';

export interface ConsumerOptions {
  readonly suspects: boolean;
  /** Jobs in hand at once. */
  readonly concurrency: number;
  /** Hands of the whole process: nothing is taken that none is free for. As many as it wants without. */
  readonly hands?: Hands;
}

/** A job as the broker delivers it. */
export interface Delivered {
  readonly delivery: Delivery;
  /** The broker's: of two jobs it hands out the one with the lower first. */
  readonly rank: number;
  /** True where it went before a line: its claim does not wait for theirs. */
  readonly isAhead: boolean;
  /** To be called once the job is claimed, or will not be: else the broker holds what it came in until its end. */
  readonly onTaken: () => void;
}

export interface Consumer {
  /** Takes nothing more; resolves when all that is in hand has been handled. */
  readonly close: () => Promise<void>;
}

/** Jobs that one look takes at most. */
const TOGETHER = 256;
/** Hands that come free gather so long for one look, ms: a look for each would cost the broker a command a job. */
const GATHER_MS = 2;
/**
 * One hand in so many takes nothing of a line while something goes before it now and again: who has next to nothing to do
 * waits for no end of the jobs of others.
 */
const KEEPS_ONE_IN = 16;
/** With fewer hands none is kept: it would be more than a tenth of them. */
const LEAST_KEEPING = 10;
/** Pause after the broker did not answer, ms. */
const RETRY_MS = 250;

/** Takes jobs of a queue for the hands that are free. The broker's own outcomes decide nothing; Postgres does. */
export function consume(
  context: Context,
  { queue }: Handler,
  { suspects, concurrency, hands = openHands(Number.POSITIVE_INFINITY) }: ConsumerOptions,
  handle: (delivered: Delivered) => Promise<void>,
): Consumer {
  const taker = openTaker(context, { queue: queue.name, version: queue.version }, suspects);
  const closing = new AbortController();
  const inHand = new Set<Promise<void>>();
  let freed = Promise.withResolvers<void>();
  let heardAt = performance.now();
  let isWithoutHand = false;
  const kept = concurrency < LEAST_KEEPING ? 0 : Math.max(1, Math.floor(concurrency / KEEPS_ONE_IN));

  const begin = ({ id, dispatch, rank, isAhead, done }: Taken) => {
    let isTaken = false;
    const onTaken = () => {
      if (!isTaken) done();
      isTaken = true;
    };
    const handled = handle({ delivery: { id, dispatch }, rank, isAhead, onTaken }).finally(() => {
      onTaken();
      inHand.delete(handled);
      hands.give(1);
      freed.resolve();
    });
    inHand.add(handled);
  };

  const gather = async () => {
    if (inHand.size < concurrency) return;
    freed = Promise.withResolvers();
    await freed.promise;
    // a loop that rested is as good as answered: its next look follows at once
    heardAt = performance.now();
    await gatherMore();
  };

  const gatherMore = async () => {
    if (concurrency > 8 && concurrency - inHand.size < concurrency / 8) await sleep(GATHER_MS);
  };

  /** News of what goes before a line, which is waited for on and on while hands come free: a wait for each costs as much as a look. */
  let ahead: Promise<boolean> | undefined;
  /** Waits for news, or after a look that has left jobs of a line until a hand is free for them. */
  const untilMore = async () => {
    if (!taker.isKept()) {
      await taker.untilNews(closing.signal).catch(() => {});
      return;
    }
    ahead ??= taker
      .untilNews(closing.signal)
      .catch(() => {})
      .then(() => {
        ahead = undefined;
        return true;
      });
    const isNews = await Promise.race([ahead, freed.promise]);
    if (isNews !== true) await Promise.race([ahead, gatherMore()]);
  };

  /** Takes hands of the process for one look; 0 once there are none any more. */
  const reach = async () => {
    const most = Math.min(TOGETHER, concurrency - inHand.size);
    const free = hands.takeFree(most);
    if (free > 0) return free;
    isWithoutHand = true;
    const taken = await hands.take(most);
    isWithoutHand = false;
    heardAt = performance.now();
    return taken;
  };

  const run = async () => {
    while (!closing.signal.aborted) {
      await gather();
      if (closing.signal.aborted) break;
      const wanted = await reach();
      if (wanted === 0) break;
      freed = Promise.withResolvers();
      const ofLine = Math.max(0, Math.min(wanted, concurrency - inHand.size - kept));
      const taken = await taker.take(wanted, ofLine).catch((error: unknown) => {
        void logFailure(context, error, { queue: queue.name }, 'the broker did not answer; asking again');
        return null;
      });
      hands.give(wanted - (taken?.length ?? 0));
      if (taken === null) {
        await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
        continue;
      }
      heardAt = performance.now();
      for (const one of taken) begin(one);
      if (taken.length < wanted) await untilMore();
    }
  };

  const consumer = {
    queue: queue.name,
    silence: () => (isWithoutHand || inHand.size >= concurrency ? 0 : (performance.now() - heardAt) / 1_000),
  };
  consumersOf(context).add(consumer);
  const running = run();
  return {
    close: async () => {
      closing.abort(new Error('the consumer is closed'));
      freed.resolve();
      consumersOf(context).delete(consumer);
      await running;
      await Promise.allSettled(inHand);
      await taker.close();
    },
  };
}

interface Heard {
  readonly queue: string;
  /** Seconds since its look was answered; 0 where it rests because its hands are full. */
  readonly silence: () => number;
}

/** The consumers of a process: one gauge tells of all of them, for each queue its most silent one. */
const consumersOf = perContext(({ metrics }: Context) => {
  const consumers = new Set<Heard>();
  const gauge = metrics.proofline_consumer_last_fetch_age_seconds;
  const collect = () => {
    gauge.reset();
    for (const [queue, own] of Map.groupBy(consumers, (consumer) => consumer.queue))
      gauge.set({ queue }, Math.max(...own.map(({ silence }) => silence())));
  };
  Object.assign(gauge, { collect });
  return consumers;
});
