import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { bookOf, expiryBuckets } from '#src/analytics/domain/book/expiry-buckets.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import { type SmileDynamics, volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import type { BucketFlips } from './bucket-flips-schema.ts';
import type { GammaFlips } from './flips-schema.ts';
import { gammaFlips, movingFlips } from './gamma-flips.ts';

export interface BucketFlipsInput {
  readonly book: Book;
  /** Epoch milliseconds of the book. */
  readonly asOf: number;
  /** Share of open interest with a volatility, null where there is no open interest. */
  readonly coverage: number | null;
  /** Sticky strike unless set. */
  readonly dynamics?: SmileDynamics;
  /** Flips of all expiries under the same dynamics, where they are known already: the slowest of the four. */
  readonly all?: GammaFlips;
}

/** Gamma flips of each bucket of expiries; a bucket without a position is `degraded_chain`. */
export function bucketFlips({ book, asOf, coverage, dynamics, all }: BucketFlipsInput): BucketFlips {
  const buckets = expiryBuckets(book, asOf);
  const slopes = dynamics && dynamics.regime !== 'sticky_strike' ? volatilitySlopes(book, dynamics) : null;
  const of = (chosen: readonly boolean[]): BucketFlips['all'] => {
    const part = bookOf(book, chosen);
    const { gex, gexAbs } = gammaSums(bookRows(part), { spot: book.spot });
    const found = (): GammaFlips =>
      slopes === null ? gammaFlips(part, coverage) : movingFlips(part, slopes, coverage);
    const flips = chosen === buckets.all && all !== undefined ? all : found();
    return { expiries: chosen.filter(Boolean).length, gex, gex_abs: gexAbs, flips };
  };
  return {
    vol_regime: dynamics?.regime ?? 'sticky_strike',
    zero_dte: of(buckets.zero_dte),
    week: of(buckets.week),
    monthly: of(buckets.monthly),
    all: of(buckets.all),
  };
}
