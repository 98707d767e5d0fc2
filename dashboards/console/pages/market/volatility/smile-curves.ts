import type { Figures } from '#console/pages/market/parts/section.tsx';

export type Expiry = Figures<'GET /v1/surface/{symbol}'>['expiries'][number];
type Raw = NonNullable<Expiry['svi']['raw']>;
type Slice = NonNullable<Expiry['essvi']>;

/**
 * Volatility of a smile in raw parameters at log-moneyness k, decimal a year: w = a + b(ρ(k − m) + √((k − m)² + σ²)).
 *
 * @see J. Gatheral and A. Jacquier, "Arbitrage-free SVI volatility surfaces", Quantitative Finance 14 (2014), section 3
 */
export function sviVolatility({ a, b, rho, m, sigma }: Raw, years: number, k: number): number {
  return Math.sqrt((a + b * (rho * (k - m) + Math.hypot(k - m, sigma))) / years);
}

/**
 * Volatility of a slice of the surface there: w = ½(θ + ρψk + √((ψk + θρ)² + θ²(1 − ρ²))).
 *
 * @see S. Hendriks and C. Martini, "The extended SSVI volatility surface", Journal of Computational Finance 22 (2019)
 */
export function essviVolatility({ theta, rho, psi }: Slice, years: number, k: number): number {
  const root = Math.sqrt((psi * k + theta * rho) ** 2 + theta * theta * (1 - rho * rho));
  return Math.sqrt((theta + rho * psi * k + root) / (2 * years));
}

/** Strikes of a smile and both fitted curves there, from a little below its lowest quote to a little above its highest. */
export function smileCurves({ years, forward, essvi, svi, quoted, atm_volatility: level }: Expiry): {
  readonly strike: number;
  readonly surface: number | null;
  readonly own: number | null;
}[] {
  const reach = 2.2 * (level ?? 0.2) * Math.sqrt(years);
  const low = Math.min(quoted?.k[0] ?? -reach, -0.3 * reach);
  const high = Math.max(quoted?.k.at(-1) ?? reach, 0.3 * reach);
  const [from, step] = [low - 0.08 * (high - low), (1.16 * (high - low)) / 80];
  return Array.from({ length: 81 }, (_, i) => {
    const k = from + i * step;
    return {
      strike: forward * Math.exp(k),
      surface: essvi && essviVolatility(essvi, years, k),
      own: svi.raw && sviVolatility(svi.raw, years, k),
    };
  });
}
