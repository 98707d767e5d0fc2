import type { ChainAnalytics } from '#src/analytics/domain/analytics-schema.ts';
import { analyzeChain } from '#src/analytics/domain/analyze-chain.ts';
import type { Chain } from '#src/analytics/domain/chain.ts';
import { cleanChain } from '#src/analytics/domain/clean-chain.ts';
import { generateChainCsv } from '#src/analytics/domain/generate-chain.ts';
import { readChain } from '#src/analytics/domain/read-chain.ts';
import type { RegimeState } from '#src/analytics/domain/regime.ts';
import type { MarketSymbol } from '#src/analytics/domain/symbols.ts';
import { threadTask } from '#src/lib/thread-task.ts';

export interface TickTask {
  readonly symbol: MarketSymbol;
  /** Epoch milliseconds of the market. */
  readonly at: number;
  readonly seed: string;
  readonly advUsd: number;
  readonly previousRegime?: RegimeState;
}

export interface Ticked {
  readonly chain: Chain;
  readonly analytics: ChainAnalytics;
}

/** The synthetic market of a symbol at an instant, and what follows from it. */
export default threadTask(({ symbol, at, seed, advUsd, previousRegime }: TickTask): Ticked => {
  const chain = cleanChain(readChain(generateChainCsv({ symbol, at, seed: Number(seed) || 1 }), symbol));
  return { chain, analytics: analyzeChain(chain, { advUsd, previousRegime }) };
});
