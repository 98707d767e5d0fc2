import type { BookRows } from '#src/analytics/domain/book/book-rows.ts';
import { deltaShares } from '#src/analytics/domain/exposures/delta-sums.ts';
import { brent } from '#src/analytics/domain/numerics/brent.ts';

export interface EdgeSearch {
  readonly rows: BookRows;
  readonly spot: number;
  /** Distance that delta may drift, shares. */
  readonly width: number;
  /** Ascending spots with net gamma there, $ per +1 % spot: where to look. */
  readonly points: Float64Array;
  readonly values: Float64Array;
}

/**
 * Delta is computed anew once the profile's integral since the last time is this part of what is left of the width: by
 * points half a deviation apart it is right to two parts in a hundred.
 */
const TRUSTED = 0.9;

/**
 * The nearest spots below and above at which the delta of the book has drifted by the width, to 1e-11 of spot; null where
 * there is none among the points. The profile says where to look, the root is of the repriced delta.
 */
export function bandEdges(search: EdgeSearch): { readonly lower: number | null; readonly upper: number | null } {
  const start = deltaShares(search.rows, { spot: search.spot });
  return { lower: edge(search, start, -1), upper: edge(search, start, 1) };
}

function edge({ rows, spot, width, points, values }: EdgeSearch, start: number, step: 1 | -1): number | null {
  const drift = (level: number): number => deltaShares(rows, { spot: level }) - start;
  const beyond = (level: number): number => Math.abs(drift(level)) - width;
  const perPoint = (j: number): number => values[j]! / (0.01 * points[j]! * points[j]!);
  let j = points.findIndex((level) => level > spot);
  if (j < 0) j = points.length;
  if (step < 0) while (j > 0 && points[j - 1]! >= spot) j--;
  let near = spot;
  let slope = j > 0 && j < points.length ? 0.5 * (perPoint(j - 1) + perPoint(j)) : 0;
  let sum = 0;
  let unchecked = 0;
  const first = step > 0 ? j : j - 1;
  for (j = first; j >= 0 && j < points.length; j += step) {
    const level = points[j]!;
    unchecked += 0.5 * (Math.abs(slope) + Math.abs(perPoint(j))) * Math.abs(level - near);
    slope = perPoint(j);
    if (unchecked > TRUSTED * (width - sum)) {
      sum = Math.abs(drift(level));
      unchecked = 0;
      if (sum >= width) {
        // The profile may have been wrong by a little, and points before be beyond already.
        let k = j;
        const before = (): number => (k === first ? spot : points[k - step]!);
        while (k !== first && beyond(before()) >= 0) k -= step;
        const found = brent(beyond, before(), points[k]!, 1e-11 * spot);
        return found.status === 'ok' ? found.root : null;
      }
    }
    near = level;
  }
  return null;
}
