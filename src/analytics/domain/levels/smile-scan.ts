import type { Book } from '#src/analytics/domain/book/book.ts';
import { type BookRows, bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import { VOLATILITY_FLOOR } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { normalGamma } from '#src/analytics/domain/pricing/normal-row.ts';
import { normalWeight } from '#src/analytics/domain/pricing/price-blend.ts';
import { type GammaProfile, isShortDated, profileRange } from './gamma-profile.ts';
import { gammaTerms } from './gamma-terms.ts';
import { mergePoints, nearLevels } from './scan-points.ts';

/** Net gamma as a function of spot, and where to look for its roots. */
export interface GammaScan {
  readonly points: Float64Array;
  /** Net gamma at the points; may be approximate. */
  readonly values: Float64Array;
  readonly f: (spot: number) => number;
  readonly gross: (spot: number) => number;
  /** dG/dS' by expiry. */
  readonly slopes: (level: number) => Float64Array;
}

/** Half the points of the sticky grid: each costs a whole sum here, and only expiries beyond two days need it. */
const GRID = 101;
const INV_SQRT_2PI = 0.3989422804014327;
const REACH = 9;

/**
 * The gamma profile with volatilities that move with the spot, σ + slope·ln(S'/S), on `count` spots within ±15 %, in $ of
 * delta per +1 % spot. Bells change their width along the way, so each spot is a sum of its own.
 */
export function smileProfile(book: Book, slopes: Float64Array, count: number): GammaProfile {
  const isShort = book.expiries.map(isShortDated);
  const far = bookRows(book, (e) => !isShort[e]!);
  const near = bookRows(book, (e) => isShort[e]!);
  const low = Math.log(book.spot * profileRange.low);
  const step = Math.log(profileRange.high / profileRange.low) / (count - 1);
  const spots = Float64Array.from({ length: count }, (_, j) => Math.exp(low + j * step));
  const smooth = spots.map((spot) => sumOf(gammaByExpiry(book, far, slopes, spot)));
  return { spots, smooth, gex: spots.map((spot, j) => smooth[j]! + sumOf(gammaByExpiry(book, near, slopes, spot))) };
}

/** Prepares the terms of {@link smileProfile} that a search for flips needs; null for a book without positions. */
export function smileScan(book: Book, slopes: Float64Array): GammaScan | null {
  const rows = bookRows(book);
  if (rows.count === 0) return null;
  const isShort = book.expiries.map(isShortDated);
  const near = bookRows(book, (e) => isShort[e]!);
  const profile = smileProfile(book, slopes, GRID);
  const levels = nearLevels(book, gammaTerms(book), profile);
  const at = (spot: number): Float64Array => gammaByExpiry(book, rows, slopes, spot);
  return {
    ...mergePoints(
      profile,
      levels,
      levels.map((level) => sumOf(gammaByExpiry(book, near, slopes, Math.exp(level)))),
    ),
    f: (spot) => sumOf(at(spot)),
    gross: (spot) => {
      const moves = slopes.map((slope) => slope * Math.log(spot / book.spot));
      return gammaSums(rows, { spot, moves }).gexAbs;
    },
    slopes: (level) => {
      const h = 1e-6 * level;
      const [above, below] = [at(level + h), at(level - h)];
      return above.map((value, e) => (value - below[e]!) / (2 * h));
    },
  };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Net gamma of each expiry at a spot with every volatility moved along, $ of delta per +1 % spot. */
function gammaByExpiry(book: Book, rows: BookRows, slopes: Float64Array, spot: number): Float64Array {
  const { count, logStrike, volatility, net, expiry, blended, years, rate, dividend } = rows;
  const sums = new Float64Array(years.length);
  const logSpot = Math.log(spot);
  const logMove = logSpot - Math.log(book.spot);
  let e = -1;
  let [root, level, move, scale] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    if (expiry[i] !== e) {
      e = expiry[i]!;
      root = Math.sqrt(years[e]!);
      level = logSpot + (rate[e]! - dividend[e]!) * years[e]!;
      move = slopes[e]! * logMove;
      scale = 0.01 * INV_SQRT_2PI * spot * Math.exp(-dividend[e]! * years[e]!);
    }
    const still = volatility[i]!;
    const sigma = Math.max(still + move, VOLATILITY_FLOOR * still);
    const deviation = sigma * root;
    const inverse = 1 / deviation;
    const x = level - logStrike[i]!;
    const d = x * inverse + 0.5 * deviation;
    if (d > REACH || d < -REACH) continue;
    const black = inverse * Math.exp(-0.5 * d * d);
    const normal = blended ? normalWeight(years[e]!, deviation) : 0;
    const gamma = normal === 0 ? black : (1 - normal) * black + (normal * normalGamma(x, deviation)) / INV_SQRT_2PI;
    sums[e]! += net[i]! * scale * gamma;
  }
  return sums;
}
