import type { Book } from '#src/analytics/domain/book/book.ts';
import { exposures } from './exposures.ts';

/** What one contract held long adds to each exposure, per row of a book, in the units of `exposureUnits`. */
export interface ExposureCoefficients {
  /** $ of delta. */
  readonly dex: Float64Array;
  /** $ of delta per +1 % spot; never below zero. */
  readonly gex: Float64Array;
  /** $ of delta per +1 vol point. */
  readonly vex: Float64Array;
  /** $ of delta per calendar day passing. */
  readonly cex: Float64Array;
}

/**
 * The exposures of each row per unit of position, at the book's own spot: exposures are linear in positions, so with
 * these every generation's numbers and their errors are sums.
 */
export function exposureCoefficients(book: Book): ExposureCoefficients {
  const column = () => new Float64Array(book.contracts);
  const coefficients = { dex: column(), gex: column(), vex: column(), cex: column() };
  exposures(book, book.spot, coefficients);
  return coefficients;
}
