/**
 * Sample autocorrelation at a lag, −1 to 1: products about the mean over the sum of squares (divisor n at every lag).
 * Null for a constant series or one not longer than the lag.
 */
export function autocorrelation(values: readonly number[], lag: number): number | null {
  if (values.length <= lag) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const total = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (!(total > 0)) return null;
  let product = 0;
  for (let i = lag; i < values.length; i++) product += (values[i]! - mean) * (values[i - lag]! - mean);
  return product / total;
}

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

const MIN_RETURNS = 5;

/**
 * Annual volatility, decimal, of closes from day to day: root mean square of their log returns times √252; null below
 * five returns.
 *
 * @param closes prices above zero, oldest first
 */
export function realisedVolatility(closes: readonly number[]): number | null {
  if (closes.length <= MIN_RETURNS) return null;
  const returns = closes.slice(1).map((close, i) => Math.log(close / closes[i]!));
  return Math.sqrt((252 * returns.reduce((sum, value) => sum + value * value, 0)) / returns.length);
}
