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

  const begin = ({ id, dispatch, rank, done }: Taken) => {
    let isTaken = false;
    const onTaken = () => {
      if (!isTaken) done();
      isTaken = true;
    };
    const handled = handle({ delivery: { id, dispatch }, rank, onTaken }).finally(() => {
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
    if (concurrency > 8 && concurrency - inHand.size < concurrency / 8) await sleep(GATHER_MS);
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
      const taken = await taker.take(wanted).catch((error: unknown) => {
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
      if (taken.length < wanted) await taker.untilNews(closing.signal).catch(() => {});
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
