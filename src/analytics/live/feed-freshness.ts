import { type FeedStatus, type Freshness, unjudged } from '#src/analytics/answers/envelope.ts';
import { freshness, problemField, stampField, unfitField } from '#src/analytics/answers/freshness.ts';
import { readStoredChain } from '#src/analytics/chains/chain-store.ts';
import type { FeedStamp } from '#src/analytics/domain/calendar/feed-clock.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { ErrorCode } from '#src/lib/error-codes.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { liveKeys, marketName, readAnswers } from './publish-live.ts';

/** Reads the age of the newest data of a symbol's feed now, and the feed's status; nothing before its first data. */
export async function feedFreshness(context: Pick<Context, 'redis' | 'config'>, symbol: string): Promise<Freshness> {
  const [stamp, problem, unfit] = await readAnswers(context, marketName(symbol), [
    stampField,
    problemField,
    unfitField,
  ]);
  if (!stamp) return unjudged;
  const status = (problem || unfit || 'ok') as FeedStatus;
  return freshness(context.config, JSON.parse(stamp) as FeedStamp, status, Date.now());
}

/**
 * The instant that is now for a symbol's market, just behind its newest data: that of the clock, or where a synthetic
 * market is that shows a session again. What its history has of later in that session is of the future.
 */
export async function marketNow(context: Pick<Context, 'redis' | 'config'>, symbol: string): Promise<Date> {
  const now = Date.now();
  const [text] = await readAnswers(context, marketName(symbol), [stampField]);
  if (!text) return new Date(now);
  const { asOf, synthetic } = JSON.parse(text) as FeedStamp;
  return new Date(synthetic ? Math.min(now, asOf + 1) : now);
}

/**
 * Reads the age of figures that were computed from several stored chains; nothing where one is not the feed's or is
 * gone.
 */
export async function chainsFreshness(context: Context, chains: readonly string[]): Promise<Freshness> {
  return oldest(
    await Promise.all(
      chains.map(async (id) => {
        const stored = await readStoredChain(context, id);
        return stored && stored.owner === null ? await feedFreshness(context, stored.symbol) : unjudged;
      }),
    ),
  );
}

/**
 * Combines several into what holds for all of them: the greatest age and the first trouble; nothing where one has none.
 */
export function oldest(all: readonly Freshness[]): Freshness {
  if (all.length === 0 || all.some(({ stale }) => stale === null)) return unjudged;
  return {
    stale: all.some(({ stale }) => stale === true),
    age_seconds: Math.max(...all.map(({ age_seconds }) => age_seconds ?? 0)),
    feed_status: all.find(({ feed_status }) => feed_status !== 'ok')?.feed_status ?? 'ok',
  };
}

/** Writes the age into an envelope. A status other than `ok` says more than that the answer is old, and stays. */
export function withAge<T extends { readonly status: string }>(answer: T, fresh: Freshness) {
  return { ...answer, ...fresh, status: fresh.stale && answer.status === 'ok' ? 'stale' : answer.status };
}

/** Fills the gauges of the live feeds from Redis at every scrape. A symbol whose feed never published has none. */
export function gaugeFeeds(context: Context): void {
  const {
    proofline_market_feed_age_seconds: age,
    proofline_market_feed_stale: stale,
    proofline_market_feed_trouble: trouble,
  } = context.metrics;
  fillGauges(context, [age, stale, trouble], async () => {
    for (const symbol of marketSymbols) {
      const fresh = await feedFreshness(context, symbol);
      if (fresh.age_seconds === null) continue;
      age.set({ symbol }, fresh.age_seconds);
      stale.set({ symbol }, fresh.stale ? 1 : 0);
      trouble.set({ symbol }, fresh.feed_status === 'ok' ? 0 : 1);
    }
  });
}

const statusOf: Partial<Record<ErrorCode, FeedStatus>> = {
  invalid_chain: 'invalid',
  malformed_body: 'invalid',
  invalid_payload: 'refused',
  payload_too_large: 'refused',
};

/** Returns the status of a feed whose request ended in this error. */
export function feedStatusOf(error: unknown): FeedStatus {
  if (!(error instanceof AppError)) return 'unavailable';
  return error.details['half'] === true ? 'half_chain' : (statusOf[error.code] ?? 'unavailable');
}

/** Adds the status of a feed's last request to every later answer of its symbol. */
export async function publishFeedStatus(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  symbol: string,
  status: FeedStatus,
): Promise<void> {
  const { answers } = liveKeys(config, marketName(symbol));
  await (status === 'ok' ? redis.hdel(answers, problemField) : redis.hset(answers, problemField, status));
}

/** Says in every answer of a symbol's feed that its newest chain could not be computed, until one can. */
export async function publishUnfit(
  { redis, config }: Pick<Context, 'redis' | 'config'>,
  symbol: string,
): Promise<void> {
  await redis.hset(liveKeys(config, marketName(symbol)).answers, unfitField, 'invalid' satisfies FeedStatus);
}
