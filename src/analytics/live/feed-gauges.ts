import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { feedFreshness } from './feed-freshness.ts';

/** Fills the gauges of the live feeds from Redis at every scrape. A symbol whose feed never told anything has none. */
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
