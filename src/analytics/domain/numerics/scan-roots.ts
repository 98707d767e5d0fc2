import { brent } from './brent.ts';

/** A function on ascending points, its values there (which may be approximate), and the exact function. */
export interface Scan {
  readonly f: (x: number) => number;
  readonly points: Float64Array;
  readonly values: Float64Array;
  /** Absolute tolerance of a root, in the unit of the points. */
  readonly tolerance: number;
}

export interface ScannedRoots {
  /** Ascending; `rising` if f goes from below zero to above. */
  readonly roots: readonly { readonly root: number; readonly rising: boolean }[];
  /** Places where f touches zero without crossing it. */
  readonly tangents: readonly number[];
}

/** A dip is looked into where the parabola leaves less than this part of the value beside it. */
const CLOSE = 0.1;
/** f counts as touching zero where its least distance is below this part of its largest value on the points. */
const TANGENT = 1e-9;

/**
 * All roots that the points can show: Brent on every sign change, and on both sides of an extremum that dips through
 * zero between two points. A sign change that only the approximate values have is not confirmed and not reported.
 */
export function scanRoots({ f, points, values, tolerance }: Scan): ScannedRoots {
  const roots: { root: number; rising: boolean }[] = [];
  const tangents: number[] = [];
  const scale = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const search = (from: number, to: number): void => {
    const found = brent(f, from, to, tolerance);
    if (found.status === 'ok') roots.push({ root: found.root, rising: found.rising });
  };
  let previous = -1;
  for (let i = 0; i < points.length; i++) {
    if (values[i] === 0) continue;
    if (previous >= 0) {
      if (values[i]! > 0 !== values[previous]! > 0) search(points[previous]!, points[i]!);
      else if (previous < i - 1 && scale > 0) tangents.push(points[previous + 1]!);
    }
    previous = i;
    if (!dips(points, values, i)) continue;
    const sign = Math.sign(values[i]!);
    const bottom = leastOf((x) => sign * f(x), points[i - 1]!, points[i + 1]!, tolerance);
    const depth = sign * f(bottom);
    if (depth < 0) {
      search(points[i - 1]!, bottom);
      search(bottom, points[i + 1]!);
    } else if (depth <= TANGENT * scale) tangents.push(bottom);
  }
  return { roots, tangents };
}

/** Checks whether a parabola through three neighbours of one sign comes close to zero or through it. */
function dips(points: Float64Array, values: Float64Array, i: number): boolean {
  const sign = Math.sign(values[i]!);
  const [left, here, right] = [sign * (values[i - 1] ?? 0), sign * values[i]!, sign * (values[i + 1] ?? 0)];
  if (!(left >= here && right >= here && left > 0 && right > 0)) return false;
  const [before, after] = [points[i]! - points[i - 1]!, points[i + 1]! - points[i]!];
  const [falling, rising] = [(here - left) / before, (right - here) / after];
  const bend = (rising - falling) / (before + after);
  const lean = (falling * after + rising * before) / (before + after);
  return bend > 0 && here - lean ** 2 / (4 * bend) < CLOSE * here;
}

/** Finds the point between two others where f is least, by golden section; f has one minimum there. */
function leastOf(f: (x: number) => number, from: number, to: number, tolerance: number): number {
  const golden = 0.6180339887498949;
  let [a, b] = [from, to];
  // The depth is quadratic in the place: a ten-thousandth of the bracket leaves a 1e-8 of its curvature.
  const least = Math.max(tolerance, 1e-4 * (to - from));
  let [c, d] = [b - golden * (b - a), a + golden * (b - a)];
  let [fc, fd] = [f(c), f(d)];
  for (let round = 0; round < 80 && b - a > least; round++) {
    if (fc < fd) {
      [b, d, fd] = [d, c, fc];
      c = b - golden * (b - a);
      fc = f(c);
    } else {
      [a, c, fc] = [c, d, fd];
      d = a + golden * (b - a);
      fd = f(d);
    }
    if (Math.min(fc, fd) < 0) break;
  }
  return fc < fd ? c : d;
}
