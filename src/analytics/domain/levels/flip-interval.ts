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

/** Distance, as a part of a level, within which two searches find the same root. */
const SAME_ROOT = 1e-10;

/**
 * The primary flip re-rooted with the positions one standard deviation of gamma to either side. The positions move as
 * is most likely if net gamma at the flip was one sd higher or lower: each by its covariance with that gamma over its
 * sd. With one sd more, gamma at the flip has the sign that it had beyond it, and keeps it up to the next root of the
 * same kind on the other side: that one is the end. A root nearer to the flip on the wrong side is another flip, so
 * that a side without one is open. Costs two searches for flips.
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
  const reroot = (side: number, toward: Toward): number | null => {
    const position = positions.mean.map((n, i) => n + side * direction[i]!);
    return nextFlip(flipsUnder({ ...book, position }, coverage, slopes).flips, primary, toward);
  };
  // More gamma everywhere moves a flip from negative to positive down, and the other kind up.
  const side = primary.direction === 'neg_to_pos' ? 1 : -1;
  const [low, high] = [reroot(side, -1), reroot(-side, 1)];
  const resolved_share = (Number(low !== null) + Number(high !== null)) / 2;
  return { status: statusOf(low, high), method: 'shift', low, high, resolved_share };
}

/** Side of the flip on which an end lies: −1 below it, 1 above it. */
type Toward = -1 | 1;

function statusOf(low: number | null, high: number | null): FlipInterval['status'] {
  if (low === null) return high === null ? 'open' : 'open_below';
  return high === null ? 'open_above' : 'ok';
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
 * The same from seeded draws of the positions: the 16 % and 84 % points of their primary flips. One that is not on its
 * side of the flip is no end of an interval around it, and leaves that side open. Costs a search for flips a draw, so it
 * is for checking and for the record, not for every tick.
 */
export function bootstrapFlips(
  book: Book,
  positions: DealerPositions,
  {
    primary,
    coverage,
    seed,
    draws = 64,
    slopes,
  }: FlipIntervalOptions & { readonly seed: string; readonly draws?: number },
): FlipInterval {
  if (!statesError(positions)) return { ...nothing, status: 'no_sd', method: 'bootstrap' };
  if (primary === null) return { ...nothing, status: 'no_flip', method: 'bootstrap' };
  const stream = randomStream(seed);
  const levels: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const factors = Float64Array.from({ length: bucketCount(positions.bucket) }, () => stream.normal());
    const position = positions.mean.map((n, i) => {
      const common = positions.loading[i]! * factors[positions.bucket[i]!]!;
      return n + common + Math.sqrt(positions.variance[i]!) * stream.normal();
    });
    const drawn = flipsUnder({ ...book, position }, coverage, slopes).primary;
    if (drawn !== null) levels.push(drawn.level);
  }
  const share = levels.length / draws;
  const sorted = levels.toSorted((a, b) => a - b);
  // A draw without a flip is beyond one end or the other: with a third of them gone, neither end is known.
  if (share < ONE_SD[1] - ONE_SD[0]) return { ...nothing, status: 'open', method: 'bootstrap', resolved_share: share };
  const [least, most] = ONE_SD.map((p) => sorted[Math.round(p * (sorted.length - 1))]!);
  const low = least! < primary.level ? least! : null;
  const high = most! > primary.level ? most! : null;
  return { status: statusOf(low, high), method: 'bootstrap', low, high, resolved_share: share };
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

/** The flip of the same kind that is next to a flip on one side of it; where nothing moved that is the flip itself. */
function nextFlip(flips: readonly GammaFlip[], { level, direction }: GammaFlip, toward: Toward): number | null {
  const away = flips
    .filter((flip) => flip.direction === direction)
    .map((flip) => toward * (flip.level - level))
    .filter((distance) => distance > -SAME_ROOT * level);
  return away.length === 0 ? null : level + toward * Math.max(0, Math.min(...away));
}
