import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { brokerName, type Versioned } from '#src/jobs/broker/broker-names.ts';
import { openTaker, type Taken, type Taker } from '#src/jobs/broker/taker.ts';
import { type Claimed, openClaims } from '#src/jobs/run/claim-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';

/** Entries that one look at a queue takes. */
const TOGETHER = 64;
/** Pause after the broker did not answer. */
const RETRY_MS = 250;
/** A queue that no worker has waited for so long is closed. */
const IDLE_MS = 30_000;
/** For a look at the broker to come back once the wait is over; then it is not waited for. */
const GRACE_MS = 500;

/** A worker's wish for jobs. */
export interface Ask {
  readonly worker: string;
  readonly takes: readonly Versioned[];
  /** Hands it has free. */
  readonly credits: number;
  /** True where it runs nothing: then it may be given a suspect, which runs alone. */
  readonly isIdle: boolean;
  readonly waitMs: number;
  /** Ends the wait: its caller has left, or there is something else to tell it. */
  readonly signal: AbortSignal;
}

/** A job that a worker got, with the token of its claim. */
export interface Given extends Claimed {
  readonly token: string;
}

interface Waiter {
  readonly worker: string;
  readonly credits: number;
  /** Hands that nothing is being taken for. */
  free: number;
  /** Hands that a look at the broker is under way for. */
  reserved: number;
  claiming: number;
  /** True while a suspect is taken for it, or is given to it: that one runs alone. */
  isAlone: boolean;
  /** True once nothing more is taken for it. */
  isOver: boolean;
  /** True once looks at the broker are no longer waited for. */
  isLate: boolean;
  /** True once it was answered. */
  isGone: boolean;
  readonly given: Given[];
  readonly changed: () => void;
}

