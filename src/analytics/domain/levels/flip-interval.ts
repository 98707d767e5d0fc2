import type { Book } from '#src/analytics/domain/book/book.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { VOLATILITY_FLOOR, volatilityMoves } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { bucketCount, type DealerPositions, statesError } from '#src/analytics/domain/positions/dealer-positions.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import type { FlipInterval } from './flip-interval-schema.ts';
import type { GammaFlip, GammaFlips } from './flips-schema.ts';
import { gammaFlips, movingFlips } from './gamma-flips.ts';

export interface FlipIntervalOptions {
  /** The primary flip of the book under `positions.mean`; null if there is none. */
  readonly primary: GammaFlip | null;
  /** Share of open interest the book holds, as `gammaFlips` takes it. */
  readonly coverage: number | null;
  /** dσ/d ln S of each expiry under which `primary` was found; sticky strike without. */
  readonly slopes?: Float64Array | undefined;
}

/**
 * The primary flip re-rooted with the positions one standard deviation of gamma to either side. The positions move as
 * is most likely if net gamma at the flip was one sd higher or lower: each by its covariance with that gamma over its
 * sd. Costs two searches for flips.
 */
export function flipInterval(
  book: Book,
  positions: DealerPositions,
  { primary, coverage, slopes }: FlipIntervalOptions,
): FlipInterval {
  // a generation that states no error has no interval, whether or not it has a flip
  if (!statesError(positions)) return { ...nothing, status: 'no_sd', method: 'shift' };
  if (primary === null) return { ...nothing, status: 'no_flip', method: 'shift' };
  const direction = likeliestShift(movedTo(primary.level, book, slopes), positions, primary.level);
  const reroot = (side: number): number | null => {
    const position = positions.mean.map((n, i) => n + side * direction[i]!);
    return nearest(flipsUnder({ ...book, position }, coverage, slopes).flips, primary);
  };
  // More gamma everywhere moves a flip from negative to positive down, and the other kind up.
  const side = primary.direction === 'neg_to_pos' ? 1 : -1;
  const [low, high] = [reroot(side), reroot(-side)];
  return {
    status: low === null ? (high === null ? 'open' : 'open_below') : high === null ? 'open_above' : 'ok',
    method: 'shift',
    low: low === null ? null : Math.min(low, primary.level),
    high: high === null ? null : Math.max(high, primary.level),
    resolved_share: (Number(low !== null) + Number(high !== null)) / 2,
  };
}

function flipsUnder(book: Book, coverage: number | null, slopes: Float64Array | undefined): GammaFlips {
  return slopes === undefined ? gammaFlips(book, coverage) : movingFlips(book, slopes, coverage);
}

/** The book with the volatilities it has where spot is at `level`. */
function movedTo(level: number, book: Book, slopes: Float64Array | undefined): Book {
  if (slopes === undefined) return book;
  const moves = volatilityMoves(slopes, Math.log(level / book.spot));
  const volatility = book.volatility.map((sigma, i) =>
    Math.max(sigma + moves[book.expiry[i]!]!, VOLATILITY_FLOOR * sigma),
  );
  return { ...book, volatility };
}

const nothing = { low: null, high: null, resolved_share: null } as const;
const ONE_SD = [0.1586552539314571, 0.8413447460685429] as const;

/**
 * The same from seeded draws of the positions: the 16 % and 84 % points of their primary flips. Costs a search for
 * flips a draw, so it is for checking and for the record, not for every tick.
 */
export function bootstrapFlips(
  book: Book,
  positions: DealerPositions,
  {
    coverage,
    seed,
    draws = 64,
    slopes,
  }: Pick<FlipIntervalOptions, 'coverage' | 'slopes'> & { readonly seed: string; readonly draws?: number },
): FlipInterval {
  if (!statesError(positions)) return { ...nothing, status: 'no_sd', method: 'bootstrap' };
  const stream = randomStream(seed);
  const levels: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const factors = Float64Array.from({ length: bucketCount(positions.bucket) }, () => stream.normal());
    const position = positions.mean.map((n, i) => {
      const common = positions.loading[i]! * factors[positions.bucket[i]!]!;
      return n + common + Math.sqrt(positions.variance[i]!) * stream.normal();
    });
    const { primary } = flipsUnder({ ...book, position }, coverage, slopes);
    if (primary !== null) levels.push(primary.level);
  }
  const share = levels.length / draws;
  if (levels.length === 0) return { ...nothing, status: 'no_flip', method: 'bootstrap', resolved_share: 0 };
  const sorted = levels.toSorted((a, b) => a - b);
  const [low, high] = ONE_SD.map((p) => sorted[Math.round(p * (sorted.length - 1))]!);
  // A draw without a flip is beyond one end or the other: with a third of them gone, neither end is known.
  if (share < ONE_SD[1] - ONE_SD[0]) return { ...nothing, status: 'open', method: 'bootstrap', resolved_share: share };
  return { status: 'ok', method: 'bootstrap', low: low!, high: high!, resolved_share: share };
}

/** Contracts by which each row moves when G at that spot moves by one sd: Cov(n, G)/sd(G); zeros without error. */
function likeliestShift(book: Book, positions: DealerPositions, spot: number): Float64Array {
  const { bucket, loading, variance } = positions;
  const { gex } = exposureCoefficients({ ...book, spot });
  const factors = new Float64Array(bucketCount(bucket));
  for (let i = 0; i < gex.length; i++) factors[bucket[i]!]! += gex[i]! * loading[i]!;
  const covariance = gex.map((c, i) => loading[i]! * factors[bucket[i]!]! + variance[i]! * c);
  const sd = Math.sqrt(covariance.reduce((sum, value, i) => sum + value * gex[i]!, 0));
  return sd > 0 ? covariance.map((value) => value / sd) : covariance;
}

function nearest(flips: readonly GammaFlip[], { level, direction }: GammaFlip): number | null {
  const same = flips.filter((flip) => flip.direction === direction).map((flip) => flip.level);
  return same.toSorted((a, b) => Math.abs(a - level) - Math.abs(b - level))[0] ?? null;
}
