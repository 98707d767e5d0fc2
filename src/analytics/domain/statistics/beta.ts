/**
 * Beta of a series on the index, from the times at which both have a return. Null below 20 of them or for an index that
 * does not move.
 */
export function betaTo(series: readonly (number | null)[], index: readonly (number | null)[]): number | null {
  const pairs: (readonly [number, number])[] = [];
  for (const [t, y] of series.entries()) {
    const x = index[t] ?? null;
    if (x !== null && y !== null) pairs.push([x, y]);
  }
  if (pairs.length < 20) return null;
  const mx = pairs.reduce((sum, [x]) => sum + x, 0) / pairs.length;
  const my = pairs.reduce((sum, [, y]) => sum + y, 0) / pairs.length;
  const spread = pairs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return spread > 0 ? pairs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread : null;
}
