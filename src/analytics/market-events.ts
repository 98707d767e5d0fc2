import type { ChainAnalytics } from './domain/analytics-schema.ts';

/** What the stream of a symbol tells of a new chain: one event a kind. */
export function marketEvents(analytics: ChainAnalytics): (readonly [type: string, data: unknown])[] {
  const { symbol, as_of, spot, exposures, flips, levels, regime } = analytics;
  const base = { symbol, as_of, spot };
  const { net_gex, gex_abs, vex, cex, units } = exposures;
  return [
    ['gex', { ...base, net_gex, gex_abs, vex, cex, units }],
    ['levels', { ...base, flips, ...levels }],
    ['regime', { ...base, ...regime }],
  ];
}
