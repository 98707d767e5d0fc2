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
