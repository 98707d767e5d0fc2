import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { formatOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import {
  openSyntheticMarket,
  type SyntheticMarket,
  type SyntheticMarketOptions,
} from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';

export const seed = 21;
const path = openMarketPath({ seed });

/** A market of the tests' seed, on one path for all symbols. */
export function syntheticMarket(symbol: MarketSymbol, options: Partial<SyntheticMarketOptions> = {}): SyntheticMarket {
  return openSyntheticMarket({ seed, symbol, path, ...options });
}

/** OSI symbols of a chain's rows. */
export function symbolsOf({ columns, expiries, contracts }: Chain): string[] {
  return Array.from({ length: contracts }, (_, i) => {
    const { root, date } = expiries[columns.expiry[i]!]!;
    return formatOsiSymbol({ root, date, isCall: columns.isCall[i] === 1, strike: columns.strike[i]! });
  });
}
