import { isMarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';

/** Dollars traded per day in what a symbol's dealers hedge with; 0 where unknown, which leaves liquidity figures null. */
export function advUsdOf(symbol: string): number {
  return isMarketSymbol(symbol) ? markets[symbol].advUsd : 0;
}
