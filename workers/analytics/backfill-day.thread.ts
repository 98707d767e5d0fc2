import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import { marketFigures, rememberedOf } from '#src/analytics/domain/figures/market-figures.ts';
import type { Remembered } from '#src/analytics/domain/figures/snapshot-figures.ts';
import { syntheticTape } from '#src/analytics/domain/synthetic/flow-tape.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';

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
  readonly remembered: Remembered;
}

/** Markets of the past alone: among the days of ticks they would push out the one that runs. */
const markets = new Map<string, ReturnType<typeof openMarket>>();

function openMarket({ symbol, seed, contracts }: BackfillTask) {
  const market = openSyntheticMarket({ seed, symbol, contracts });
  return { market, tape: syntheticTape(market) };
}

/**
 * Computes the history's rows of the synthetic market at an instant, as a tick does: figures that need no closes and
 * nothing of before.
 */
export default threadTask((task: BackfillTask): Backfilled => {
  const { symbol, at, seed, contracts, advUsd } = task;
  const name = `${seed} ${symbol} ${contracts}`;
  const opened = markets.get(name) ?? openMarket(task);
  markets.set(name, opened);
  const { market, tape } = opened;
  const figures = marketFigures({
    chain: market.chainAt(at),
    advUsd,
    session: sessionOf(newYorkDate(at)),
    realisedVolatility: null,
    open: null,
    flow: tape(at),
  });
  const first = figures.generations['1'];
  if (!first) throw new Error('expected the figures of generation 1, got none');
  return { analytics: first.analytics, remembered: rememberedOf(figures) };
});
