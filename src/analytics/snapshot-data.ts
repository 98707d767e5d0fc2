import type { StoredChain } from './chain-store.ts';
import type { ChainAnalytics } from './domain/analytics-schema.ts';
import { isSynthetic } from './domain/is-synthetic.ts';
import { envelope } from './envelope.ts';
import { analyticsUnits } from './units.ts';

/** `ok`, or what weighs on the figures. */
function statusOf({ flips, regime }: ChainAnalytics): string {
  if (flips.status === 'degraded_chain') return 'degraded_chain';
  return regime.state === null ? 'no_gamma' : 'ok';
}

const used = (analytics: ChainAnalytics) => [
  { symbol: analytics.symbol, asOf: analytics.as_of, synthetic: isSynthetic(analytics) },
];

/** Answer of `POST /v1/snapshot`: everything there is. */
export function snapshotAnswer(analytics: ChainAnalytics) {
  return envelope(used(analytics), analyticsUnits, statusOf(analytics), analytics);
}

/** Answer of `GET /v1/gex`: what concerns gamma, and the chain's own share of it. */
export function gexAnswer(analytics: ChainAnalytics, chain: Pick<StoredChain, 'owner'>) {
  const { spot, exposures, flips, levels, regime, profile_by_strike, gamma_profile, quality } = analytics;
  return envelope(used(analytics), analyticsUnits, statusOf(analytics), {
    feed: chain.owner === null ? ('configured' as const) : ('own' as const),
    spot,
    net_gex: exposures.net_gex,
    gex_abs: exposures.gex_abs,
    exposures,
    flips,
    levels,
    regime,
    profile_by_strike,
    gamma_profile,
    quality,
  });
}
