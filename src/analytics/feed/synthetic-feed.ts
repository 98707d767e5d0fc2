import type { Client } from 'pg';
import { tick } from '#queues/analytics.ts';
import { feedTime } from '#src/analytics/domain/calendar/feed-clock.ts';
import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { watchedSymbols } from '#src/analytics/live/market-audience.ts';
import { queueWorkers } from '#src/jobs/figures/queue-workers.ts';
import { readWaitingUserJobs } from '#src/jobs/read/waiting-user-jobs.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { isRecentNext, missingDays, requestDays } from './backfill-feed.ts';
import { feedOwner } from './feed.ts';

const SEARCH_MS = 3_600_000;
/** Time between two past days that are asked for while no client reads the market, the newest sessions aside. */
const QUIET_MS = 5_000;
/** A job of a caller that waits longer than this waits for the machine: a fleet that has room starts it in a tenth. */
const WAITING_MS = 200;

/**
 * Asks for a tick of each symbol of the synthetic market in each round. A symbol whose last tick has not ended is left
 * out, so that fleets that are away or slow find no pile of old ticks; one that no client reads is requested every
 * FEED_IDLE_MS alone. Beside them it asks, a few at a time, for past days that its history lacks: those long ago at leisure
 * while no client reads any symbol. While jobs of callers wait, or their processes have died, it requests nothing: the
 * market stops until they have started.
 */
export function openSyntheticFeed(context: Context, client: Client): (now: number) => Promise<void> {
  const { FEED_SPEED, FEED_FIGURES_MS, FEED_KEEP_MS, FEED_IDLE_MS } = context.config;
  const idle = everyNow(FEED_IDLE_MS);
  const full = everyNow(FEED_FIGURES_MS);
  const keep = everyNow(FEED_KEEP_MS);
  const isBehind = openBehind(context);
  let searchedAt = -Infinity;
  let requestedAt = -Infinity;
  let missing: Awaited<ReturnType<typeof missingDays>> = [];
  return async (now) => {
    if (await isBehind()) return;
    if (performance.now() - searchedAt > SEARCH_MS) {
      missing = await missingDays(context, client, now);
      searchedAt = performance.now();
    }
    const watched = await watchedSymbols(context);
    for (const symbol of await symbolsToTick(client)) {
      // looked up for each, so that one that is no longer looked at waits from its last tick on
      const isDue = idle(symbol, now);
      if (!isDue && !watched.has(symbol)) continue;
      const at = feedTime(now, FEED_SPEED);
      const payload = { symbol, at, order: now, full: full(symbol, now), keep: keep(symbol, now) };
      await submit(context, tick, { principal: feedOwner, payload, idempotencyKey: `tick ${symbol} ${now}` });
    }
    const isAtLeisure = watched.size === 0 && !isRecentNext(missing, now);
    if (isAtLeisure && performance.now() - requestedAt < QUIET_MS) return;
    requestedAt = performance.now();
    await requestDays(context, client, missing);
  };
}

/**
 * Checks whether no worker would tick, or the workers that would are behind with what callers wait for: once they are,
 * until nothing waits. Jobs that were recovered count from the death of their process on.
 */
function openBehind(context: Context): () => Promise<boolean> {
  let isBehind = false;
  return async () => {
    const workers = await queueWorkers(context)();
    if (workers(tick.name) === 0) return true;
    // a queue that no process consumes may wait for days
    const consumed = registryOf(context)
      .names()
      .filter((name) => workers(name) !== 0);
    const { now, oldest, isRecovering } = await readWaitingUserJobs(context, consumed);
    const waitedMs = oldest === null ? 0 : now.getTime() - oldest.getTime();
    isBehind = isRecovering || (oldest !== null && (isBehind || waitedMs > WAITING_MS));
    return isBehind;
  };
}

/**
 * Returns a check whether it is time again for a symbol: at once, and then every `ms`. After the first time the symbols
 * come one after the other, so that no moment has the work of all of them.
 */
function everyNow(ms: number): (symbol: MarketSymbol, now: number) => boolean {
  const next = new Map<MarketSymbol, number>();
  return (symbol, now) => {
    const due = next.get(symbol);
    if (due !== undefined && now < due) return false;
    const turn = due === undefined ? (ms * marketSymbols.indexOf(symbol)) / marketSymbols.length : 0;
    next.set(symbol, now + ms + turn);
    return true;
  };
}

/** Symbols that have no chain of a real market in the feed, and no tick under way. */
async function symbolsToTick(client: Client): Promise<readonly MarketSymbol[]> {
  const { rows } = await client.query<{ symbol: string }>(
    `select payload->>'symbol' as symbol from jobs where queue = $1 and state in ('queued', 'running')
     union select symbol from chains where owner is null and not synthetic`,
    [tick.name],
  );
  const left = new Set(rows.map(({ symbol }) => symbol));
  return marketSymbols.filter((symbol) => !left.has(symbol));
}
