import type { ChainAnalytics } from '#src/analytics/domain/analytics-schema.ts';
import { sessionOf } from '#src/analytics/domain/exchange-calendar.ts';
import { marketFigures } from '#src/analytics/domain/market-figures.ts';
import type { MarketSymbol } from '#src/analytics/domain/symbols.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { newYorkDate } from '#src/analytics/domain/time.ts';
import { threadTask } from '#src/lib/thread-task.ts';

export interface BackfillTask {
  readonly symbol: MarketSymbol;
  /** Epoch milliseconds of the market. */
  readonly at: number;
  readonly seed: number;
  /** About how many contracts the chain has. */
  readonly contracts: number;
  readonly advUsd: number;
}

export interface Backfilled {
  readonly analytics: ChainAnalytics;
  readonly rawShare: number | null;
}

/** Markets of the past alone: among the days of ticks they would push out the one that runs. */
const markets = new Map<string, ReturnType<typeof openSyntheticMarket>>();

/**
 * What the history keeps of the synthetic market at an instant, as a tick computes it: figures of generation 1, which ask
 * for no trades, no closes and no shares of before.
 */
export default threadTask(({ symbol, at, seed, contracts, advUsd }: BackfillTask): Backfilled => {
  const name = `${seed} ${symbol} ${contracts}`;
  const market = markets.get(name) ?? openSyntheticMarket({ seed, symbol, contracts });
  markets.set(name, market);
  const figures = marketFigures({
    chain: market.chainAt(at),
    advUsd,
    session: sessionOf(newYorkDate(at)),
    realisedVolatility: null,
    open: null,
    flow: null,
    rawShares: [],
  });
  const first = figures.generations['1'];
  if (!first) throw new Error('expected the figures of generation 1, got none');
  return { analytics: first.analytics, rawShare: first.dsi.raw_share };
});
