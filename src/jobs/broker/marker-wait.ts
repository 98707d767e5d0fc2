import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClient } from '#src/system/redis/redis.ts';

/**
 * Entry that BullMQ puts beside a queue when there is something to fetch; the score is a time in ms where it is due
 * later.
 */
export interface Marker {
  readonly member: string;
  readonly score: number;
}

export interface MarkerWait {
  /**
   * Waits for a marker at `key`, at most `seconds`; null without one. @throws the signal's reason once it is aborted.
   */
  readonly wait: (key: string, seconds: number, signal: AbortSignal) => Promise<Marker | null>;
}

interface Waiter {
  readonly key: string;
  readonly resolve: (marker: Marker | null) => void;
  /** performance.now() from which on it may get an empty answer, and by when it must. */
  readonly from: number;
  readonly until: number;
}

/** A socket that swallows commands is noticed so long after its answer was due. */
const SILENT_MS = 1_000;
const RETRY_MS = 100;
/** A wake-up that its listener never took. */
const WAKE_TTL_MS = 30_000;

/**
 * One blocking connection for the consumers of many queues: BullMQ gives each consumer one of its own, which waits with
 * BZPOPMIN for the marker of its queue. This waits for the markers of all that wait now, in one command. Who comes or
 * goes meanwhile ends that command by a member of a set that is its last key, so no consumer waits for a round that
 * knows nothing of it. In a Redis Cluster all keys must share the hash tag of `wakePrefix`.
 *
 * @param blocking a connection for this alone; it must neither queue commands while it is away nor send them again,
 *   since a repeated BZPOPMIN would take a marker that no consumer waits for
 * @param command any other connection to the same Redis
 */
export function openMarkerWait(blocking: RedisClient, command: RedisClient, wakePrefix: string): MarkerWait {
  const waiters = new Set<Waiter>();
  const wakeKey = `${wakePrefix}:wake:${randomUUID()}`;
  let listening: ReadonlySet<string> | null = null;
  let woken = false;
  let running = false;
  let nudge = Promise.withResolvers<void>();

  const wake = () => {
    nudge.resolve();
    if (!listening || woken) return;
    woken = true;
    // lost with its connection: the round ends in time, or with its own connection
    void command.zadd(wakeKey, 0, 'wake').catch(() => {});
    void command.pexpire(wakeKey, WAKE_TTL_MS).catch(() => {});
  };

  const answerDue = () => {
    const now = performance.now();
    for (const waiter of waiters) if (waiter.from <= now) answer(waiter, null);
  };

  const answer = (waiter: Waiter, marker: Marker | null) => {
    waiters.delete(waiter);
    waiter.resolve(marker);
  };

  const deliver = (key: string, marker: Marker) => {
    const waiter = [...waiters].find((one) => one.key === key);
    if (waiter) return answer(waiter, marker);
    // it left while its marker was on the way: consumers of other processes may wait for it
    void command.zadd(key, 'NX', marker.score, marker.member).catch(() => {});
  };

  /** One command: until a marker, a wake-up, or the first waiter whose time is over. */
  const round = async () => {
    const ms = Math.max(10, Math.min(...[...waiters].map(({ until }) => until)) - performance.now());
    listening = new Set([...waiters].map(({ key }) => key));
    woken = false;
    const silence = new AbortController();
    const popped = await Promise.race([
      blocking.bzpopmin(...listening, wakeKey, ms / 1_000),
      sleep(ms + SILENT_MS, 'silent' as const, { signal: silence.signal, ref: false }),
    ]).finally(() => {
      silence.abort();
      listening = null;
    });
    // the answer to the command may still come, and be lost: with its connection it does not
    if (popped === 'silent') blocking.disconnect(true);
    if (popped === 'silent' || popped === null) return answerDue();
    const [key, member, score] = popped;
    if (key !== undefined && member !== undefined && key !== wakeKey) deliver(key, { member, score: Number(score) });
  };

  const run = async () => {
    running = true;
    try {
      while (waiters.size > 0) {
        // those that come in one turn share a round
        await new Promise(setImmediate);
        if (waiters.size === 0) break;
        nudge = Promise.withResolvers();
        await round().catch(async () => {
          // Redis is away: its consumers get an answer no later than requested, and ask Redis themselves
          await Promise.race([sleep(RETRY_MS, undefined, { ref: false }), nudge.promise]);
          const now = performance.now();
          if ([...waiters].some(({ until }) => until <= now)) answerDue();
        });
      }
    } finally {
      running = false;
    }
  };

  return {
    wait: async (key, seconds, signal) => {
      signal.throwIfAborted();
      const now = performance.now();
      const { promise, resolve, reject } = Promise.withResolvers<Marker | null>();
      // idle consumers ask again together, and not each in a round of its own
      const waiter = { key, resolve, from: now + seconds * 500, until: now + seconds * 1_000 };
      const leave = () => {
        if (waiters.delete(waiter)) wake();
        reject(signal.reason as Error);
      };
      waiters.add(waiter);
      signal.addEventListener('abort', leave);
      if (!running) void run();
      else if (!listening?.has(key)) wake();
      return await promise.finally(() => signal.removeEventListener('abort', leave));
    },
  };
}
