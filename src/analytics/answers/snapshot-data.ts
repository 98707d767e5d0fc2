import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import { analyticsUnits, envelope, type Status, type Used } from './envelope.ts';

/** Share of unusable rows above which what is left says little of the market. */
const MOST_UNUSABLE = 0.2;

/** Rows that are left out as they should be: nothing of the chain is lost with them. */
const harmless = new Set(['expired', 'duplicate']);

/** `ok`, or what weighs on the figures. */
export function statusOf({ flips, regime, quality }: Pick<ChainAnalytics, 'flips' | 'regime' | 'quality'>): Status {
  const unusable = Object.entries(quality.dropped).reduce((n, [why, count]) => n + (harmless.has(why) ? 0 : count), 0);
  const isThinned = unusable > MOST_UNUSABLE * (unusable + quality.contracts_used);
  if (isThinned || flips.status === 'degraded_chain') return 'degraded_chain';
  return regime.state === null ? 'no_gamma' : 'ok';
}

/** Returns the data that the figures were computed from, for the envelope. */
export function usedIn(analytics: ChainAnalytics): Used[] {
  return [{ symbol: analytics.symbol, asOf: analytics.as_of, synthetic: isSynthetic(analytics) }];
}

/** Answer of `POST /v1/snapshot`: everything there is. */
export function snapshotAnswer(analytics: ChainAnalytics) {
  return envelope(usedIn(analytics), analyticsUnits, statusOf(analytics), analytics);
}
