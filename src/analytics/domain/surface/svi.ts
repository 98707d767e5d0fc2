/**
 * One smile in the raw parameters of SVI: total variance w(k) = a + b(ρ(k − m) + √((k − m)² + σ²)) at log-moneyness
 * k = ln(K/F).
 *
 * @see J. Gatheral and A. Jacquier, "Arbitrage-free SVI volatility surfaces", Quantitative Finance 14 (2014), section 3
 */
export interface RawSvi {
  /** Level, total variance. */
  readonly a: number;
  /** Half the sum of the wings' slopes, at least 0. */
  readonly b: number;
  /** Lean, above −1 and below 1. */
  readonly rho: number;
  /** Log-moneyness the smile is centred at. */
  readonly m: number;
  /** Width of its bend in log-moneyness, above 0. */
  readonly sigma: number;
}

/** Total variance and its derivatives by log-moneyness. */
export interface SmilePoint {
  readonly w: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
}

/** Total variance σ²T at log-moneyness k. */
export function sviTotalVariance({ a, b, rho, m, sigma }: RawSvi, k: number): number {
  const y = k - m;
  return a + b * (rho * y + Math.sqrt(y * y + sigma * sigma));
}

export function sviDerivatives({ a, b, rho, m, sigma }: RawSvi, k: number): SmilePoint {
  const y = k - m;
  const squared = y * y + sigma * sigma;
  const root = Math.sqrt(squared);
  const second = (b * sigma * sigma) / (squared * root);
  return {
    w: a + b * (rho * y + root),
    first: b * (rho + y / root),
    second,
    third: (-3 * y * second) / squared,
  };
}

/**
 * Durrleman's g: proportional, by a positive factor, to the density of the price at expiry that the smile implies.
 * A smile is free of butterfly arbitrage where g ≥ 0 at every k and calls vanish for k → ∞.
 */
export function durrlemanG(k: number, { w, first, second }: SmilePoint): number {
  const tilt = 1 - (k * first) / (2 * w);
  return tilt * tilt - 0.25 * first * first * (1 / w + 0.25) + 0.5 * second;
}

/** Derivative of {@link durrlemanG} by k. */
export function durrlemanSlope(k: number, { w, first, second, third }: SmilePoint): number {
  const tilt = 1 - (k * first) / (2 * w);
  const tiltSlope = (k * first * first) / (2 * w * w) - (first + k * second) / (2 * w);
  return (
    2 * tilt * tiltSlope - 0.5 * first * second * (1 / w + 0.25) + (first * first * first) / (4 * w * w) + 0.5 * third
  );
}

/** Slopes of total variance far left and far right, both as positive numbers; Lee's bound for each is 2. */
export function wingSlopes({ b, rho }: RawSvi): { readonly left: number; readonly right: number } {
  return { left: b * (1 - rho), right: b * (1 + rho) };
}

/** Least total variance of the smile, at k = m − ρσ/√(1 − ρ²). */
export function leastVariance({ a, b, rho, sigma }: RawSvi): number {
  return a + b * sigma * Math.sqrt(1 - rho * rho);
}
