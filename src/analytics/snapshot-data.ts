import type { ChainAnalytics } from './domain/analytics-schema.ts';
import { isSynthetic } from './domain/is-synthetic.ts';
import { envelope, type Used } from './envelope.ts';
import { gexFields } from './schemas.ts';
import { analyticsUnits } from './units.ts';

/** Share of unusable rows above which what is left says little of the market. */
const MOST_UNUSABLE = 0.2;

/** Rows that are left out as they should be: nothing of the chain is lost with them. */
const harmless = new Set(['expired', 'duplicate']);

/** `ok`, or what weighs on the figures. */
export function statusOf({ flips, regime, quality }: Pick<ChainAnalytics, 'flips' | 'regime' | 'quality'>): string {
  const unusable = Object.entries(quality.dropped).reduce((n, [why, count]) => n + (harmless.has(why) ? 0 : count), 0);
  const isThinned = unusable > MOST_UNUSABLE * (unusable + quality.contracts_used);
  if (isThinned || flips.status === 'degraded_chain') return 'degraded_chain';
  return regime.state === null ? 'no_gamma' : 'ok';
}

/** What the figures were computed from, for the envelope. */
export function usedIn(analytics: ChainAnalytics): Used[] {
  return [{ symbol: analytics.symbol, asOf: analytics.as_of, synthetic: isSynthetic(analytics) }];
}

/** Answer of `POST /v1/snapshot`: everything there is. */
export function snapshotAnswer(analytics: ChainAnalytics) {
  return envelope(usedIn(analytics), analyticsUnits, statusOf(analytics), analytics);
}

/** Data of `GET /v1/gex`: what concerns gamma, and the chain's own share of it. */
export function gexData(analytics: ChainAnalytics, feed: 'configured' | 'own') {
  return {
    feed,
    net_gex: analytics.exposures.net_gex,
    gex_abs: analytics.exposures.gex_abs,
    ...Object.fromEntries(gexFields.map((field) => [field, analytics[field]])),
  };
}

/** Data of `GET /v1/regime`. */
export function regimeData({ spot, exposures, regime, flips }: ChainAnalytics) {
  const { net_gex, gex_abs } = exposures;
  return { spot, net_gex, gex_abs, flip: flips.primary?.level ?? null, ...regime };
}

/** Data of `GET /v1/levels`. */
export function levelsData({ spot, levels, flips, expiries }: ChainAnalytics) {
  return {
    spot,
    ...levels,
    flips,
    max_pain: expiries.map(({ root, date, max_pain }) => ({ root, date, max_pain })),
  };
}
