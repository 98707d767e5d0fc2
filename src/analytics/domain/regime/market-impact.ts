/** Factor of the square-root law of impact, between the ½ and 1 that studies find. */
const IMPACT = 0.7;

/**
 * Return that a flow of dollars makes, 0.7·σ_d·√(|flow|/ADV) with the sign of the flow; null without a volatility of the
 * day or a volume.
 *
 * @see B. Tóth et al., "Anomalous price impact and the critical nature of liquidity", Physical Review X 1 (2011)
 */
export function marketImpact(flow: number, advUsd: number, sigmaD: number | null): number | null {
  if (sigmaD === null || !(advUsd > 0)) return null;
  return Math.sign(flow) * IMPACT * sigmaD * Math.sqrt(Math.abs(flow) / advUsd);
}

/** One standard deviation of a day's return, decimal, from an annual volatility; null if that is unknown. */
export function dailyDeviation(atmVolatility: number | null): number | null {
  return atmVolatility === null || !(atmVolatility > 0) ? null : atmVolatility / Math.sqrt(252);
}
