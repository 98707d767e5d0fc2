import type { Book } from '#src/analytics/domain/book/book.ts';
import { type DealerPositions, describe, estimate } from '#src/analytics/domain/positions/dealer-positions.ts';
import { groupMoments, strikeGroups } from '#src/analytics/domain/positions/group-moments.ts';
import type { ExposureEstimates } from './exposure-estimates-schema.ts';
import { type ExposureCoefficients, exposureCoefficients, exposureUnits } from './exposures.ts';

/**
 * DEX, GEX, VEX and CEX of a book, and GEX by strike and by expiry, under the positions of a generation; the book's own are not read.
 */
export function exposureEstimates(
  book: Book,
  positions: DealerPositions,
  coefficients: ExposureCoefficients = exposureCoefficients(book),
): ExposureEstimates {
  const { dex, gex, vex, cex } = coefficients;
  return {
    dex: estimate(positions, dex),
    gex: estimate(positions, gex),
    vex: estimate(positions, vex),
    cex: estimate(positions, cex),
    gex_abs: gex.reduce((sum, c, i) => sum + c * book.openInterest[i]!, 0),
    units: exposureUnits,
    gex_by_strike: byStrike(book, positions, gex),
    gex_by_expiry: byExpiry(book, positions, gex),
  };
}

function byStrike(book: Book, positions: DealerPositions, gex: Float64Array): ExposureEstimates['gex_by_strike'] {
  const { strikes, group } = strikeGroups(book.strike);
  const moments = groupMoments(positions, gex, group, strikes.length);
  const rows: ExposureEstimates['gex_by_strike'] = [];
  for (const [k, strike] of strikes.entries()) {
    const { value, sd, p_positive } = describe(positions, moments.value[k]!, moments.variance[k]!);
    if (value === 0 && (sd === null || sd === 0)) continue;
    rows.push({ strike, gex: value, sd, p_positive });
  }
  return rows;
}

function byExpiry(
  { expiries, expiry }: Book,
  positions: DealerPositions,
  gex: Float64Array,
): ExposureEstimates['gex_by_expiry'] {
  const { value, variance } = groupMoments(positions, gex, Uint32Array.from(expiry), expiries.length);
  return expiries
    .map(({ label, years }, e) => {
      const { value: net, sd, p_positive } = describe(positions, value[e]!, variance[e]!);
      return { expiry: label, years, gex: net, sd, p_positive };
    })
    .toSorted((a, b) => a.years - b.years);
}
