import type { Book } from '#src/analytics/domain/book/book.ts';
import { forwardOverMean } from '#src/analytics/domain/pricing/price-blend.ts';
import { type GammaProfile, isShortDated } from './gamma-profile.ts';
import type { GammaTerms } from './gamma-terms.ts';

const OFFSETS = [-4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4] as const;
/** Least distance of two points of one expiry, in deviations. */
const APART = 0.2;
/** Beyond nine deviations a bell is below 3e-18 of its peak. */
const REACH = 9;

/**
 * Chooses points at which to look for roots: the geometric grid, and K·e^{{0,±½,±1,…,±4}σ√T} for each row under two
 * days from expiry, whose gamma may be narrower than the grid's step. Values are near enough to tell signs: between
 * grid points the gamma of the longer expiries, which is smooth on that scale, is interpolated.
 */
export function scanPoints(book: Book, terms: GammaTerms, profile: GammaProfile) {
  const short = shortTerms(book, terms);
  const extra = strikePoints(short, terms, profile);
  if (extra.length === 0) return { points: profile.spots, values: profile.gex };
  const near = new Float64Array(extra.length);
  for (const i of short) addNear(near, extra, terms, i);
  return mergePoints(
    profile,
    extra,
    near.map((value, j) => value * Math.exp(extra[j]!)),
  );
}

/** Ascending ln of the spots around the peaks of the rows under two days from expiry. */
export function nearLevels(book: Book, terms: GammaTerms, profile: GammaProfile): Float64Array {
  return strikePoints(shortTerms(book, terms), terms, profile);
}

/** The grid and further levels (ascending, ln of spot), where the rows under two days from expiry add `near`. */
export function mergePoints(profile: GammaProfile, levels: Float64Array, near: Float64Array) {
  return merge(
    profile,
    levels,
    near.map((value, j) => value + interpolate(profile, levels[j]!)),
  );
}

function shortTerms({ expiries }: Book, terms: GammaTerms): number[] {
  const isShort = expiries.map(isShortDated);
  const rows: number[] = [];
  for (let i = 0; i < terms.count; i++) if (isShort[terms.expiry[i]!]) rows.push(i);
  return rows;
}

/**
 * Ascending ln of the points around each short row's peak, within the grid. Those of one expiry keep a fifth of its
 * least deviation apart: a sum of bells that wide has nothing to show in between.
 */
function strikePoints(rows: readonly number[], terms: GammaTerms, { spots }: GammaProfile): Float64Array {
  const low = Math.log(spots[0]!);
  const high = Math.log(spots.at(-1)!);
  const kept: number[] = [];
  for (const own of Map.groupBy(rows, (i) => terms.expiry[i]!).values()) {
    const all = new Float64Array(own.length * OFFSETS.length);
    let count = 0;
    let least = Infinity;
    for (const i of own) {
      const deviation = terms.deviation[i]!;
      least = Math.min(least, deviation);
      for (const offset of OFFSETS) {
        const level = terms.centre[i]! + offset * deviation;
        if (level > low && level < high) all[count++] = level;
      }
    }
    kept.push(...spaced(all.subarray(0, count).toSorted(), APART * least));
  }
  return spaced(Float64Array.from(kept).toSorted(), 1e-8);
}

/** The sorted levels without those nearer than `apart` to the last one kept. */
function spaced(sorted: Float64Array, apart: number): Float64Array {
  let last = -Infinity;
  return sorted.filter((level) => {
    const keep = level - last > apart;
    if (keep) last = level;
    return keep;
  });
}

/** Adds row i to G/S' at the points its bell reaches. */
function addNear(values: Float64Array, levels: Float64Array, terms: GammaTerms, i: number): void {
  const centre = terms.centre[i]!;
  const deviation = terms.deviation[i]!;
  const weight = terms.weight[i]!;
  const isNormal = terms.isNormal[i] === 1;
  const end = centre + REACH * deviation;
  for (let j = firstAbove(levels, centre - REACH * deviation); j < levels.length && levels[j]! < end; j++) {
    const x = levels[j]! - centre;
    const d = x / deviation;
    const bell = weight * Math.exp(-0.5 * d * d);
    values[j]! += isNormal ? bell * forwardOverMean(x) : bell;
  }
}

function firstAbove(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Cubic through the four grid points around ln S' = level, of the smooth part. */
function interpolate({ spots, smooth }: GammaProfile, level: number): number {
  const low = Math.log(spots[0]!);
  const step = (Math.log(spots.at(-1)!) - low) / (spots.length - 1);
  const place = (level - low) / step;
  const j = Math.min(Math.max(Math.floor(place), 1), spots.length - 3);
  const t = place - j;
  const [a, b, c, d] = [smooth[j - 1]!, smooth[j]!, smooth[j + 1]!, smooth[j + 2]!];
  return (
    b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))) // Catmull-Rom
  );
}

function merge({ spots, gex }: GammaProfile, extra: Float64Array, added: Float64Array) {
  const points = new Float64Array(spots.length + extra.length);
  const values = new Float64Array(points.length);
  let i = 0;
  let j = 0;
  for (let k = 0; k < points.length; k++) {
    const level = j < extra.length ? Math.exp(extra[j]!) : Infinity;
    const fromGrid = i < spots.length && spots[i]! <= level;
    points[k] = fromGrid ? spots[i]! : level;
    values[k] = fromGrid ? gex[i++]! : added[j++]!;
  }
  return { points, values };
}
