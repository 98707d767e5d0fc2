/** Median, least and greatest of the same thing measured several times. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/**
 * The value below or at which `share` of the values lie (nearest rank: always one that was measured); NaN of none.
 *
 * @param share above 0, at most 1
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function spread(values: readonly number[]): Spread {
  return { median: percentile(values, 0.5), min: Math.min(...values), max: Math.max(...values) };
}

/** Rise of y per unit of x, by least squares; 0 for fewer than two points. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanOf = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [meanX, meanY] = [meanOf(([x]) => x), meanOf(([, y]) => y)];
  const across = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return across === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / across;
}
