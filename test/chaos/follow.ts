import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '#src/http/streams/stream-message.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import type { Random } from './random.ts';
import { type ReceivedEvent, subscribe } from './subscribe.ts';
import type { ChaosSystem } from './system.ts';

/** Events that one subscriber of one job saw, over all its connections. */
export interface Followed {
  readonly id: string;
  readonly transport: Transport;
  /** `id` of each durable event, in order of arrival. */
  readonly seen: string[];
  readonly resets: string[];
  connections: number;
  ended: boolean;
  /** Epoch ms. */
  endedAt: number;
}

/** A stream that is silent for this long, heartbeats included, is given up by its client. */
const silenceMs = 2_500;

/**
 * Follows a job as a browser would: from a server of its choice, cut off now and then, coming back with the last id it
 * saw, until the final event or `signal`.
 */
export async function follow(
  system: ChaosSystem,
  random: Random,
  followed: Followed,
  signal: AbortSignal,
): Promise<void> {
  while (!followed.ended && !signal.aborted) {
    followed.connections++;
    // about every second connection is cut after a few events
    const cutAfter = random.chance(0.5) ? random.whole(1, 3) : Number.POSITIVE_INFINITY;
    await connectOnce(system, random, followed, cutAfter, signal).catch(() => {});
    if (!followed.ended) await sleep(random.whole(10, 200));
  }
}

async function connectOnce(
  { apiUrls, key }: ChaosSystem,
  random: Random,
  followed: Followed,
  cutAfter: number,
  stop: AbortSignal,
): Promise<void> {
  const cut = new AbortController();
  let watchdog = setTimeout(() => cut.abort(), silenceMs);
  let left = cutAfter;
  const onEvent = ({ id, type, data }: ReceivedEvent) => {
    // what comes behind a cut is seen by no subscriber, and comes again
    if (cut.signal.aborted) return;
    if (type === 'reset') followed.resets.push(data);
    if (id === undefined) return;
    followed.seen.push(id);
    if (isTerminal(type)) finish(followed);
    if (--left === 0) cut.abort();
  };
  const stir = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => cut.abort(), silenceMs);
  };
  const signal = AbortSignal.any([cut.signal, stop]);
  const subscription = { api: random.pick(apiUrls), job: followed.id, key, last: followed.seen.at(-1), signal };
  try {
    const over = await subscribe[followed.transport]({ ...subscription, onEvent, stir });
    // what we saw was the end, which the check compares with the ledger
    if (over && !cut.signal.aborted) finish(followed);
  } finally {
    clearTimeout(watchdog);
  }
}

function finish(followed: Followed): void {
  followed.ended = true;
  followed.endedAt = Date.now();
}
