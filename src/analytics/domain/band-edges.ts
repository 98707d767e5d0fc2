import type { BookRows } from './book-rows.ts';
import { brent } from './brent.ts';
import { deltaShares } from './delta-sums.ts';

export interface EdgeSearch {
  readonly rows: BookRows;
  readonly spot: number;
  /** How far delta may drift, shares. */
  readonly width: number;
  /** Ascending spots with net gamma there, $ per +1 % spot: where to look. */
  readonly points: Float64Array;
  readonly values: Float64Array;
}

/** The profile's integral is trusted to this part of the width; beyond it delta is computed. */
const TRUSTED = 0.95;

/**
 * The nearest spots below and above at which the delta of the book has drifted by the width, to 1e-11 of spot; null where
 * there is none among the points. The profile says where to look, the root is of the repriced delta.
 */
export function bandEdges(search: EdgeSearch): { readonly lower: number | null; readonly upper: number | null } {
  return { lower: edge(search, -1), upper: edge(search, 1) };
}

function edge({ rows, spot, width, points, values }: EdgeSearch, step: 1 | -1): number | null {
  const start = deltaShares(rows, { spot });
  const drift = (level: number): number => deltaShares(rows, { spot: level }) - start;
  const beyond = (level: number): number => Math.abs(drift(level)) - width;
  const perPoint = (j: number): number => values[j]! / (0.01 * points[j]! * points[j]!);
  let j = points.findIndex((level) => level > spot);
  if (j < 0) j = points.length;
  if (step < 0) while (j > 0 && points[j - 1]! >= spot) j--;
  let near = spot;
  let slope = j > 0 && j < points.length ? 0.5 * (perPoint(j - 1) + perPoint(j)) : 0;
  let sum = 0;
  for (j = step > 0 ? j : j - 1; j >= 0 && j < points.length; j += step) {
    const level = points[j]!;
    sum += 0.5 * (slope + perPoint(j)) * (level - near);
    slope = perPoint(j);
    if (Math.abs(sum) > TRUSTED * width) {
      sum = drift(level);
      if (Math.abs(sum) >= width) {
        // The profile is near enough to be wrong by a little: then the point before was beyond already.
        const ends = beyond(near) < 0 ? ([near, level] as const) : ([spot, near] as const);
        const found = brent(beyond, ...ends, 1e-11 * spot);
        return found.status === 'ok' ? found.root : null;
      }
    }
    near = level;
  }
  return null;
}
