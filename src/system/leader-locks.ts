import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Config } from '#src/system/config/config-type.ts';
import { cutDirect, endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import type { Context } from './context.ts';
import { perContext } from './per-context.ts';

/**
 * The server takes the locks from a process that sent nothing for so long: a stopped one, or one whose machine is gone.
 */
const IDLE_MS = 5_000;
/** Time between two looks, each of which also shows that this process lives. */
const LOOK_MS = 500;
/** A release waits no longer for a server that does not answer. */
const RELEASE_MS = 500;

/** Text that the lock of a name is taken by: two systems with one database server do not share it. */
export const lockKey = ({ REDIS_PREFIX }: Config, name: string): string => `proofline:${REDIS_PREFIX}:${name}`;

/** A lock that is held. */
export interface HeldLock {
  /** Aborted when the session is lost, and the lock with it. */
  readonly lost: AbortSignal;
  readonly release: () => Promise<void>;
}

interface Session {
  /** Fulfilled with the lock of this name once it is ours, with null when the signal is aborted before. */
  readonly take: (name: string, signal: AbortSignal) => Promise<HeldLock | null>;
  /** True once it takes no more. */
  readonly isOver: () => boolean;
  /** Fulfilled once its connection is closed. */
  readonly ended: Promise<void>;
}

interface Waiting {
  readonly key: string;
  readonly resolve: (lock: HeldLock | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes advisory locks. All those of a process are in one session, whose one statement twice a second keeps them, and
 * asks for those that are wanted. The session is there while any lock is wanted or held.
 */
export const leaderLocks = perContext((context: Context): Session['take'] => {
  let session: Session | undefined;
  context.onClose(async () => await session?.ended);
  return async (name, signal) => {
    if (session === undefined || session.isOver()) session = openSession(context.config);
    return await session.take(name, signal);
  };
});

function openSession(config: Config): Session {
  const waiting = new Set<Waiting>();
  const held = new Set<string>();
  /** Locks to be given back, each with who waits for that. */
  const leaving = new Map<string, () => void>();
  const lost = new AbortController();
  let rest = new AbortController();
  let over = false;
  const isUsed = () => waiting.size + held.size > 0;

  const heldLock = (client: Client, key: string): HeldLock => ({
    lost: lost.signal,
    release: async () => {
      // the lock of a session that is gone is free
      if (over) return;
      const { promise, resolve } = Promise.withResolvers<true>();
      leaving.set(key, () => resolve(true));
      rest.abort();
      if (await Promise.race([promise, sleep(RELEASE_MS, false, { ref: false })])) return;
      // without another lock the session ends now, and this lock with it; else others keep theirs, and the next look gives it back
      if (waiting.size === 0 && held.size === leaving.size) cutDirect(client);
    },
  });

  /** Gives back what is no longer held, and asks for what is wanted. */
  const look = async (client: Client) => {
    const left = [...leaving.keys()];
    if (left.length > 0)
      await client.query('select pg_advisory_unlock(hashtextextended(key, 0)) from unnest($1::text[]) as key', [left]);
    for (const key of left) {
      held.delete(key);
      leaving.get(key)?.();
      leaving.delete(key);
    }
    // a session may take a lock twice, and two parts of this process would lead
    const keys = [...new Set([...waiting].map(({ key }) => key))].filter((key) => !held.has(key));
    const { rows } = await client.query<{ key: string; mine: boolean }>(
      'select key, pg_try_advisory_lock(hashtextextended(key, 0)) as mine from unnest($1::text[]) as key',
      [keys],
    );
    for (const { key } of rows.filter(({ mine }) => mine)) {
      held.add(key);
      const first = [...waiting].find((one) => one.key === key);
      const lock = heldLock(client, key);
      // the part that wanted it may have stopped meanwhile
      if (first === undefined) void lock.release();
      else {
        waiting.delete(first);
        first.resolve(lock);
      }
    }
  };

  const run = async () => {
    const client = await openDirect(config, 'leader', (error) => lost.abort(error), {
      answerMs: IDLE_MS,
      idleMs: IDLE_MS,
    });
    try {
      while (isUsed() && !lost.signal.aborted) {
        rest = new AbortController();
        await look(client);
        if (!isUsed()) break;
        await sleep(LOOK_MS, undefined, { signal: AbortSignal.any([rest.signal, lost.signal]) }).catch(() => {});
      }
    } catch (error) {
      // at once: others may lead before its connection is closed
      lost.abort(error);
      throw error;
    } finally {
      over = true;
      await endDirect(client);
    }
  };

  /** Ends the session for all that wait for or hold a lock of it. */
  const end = (error: unknown) => {
    over = true;
    lost.abort(error);
    for (const { reject } of waiting) reject(lost.signal.reason);
    waiting.clear();
    for (const left of leaving.values()) left();
    leaving.clear();
  };
  const ended = run().then(() => end(new Error('the session of the locks ended')), end);

  return {
    ended,
    isOver: () => over,
    take: async (name, signal) => {
      if (signal.aborted) return null;
      const { promise, resolve, reject } = Promise.withResolvers<HeldLock | null>();
      const mine = { key: lockKey(config, name), resolve, reject };
      const giveUp = () => {
        waiting.delete(mine);
        resolve(null);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(mine);
      rest.abort();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}
