import type { Client } from 'pg';
import { take } from '#queues/analytics.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { feedOwner } from './feed.ts';
import type { Validators } from './fetch-quotes.ts';
import { symbolsTaken } from './symbols-taken.ts';

const HOUR_MS = 3_600_000;
/** Longest wait that a server may ask for and gets. */
const MOST_REQUESTED_MS = 24 * HOUR_MS;

interface PollOutcome {
  /** Least time between two requests, ms. */
  readonly everyMs: number;
  /** Requests in a row that gave nothing usable. */
  readonly failures: number;
  /** Delay that the server requested, ms; 0 without. */
  readonly requestedMs: number;
}

/**
 * Time until the next request, ms: the interval, doubled with each failure up to an hour, and up to a tenth more, so that
 * many who began together do not stay together; never less than the server requested, up to a day.
 */
export function pollDelay({ everyMs, failures, requestedMs }: PollOutcome, random: () => number = Math.random): number {
  const wait = Math.min(everyMs * 2 ** Math.min(failures, 20), Math.max(everyMs, HOUR_MS));
  return Math.max(Math.round(wait * (1 + random() / 10)), Math.min(requestedMs, MOST_REQUESTED_MS));
}

/** State of a symbol's document between two requests. */
export interface PollState extends Validators {
  /** SHA-256 of the last document that was taken, hexadecimal. */
  readonly digest: string | null;
  /** Requests in a row that gave nothing usable. */
  readonly failures: number;
  /** No request before, epoch milliseconds. */
  readonly notBefore: number;
}

const initial: PollState = { etag: null, modified: null, digest: null, failures: 0, notBefore: 0 };

function keyOf({ config }: Pick<Context, 'config'>, symbol: string): string {
  return `{${config.REDIS_PREFIX}-poll-${symbol}}`;
}

/** In Redis: where it is lost, the document is requested once more. */
export async function readPollState(context: Pick<Context, 'redis' | 'config'>, symbol: string): Promise<PollState> {
  const text = await context.redis.get(keyOf(context, symbol));
  return text === null ? initial : (JSON.parse(text) as PollState);
}

export async function keepPollState(
  context: Pick<Context, 'redis' | 'config'>,
  symbol: string,
  state: PollState,
): Promise<void> {
  await context.redis.set(keyOf(context, symbol), JSON.stringify(state));
}

/** Asks for at most one symbol's document in each round, of those whose time has come: they never come all at once. */
export function openPolledFeed(context: Context, client: Client): (now: number) => Promise<void> {
  return async (now) => {
    const underWay = await symbolsTaken(client);
    const idle = marketSymbols.filter((symbol) => !underWay.has(symbol));
    const states = await Promise.all(idle.map((symbol) => readPollState(context, symbol)));
    const due = idle
      .map((symbol, index) => ({ symbol, from: states[index]?.notBefore ?? 0 }))
      .filter(({ from }) => from <= now)
      .toSorted((a, b) => a.from - b.from)[0];
    if (due) await submit(context, take, { principal: feedOwner, payload: { symbol: due.symbol } });
  };
}
