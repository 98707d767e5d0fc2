import type { Book } from '#src/analytics/domain/book/book.ts';
import { type DealerPositions, describe } from '#src/analytics/domain/positions/dealer-positions.ts';
import { groupMoments, strikeGroups } from '#src/analytics/domain/positions/group-moments.ts';
import type { ExposureTable } from './exposure-table-schema.ts';
import { type ExposureCoefficients, exposureCoefficients, exposureUnits } from './exposures.ts';

/** Vanna exposure by strike and by expiry, in $ of delta per +1 vol point. */
export function vannaTable(
  book: Book,
  positions: DealerPositions,
  { vex }: Pick<ExposureCoefficients, 'vex'> = exposureCoefficients(book),
): ExposureTable {
  return exposureTable(book, positions, vex, exposureUnits.vex);
}

/** Charm exposure by strike and by expiry, in $ of delta per calendar day passing. */
export function charmTable(
  book: Book,
  positions: DealerPositions,
  { cex }: Pick<ExposureCoefficients, 'cex'> = exposureCoefficients(book),
): ExposureTable {
  return exposureTable(book, positions, cex, exposureUnits.cex);
}

interface Sums {
  net: number;
  calls: number;
  puts: number;
  gross: number;
}

/**
 * Positions times what one contract adds, gathered twice, each row with its error from positioning; `perContract` is in
 * the order of the book, whose own positions are not read.
 */
export function exposureTable(
  book: Book,
  positions: DealerPositions,
  perContract: Float64Array,
  unit: string,
): ExposureTable {
  const { strikes, group } = strikeGroups(book.strike);
  const expiry = Uint32Array.from(book.expiry);
  const byStrike = gather(book, positions, perContract, { group, groups: strikes.length });
  const byExpiry = gather(book, positions, perContract, { group: expiry, groups: book.expiries.length });
  const total = empty();
  for (let i = 0; i < book.contracts; i++) add(total, positions.mean[i]! * perContract[i]!, book.isCall[i] === 1);
  return {
    unit,
    ...total,
    by_strike: byStrike
      .map((row, k) => ({ strike: strikes[k]!, ...row }))
      .filter(({ gross, sd }) => gross > 0 || (sd !== null && sd > 0)),
    by_expiry: book.expiries
      .map(({ label, years }, e) => ({ expiry: label, years, ...byExpiry[e]! }))
      .toSorted((a, b) => a.years - b.years),
  };
}

/** Sums of each group of rows, and what is known of the error of its net. */
function gather(
  { isCall, contracts }: Book,
  positions: DealerPositions,
  perContract: Float64Array,
  { group, groups }: { readonly group: Uint32Array; readonly groups: number },
) {
  const sums = Array.from({ length: groups }, empty);
  for (let i = 0; i < contracts; i++) add(sums[group[i]!]!, positions.mean[i]! * perContract[i]!, isCall[i] === 1);
  const moments = groupMoments(positions, perContract, group, groups);
  return sums.map((row, g) => {
    const { sd, p_positive } = describe(positions, row.net, moments.variance[g]!);
    return { ...row, sd, p_positive };
  });
}

function empty(): Sums {
  return { net: 0, calls: 0, puts: 0, gross: 0 };
}

function add(sums: Sums, value: number, isCall: boolean): void {
  sums.net += value;
  sums[isCall ? 'calls' : 'puts'] += value;
  sums.gross += Math.abs(value);
}