/** A queue of the broker that workers wait for in this process. */
interface Source {
  readonly queue: string;
  readonly suspects: boolean;
  readonly taker: Taker;
  readonly waiters: Set<Waiter>;
  changed: PromiseWithResolvers<void>;
  isRunning: boolean;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Hands out jobs to workers elsewhere: takes from the broker for the hands that wait in this process, and nothing beyond
 * them; claims it in the worker's name; answers as soon as there is something, or with nothing
 * when the wait is over. What it answers is claimed, also where the caller has left meanwhile.
 */
export const handsOf = perContext((context: Context) => {
  const sources = new Map<string, Source>();
  const claims = { plain: openClaims(context, false), suspects: openClaims(context, true) };
  const closing = new AbortController();
  context.onClose(async () => {
    closing.abort();
    for (const { changed, idle } of sources.values()) {
      clearTimeout(idle);
      changed.resolve();
    }
    await Promise.allSettled([...sources.values()].map(({ taker }) => taker.close()));
  });

  const sourceOf = (versioned: Versioned, suspects: boolean): Source => {
    const name = brokerName(versioned, suspects);
    let source = sources.get(name);
    if (!source) {
      const taker = openTaker(context, versioned, suspects);
      const { queue } = versioned;
      const changed = Promise.withResolvers<void>();
      source = { queue, suspects, taker, waiters: new Set(), changed, isRunning: false, idle: undefined };
      sources.set(name, source);
    }
    clearTimeout(source.idle);
    return source;
  };

  const leave = (source: Source, waiter: Waiter) => {
    source.waiters.delete(waiter);
    source.changed.resolve();
    if (source.waiters.size > 0) return;
    source.idle = setTimeout(() => {
      for (const [name, known] of sources) if (known === source) sources.delete(name);
      void source.taker.close().catch(() => {});
    }, IDLE_MS).unref();
  };

  const claim = async (source: Source, waiter: Waiter, { id, dispatch, done }: Taken) => {
    const token = randomUUID();
    waiter.claiming++;
    const kind = source.suspects ? claims.suspects : claims.plain;
    const claimed = await kind({ id, dispatch, token, worker: waiter.worker }).catch((error: unknown) => {
      void logFailure(context, error, { job: id }, 'a claim failed; the audit will deliver it again');
      return null;
    });
    done();
    waiter.claiming--;
    if (claimed) waiter.given.push({ ...claimed, token });
    else {
      giveBack(source, waiter);
      context.metrics.proofline_claims_refused_total.inc({ queue: source.queue });
    }
    waiter.changed();
  };

  /** One look at a queue, for the hands that are free now. Answers whether there may be more. */
  const look = async (source: Source, hands: readonly Waiter[]): Promise<boolean> => {
    const entries = await source.taker.take(hands.length).catch((error: unknown) => {
      void logFailure(context, error, { queue: source.queue }, 'the broker did not answer; asking again');
      return null;
    });
    for (const [index, waiter] of hands.entries()) {
      waiter.reserved--;
      const entry = entries?.[index];
      // one whose wait ended while the broker hung: the audit delivers the entry again
      if (entry && waiter.isGone) entry.done();
      else if (entry) void claim(source, waiter, entry);
      else giveBack(source, waiter);
      waiter.changed();
    }
    if (entries === null) await sleep(RETRY_MS, undefined, { ref: false });
    return entries === null || entries.length === hands.length;
  };

  /** Takes for the hands that wait, until none waits any more. */
  const run = async (source: Source) => {
    source.isRunning = true;
    const leaving = new AbortController();
    let news: Promise<void> | undefined;
    while (source.waiters.size > 0 && !closing.signal.aborted) {
      source.changed = Promise.withResolvers();
      const hands = reserve(source);
      if (hands.length > 0 && (await look(source, hands))) continue;
      if (hands.length === 0) {
        await source.changed.promise;
        continue;
      }
      news ??= source.taker
        .untilNews(leaving.signal)
        .catch(() => {})
        .finally(() => (news = undefined));
      // after a look that found nothing: those whose hands come free, this queue's own among them, need no other look
      while (news !== undefined && source.waiters.size > 0 && !closing.signal.aborted) {
        source.changed = Promise.withResolvers();
        await Promise.race([news, source.changed.promise]);
      }
    }
    leaving.abort();
    source.isRunning = false;
  };

  return async ({ worker, takes, credits, isIdle, waitMs, signal }: Ask): Promise<readonly Given[]> => {
    if (credits <= 0) {
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
      return [];
    }
    const over = Promise.withResolvers<void>();
    // a queue that is named twice is one: its end would be told twice
    const joined = new Set(
      takes.flatMap((versioned) =>
        isIdle ? [sourceOf(versioned, false), sourceOf(versioned, true)] : [sourceOf(versioned, false)],
      ),
    );
    const waiter: Waiter = {
      worker,
      credits,
      free: credits,
      reserved: 0,
      claiming: 0,
      isAlone: false,
      isOver: false,
      isLate: false,
      isGone: false,
      given: [],
      changed: () => {
        if (waiter.claiming > 0 || waiter.isGone) return;
        if (waiter.given.length > 0) waiter.isOver = true;
        if (waiter.isOver && (waiter.reserved === 0 || waiter.isLate)) over.resolve();
        for (const source of joined) source.changed.resolve();
      },
    };
    const end = () => {
      waiter.isOver = true;
      waiter.changed();
      grace = setTimeout(() => {
        waiter.isLate = true;
        waiter.changed();
      }, GRACE_MS);
    };
    let grace: NodeJS.Timeout | undefined;
    const timer = setTimeout(end, waitMs);
    signal.addEventListener('abort', end, { once: true });
    for (const source of joined) {
      source.waiters.add(waiter);
      source.changed.resolve();
      if (!source.isRunning) void run(source);
    }
    if (signal.aborted) end();
    await over.promise;
    waiter.isGone = true;
    clearTimeout(timer);
    clearTimeout(grace);
    signal.removeEventListener('abort', end);
    for (const source of joined) leave(source, waiter);
    return waiter.given;
  };
});

/** A hand for which nothing came, or what came could not be claimed. */
function giveBack({ suspects }: Source, waiter: Waiter): void {
  waiter.free++;
  if (suspects) waiter.isAlone = false;
}

/** One waiter for each hand that is free, in turn; their hands are reserved until they are given back. */
function reserve({ waiters, suspects }: Source): Waiter[] {
  const hands: Waiter[] = [];
  const take = (waiter: Waiter) => {
    waiter.free--;
    waiter.reserved++;
    waiter.isAlone = suspects;
    hands.push(waiter);
  };
  if (suspects) {
    // a suspect runs alone: for a worker that nothing else is taken for
    for (const waiter of waiters) if (!waiter.isOver && waiter.free === waiter.credits) take(waiter);
    return hands;
  }
  for (let isMore = true; isMore && hands.length < TOGETHER; ) {
    isMore = false;
    for (const waiter of waiters) {
      if (waiter.isOver || waiter.isAlone || waiter.free <= 0 || hands.length >= TOGETHER) continue;
      take(waiter);
      isMore = true;
    }
  }
  return hands;
}
