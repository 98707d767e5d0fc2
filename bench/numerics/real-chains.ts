import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';

const folder = new URL('../../../shared/data/cboe/', import.meta.url);

/** Texts of Cboe's CSV of one day, by symbol; those that are not at hand are left out. */
export function realChains(symbols: readonly MarketSymbol[] = ['SPX', 'SPY']): (readonly [MarketSymbol, string])[] {
  return symbols
    .map((symbol) => [symbol, new URL(`${symbol.toLowerCase()}-2023-09-14.csv.gz`, folder)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([symbol, file]) => [symbol, gunzipSync(readFileSync(file)).toString()] as const);
}
