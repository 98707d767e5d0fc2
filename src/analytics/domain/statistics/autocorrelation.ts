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
