import { settlementInstant, yearsBetween } from '#src/analytics/domain/calendar/time.ts';
import type { ChainExpiry } from './chain.ts';
import { parseOsiSeries } from './osi-symbol.ts';
import { type MarketSymbol, markets } from './symbols.ts';

type Found = number | 'malformed_symbol' | 'foreign_root' | 'expired';

export interface ExpiryTable {
  /** The expiries met so far, in order of appearance; none has settled at the chain's own timestamp. */
  readonly list: readonly ChainExpiry[];
  /** Index into the list for what an OSI symbol says before its C or P, or why it has none. */
  indexOf(series: string): Found;
}

/** Root and day decide the settlement: each series is worked out once and looked up for every other contract. */
export function createExpiryTable({
  symbol,
  asOf,
}: {
  readonly symbol: MarketSymbol;
  readonly asOf: number;
}): ExpiryTable {
  const list: ChainExpiry[] = [];
  const known = new Map<string, Found>();
  const { roots } = markets[symbol];
  const add = (series: string): Found => {
    const parsed = parseOsiSeries(series);
    if (!parsed) return 'malformed_symbol';
    const { root, date } = parsed;
    const settlement = Object.hasOwn(roots, root) ? roots[root] : undefined;
    if (!settlement) return 'foreign_root';
    const instant = settlementInstant(date, settlement);
    const years = yearsBetween(asOf, instant);
    if (!(years > 0)) return 'expired';
    list.push({ root, date, settlement, settlesAt: new Date(instant).toISOString(), years });
    return list.length - 1;
  };
  return {
    list,
    indexOf(series) {
      let found = known.get(series);
      if (found === undefined) {
        found = add(series);
        known.set(series, found);
      }
      return found;
    },
  };
}
