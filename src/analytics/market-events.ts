import type { ChainAnalytics } from './domain/analytics-schema.ts';

/** Types of events on the stream of a symbol. */
export const marketEventTypes = ['gex', 'levels', 'regime'] as const;
export type MarketEventType = (typeof marketEventTypes)[number];

/** What the stream of a symbol tells of a new chain: one event a kind. */
export function marketEvents(analytics: ChainAnalytics): (readonly [type: MarketEventType, data: unknown])[] {
  const { symbol, as_of, spot, exposures, flips, levels, regime } = analytics;
  const base = { symbol, as_of, spot };
  const { net_gex, gex_abs, vex, cex, units } = exposures;
  return [
    ['gex', { ...base, net_gex, gex_abs, vex, cex, units }],
    ['levels', { ...base, flips, ...levels }],
    ['regime', { ...base, ...regime }],
  ];
}
