import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import type { PreviousRegimes } from '#src/analytics/domain/regime/regime.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';

export interface TickTask {
  readonly symbol: MarketSymbol;
  /** Epoch milliseconds of the market. */
  readonly at: number;
  readonly seed: number;
  /** About how many contracts the chain has. */
  readonly contracts: number;
  readonly advUsd: number;
  readonly previousRegimes?: PreviousRegimes;
}

export interface Ticked {
  readonly chain: Chain;
  readonly analytics: ChainAnalytics;
}

/** Markets of this thread: their days are costly to make and cheap to keep. */
const markets = new Map<string, ReturnType<typeof openSyntheticMarket>>();
const paths = new Map<number, ReturnType<typeof openMarketPath>>();

function openMarket({ symbol, seed, contracts }: TickTask) {
  const path = paths.get(seed) ?? openMarketPath({ seed });
  paths.set(seed, path);
  return openSyntheticMarket({ seed, symbol, contracts, path });
}

/** The synthetic market of a symbol at an instant, and what its stream tells of it. */
export default threadTask((task: TickTask): Ticked => {
  const { symbol, at, seed, contracts, advUsd, previousRegimes } = task;
  const name = `${seed} ${symbol} ${contracts}`;
  const market = markets.get(name) ?? openMarket(task);
  markets.set(name, market);
  const chain = market.chainAt(at);
  return { chain, analytics: analyzeChain(chain, { advUsd, previousRegime: previousRegimes?.['1'] }) };
});
