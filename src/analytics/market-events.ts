import type { ChainAnalytics } from './domain/analytics-schema.ts';
import type { SignalsTaken } from './domain/track-signals.ts';

/** Types of events on the stream of a symbol. */
export const marketEventTypes = ['gex', 'levels', 'regime', 'signals'] as const;
export type MarketEventType = (typeof marketEventTypes)[number];

/** What the stream of a symbol tells of a new chain: one event a kind; of signals only where they were looked for. */
export function marketEvents(
  analytics: ChainAnalytics,
  taken: SignalsTaken | null,
): (readonly [type: MarketEventType, data: unknown])[] {
  const { symbol, as_of, spot, exposures, flips, levels, regime } = analytics;
  const base = { symbol, as_of, spot };
  const { net_gex, gex_abs, vex, cex, units } = exposures;
  return [
    ['gex', { ...base, net_gex, gex_abs, vex, cex, units }],
    ['levels', { ...base, flips, ...levels }],
    ['regime', { ...base, ...regime }],
    ...(taken ? [['signals', { ...base, signals: taken.made, current: taken.kept.current }] as const] : []),
  ];
}
