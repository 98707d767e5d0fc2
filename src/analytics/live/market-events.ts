import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { SignalsTaken } from '#src/analytics/domain/signals/track-signals.ts';

/** Types of events on the stream of a symbol. */
export const marketEventTypes = ['gex', 'levels', 'regime', 'signals'] as const;
export type MarketEventType = (typeof marketEventTypes)[number];

type MarketEvents = readonly (readonly [type: MarketEventType, data: unknown])[];

/** Builds the events of a new chain for the stream of its symbol: one event a kind, but for its signals. */
export function marketEvents(analytics: ChainAnalytics): MarketEvents {
  const base = baseOf(analytics);
  const { exposures, flips, levels, regime } = analytics;
  const { net_gex, gex_abs, vex, cex, units } = exposures;
  return [
    ['gex', { ...base, net_gex, gex_abs, vex, cex, units }],
    ['levels', { ...base, flips, ...levels }],
    ['regime', { ...base, ...regime }],
  ];
}

/** Builds the events of the signals that the chain's figures make; none where signals were not computed. */
export function signalEvents(analytics: ChainAnalytics, taken: SignalsTaken | null): MarketEvents {
  return taken ? [['signals', { ...baseOf(analytics), signals: taken.made, current: taken.stored.current }]] : [];
}

function baseOf({ symbol, as_of, spot }: ChainAnalytics) {
  return { symbol, as_of, spot };
}
