import { type RawSvi, type SmilePoint, sviDerivatives } from './svi.ts';

/**
 * One slice of an eSSVI surface: total variance w(k) = ½(θ + ρψk + √((ψk + ρθ)² + (1 − ρ²)θ²)) at log-moneyness k.
 *
 * @see S. Hendriks and C. Martini, "The extended SSVI volatility surface", Journal of Computational Finance 22 (2019)
 */
export interface EssviSlice {
  /** Total variance at the money, above 0. */
  readonly theta: number;
  /** Lean, above −1 and below 1. */
  readonly rho: number;
  /** θφ: the sum of the wings' slopes, above 0. */
  readonly psi: number;
}

/** Total variance σ²T at log-moneyness k. */
export function essviTotalVariance({ theta, rho, psi }: EssviSlice, k: number): number {
  const u = psi * k;
  return 0.5 * (theta + rho * u + Math.sqrt(u * (u + 2 * rho * theta) + theta * theta));
}

/** Total variance and its derivatives by k. */
export function essviDerivatives(slice: EssviSlice, k: number): SmilePoint {
  return sviDerivatives(essviToRaw(slice), k);
}

/** The slice in raw SVI parameters: every slice of eSSVI is an SVI smile. */
export function essviToRaw({ theta, rho, psi }: EssviSlice): RawSvi {
  const narrow = 1 - rho * rho;
  return {
    a: 0.5 * theta * narrow,
    b: 0.5 * psi,
    rho,
    m: (-rho * theta) / psi,
    sigma: (Math.sqrt(narrow) * theta) / psi,
  };
}
