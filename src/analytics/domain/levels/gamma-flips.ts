import type { Book } from '#src/analytics/domain/book/book.ts';
import { scanRoots } from '#src/analytics/domain/numerics/scan-roots.ts';
import type { GammaFlip, GammaFlips } from './flips-schema.ts';
import { type GammaProfile, gammaProfile } from './gamma-profile.ts';
import { type GammaTerms, gammaAt, gammaTerms, grossGammaAt, slopeOf } from './gamma-terms.ts';
import { scanPoints } from './scan-points.ts';
import { type GammaScan, smileScan } from './smile-scan.ts';

const GRID = 201;
/** Under this share of open interest with a volatility, the chain is degraded. */
const MIN_COVERAGE = 0.5;
/** In a wing where gross gamma is under this part of the largest, a change of sign is noise. */
const DEAD = 1e-9;

/**
 * Every root of G(S') within ±15 % of spot: a geometric grid and points around each strike under two days from
 * expiry, then Brent with the exact sum, to 1e-11 of spot. Sticky strike.
 *
 * `coverage` is the share of open interest the book holds, null where there is none: under a half the status is
 * `degraded_chain`, the flips are listed and none is primary.
 */
export function gammaFlips(book: Book, coverage: number | null = 1): GammaFlips {
  return gammaFlipsOf(book, gammaTerms(book), coverage);
}

/** {@link gammaFlips} for a caller that has the terms, and perhaps the profile on 201 points, already. */
export function gammaFlipsOf(book: Book, terms: GammaTerms, coverage: number | null, known?: GammaProfile): GammaFlips {
  if (terms.count === 0) return nothing;
  const profile = known?.spots.length === GRID ? known : gammaProfile(book, terms, GRID);
  return flipsOf(book, coverage, {
    ...scanPoints(book, terms, profile),
    f: (spot) => gammaAt(terms, spot),
    gross: (spot) => grossGammaAt(terms, spot),
    slopes: (level) => stickySlopes(book, terms, level),
  });
}

/**
 * The same where volatilities move with the spot: `slopes` are dσ/d ln S of each expiry, (R − 1)·skew. With slopes of
 * zero it finds the flips of sticky strike.
 */
export function movingFlips(book: Book, slopes: Float64Array, coverage: number | null = 1): GammaFlips {
  const scan = smileScan(book, slopes);
  return scan === null ? nothing : flipsOf(book, coverage, scan);
}

const nothing: GammaFlips = { status: 'degraded_chain', flips: [], primary: null };

function flipsOf(book: Book, coverage: number | null, { f, gross, slopes, points, values }: GammaScan): GammaFlips {
  if (coverage === null) return nothing;
  const scan = scanRoots({ f, points, values, tolerance: 1e-11 * book.spot });
  const alive = DEAD * values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const flips = scan.roots
    .filter(({ root }) => gross(root) > alive)
    .map(({ root, rising }) => describeFlip(book, slopes(root), root, rising));
  if (coverage < MIN_COVERAGE) return { status: 'degraded_chain', flips, primary: null };
  if (flips.length > 0) return { status: 'ok', flips, primary: primaryFlip(flips, book.spot) };
  const touches = scan.tangents.some((level) => gross(level) > alive);
  return { status: touches ? 'tangent' : 'none_in_range', flips, primary: null };
}

function primaryFlip(flips: readonly GammaFlip[], spot: number): GammaFlip | null {
  const distance = ({ level }: GammaFlip): number => Math.abs(level - spot);
  const rising = flips.filter(({ direction }) => direction === 'neg_to_pos');
  return (rising.length > 0 ? rising : flips).toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** dG/dS' at a root, summed by expiry. */
function stickySlopes(book: Book, terms: GammaTerms, level: number): Float64Array {
  const slopes = new Float64Array(book.expiries.length);
  const logLevel = Math.log(level);
  for (let i = 0; i < terms.count; i++) {
    slopes[terms.expiry[i]!]! += slopeOf(terms, i, logLevel);
  }
  return slopes;
}

function describeFlip(book: Book, slopes: Float64Array, level: number, rising: boolean): GammaFlip {
  const total = slopes.reduce((sum, slope) => sum + Math.abs(slope), 0);
  const shares = book.expiries.map(({ label }, e) => ({ expiry: label, share: Math.abs(slopes[e]!) / total }));
  return {
    level,
    direction: rising ? 'neg_to_pos' : 'pos_to_neg',
    slope: slopes.reduce((sum, slope) => sum + slope, 0),
    expiries_driving: shares
      .filter(({ share }) => share >= 0.05)
      .toSorted((a, b) => b.share - a.share)
      .slice(0, 5),
  };
}
