/** A surface of SVI-shaped smiles without butterfly or calendar arbitrage. */
export interface SviSurface {
  /** Volatility at the money for a year, decimal. */
  readonly level: number;
  /** Skew, −1 to 0 for an equity market. */
  readonly rho: number;
  /** Curvature; free of arbitrage while η²(1 + |ρ|) ≤ 4. */
  readonly eta: number;
}

/**
 * Volatility of a surface at log-moneyness k = ln(K/F) and a time in years: w = ½θ(1 + ρφk + √((φk + ρ)² + 1 − ρ²))
 * with φ = η/√θ, and θ growing with time.
 *
 * @see J. Gatheral and A. Jacquier, "Arbitrage-free SVI volatility surfaces", Quantitative Finance 14 (2014), section 4
 */
export function surfaceVolatility({ level, rho, eta }: SviSurface, k: number, years: number): number {
  // Short expiries trade below the year's level; total variance still rises, so no calendar spread is free.
  const theta = level * level * years * (1 - 0.45 * Math.exp(-3 * Math.sqrt(years)));
  const phi = eta / Math.sqrt(theta);
  const w = 0.5 * theta * (1 + rho * phi * k + Math.sqrt((phi * k + rho) ** 2 + 1 - rho * rho));
  return Math.sqrt(w / years);
}
