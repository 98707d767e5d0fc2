import type { Book } from './book.ts';
import { exposureCoefficients } from './exposure-coefficients.ts';
import type { ExposureTable } from './exposure-table-schema.ts';
import { exposureUnits } from './exposures.ts';

/** Vanna exposure by strike and by expiry, in $ of delta per +1 vol point. */
export function vannaTable(book: Book): ExposureTable {
  return exposureTable(book, exposureCoefficients(book).vex, exposureUnits.vex);
}

/** Charm exposure by strike and by expiry, in $ of delta per calendar day passing. */
export function charmTable(book: Book): ExposureTable {
  return exposureTable(book, exposureCoefficients(book).cex, exposureUnits.cex);
}

interface Sums {
  net: number;
  calls: number;
  puts: number;
  gross: number;
}

/** Positions times what one contract adds, gathered twice; `perContract` is in the order of the book. */
export function exposureTable(book: Book, perContract: Float64Array, unit: string): ExposureTable {
  const empty = (): Sums => ({ net: 0, calls: 0, puts: 0, gross: 0 });
  const total = empty();
  const byStrike = new Map<number, Sums>();
  const byExpiry = book.expiries.map(empty);
  for (let i = 0; i < book.contracts; i++) {
    const n = book.position[i]!;
    if (n === 0) continue;
    const value = n * perContract[i]!;
    const isCall = book.isCall[i] === 1;
    let row = byStrike.get(book.strike[i]!);
    if (row === undefined) {
      row = empty();
      byStrike.set(book.strike[i]!, row);
    }
    add(row, value, isCall);
    add(byExpiry[book.expiry[i]!]!, value, isCall);
    add(total, value, isCall);
  }
  return {
    unit,
    ...total,
    by_strike: Array.from(byStrike, ([strike, sums]) => ({ strike, ...sums })).toSorted((a, b) => a.strike - b.strike),
    by_expiry: book.expiries
      .map(({ label, years }, e) => ({ expiry: label, years, ...byExpiry[e]! }))
      .toSorted((a, b) => a.years - b.years),
  };
}

function add(sums: Sums, value: number, isCall: boolean): void {
  sums.net += value;
  sums[isCall ? 'calls' : 'puts'] += value;
  sums.gross += Math.abs(value);
}
