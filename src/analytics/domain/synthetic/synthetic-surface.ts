import { inverseNormalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { randomUniform } from './counter-random.ts';
import { FACTORS, type MarketPath, type PathPoint, volatilityFactors } from './market-path.ts';
import { indexFactors, type Underlying } from './underlyings.ts';

/** A surface at one instant, with one correlation for all expiries. */
export interface SyntheticSurface {
  readonly rho: number;
  /** Total variance at the money and slope ψ = θφ at a time in business years. */
  sliceAt(years: number): Slice;
}

export interface Slice {
  readonly rho: number;
  readonly theta: number;
  readonly psi: number;
}

/** Forward variance at the money: base for SPX, weights of the factors, and their reach in business years. */
const BASE = 0.036;
const shape = [
  { weight: 0.17, reach: 1 / 87 },
  { weight: 0.25, reach: 1 / 11.6 },
  { weight: 1, reach: 0.35 },
] as const;
/** Share that the long factor's forward variance lacks at the short end: below 1, or variance would not grow. */
const SHORT_END = 0.6;
/** Ratio by which at-the-money volatility follows the smile when spot moves: Bergomi's skew stickiness. */
const STICKINESS = 1.5;
/** The longest time anything is listed, in business years, and how finely the bounds are checked up to it. */
const LONGEST = 1.6;
const CHECK_RATIO = 1.4;
const SHORTEST = 1e-4;
const MEMORY = 60;

/**
 * The surfaces along a path: w(k) = ½(θ + ρψk + √((ψk + ρθ)² + (1−ρ²)θ²)), free of static arbitrage by construction.
 * θ integrates a forward variance above zero, so it rises; ψ = Σ loading·θ_f/(R|ρ|) rises with it and ψ/θ falls; ρ is
 * common; and one factor for all expiries keeps ψ(1+|ρ|) ≤ 4 and ψ²(1+|ρ|) ≤ 4θ. Because θ falls by Σ loading·θ_f per
 * unit of log spot, that ψ makes the skew stickiness R at every expiry.
 *
 * @see J. Gatheral and A. Jacquier, "Arbitrage-free SVI volatility surfaces" (2014), theorems 4.1 and 4.2
 * @see L. Bergomi, "Smile dynamics IV", Risk (2009)
 */
export function surfacesOn(path: MarketPath, { index, rho: base }: Underlying): (point: PathPoint) => SyntheticSurface {
  const { scale } = indexFactors[index]!;
  let daily = { day: -1, rho: 0, stickiness: 0 };
  return ({ day, state }) => {
    if (daily.day !== day) {
      const rho = Math.tanh(Math.atanh(base) + 0.12 * slowNoise(path, day, `rho${index}`));
      daily = { day, rho, stickiness: STICKINESS * Math.exp(0.04 * slowNoise(path, day, `stickiness${index}`)) };
    }
    const { rho, stickiness } = daily;
    const levels = shape.map(
      ({ weight }, f) => BASE * scale * scale * weight * Math.exp(state[FACTORS + 3 * index + f]!),
    );
    return surfaceOf({ levels, rho, unit: scale * stickiness * Math.abs(rho) });
  };
}

interface Shape {
  /** Forward variance of each factor at the short end. */
  readonly levels: readonly number[];
  readonly rho: number;
  /** Divisor of Σ loading·θ_f that gives ψ. */
  readonly unit: number;
}

function surfaceOf({ levels, rho, unit }: Shape): SyntheticSurface {
  const [fastest, middling, slowest] = shape;
  const [a, b, c] = volatilityFactors;
  const raw = (years: number): Slice => {
    const fast = fastest.reach * -Math.expm1(-years / fastest.reach) * levels[0]!;
    const middle = middling.reach * -Math.expm1(-years / middling.reach) * levels[1]!;
    const slow = (years + SHORT_END * slowest.reach * Math.expm1(-years / slowest.reach)) * levels[2]!;
    const psi = (a.loading * fast + b.loading * middle + c.loading * slow) / unit;
    return { rho, theta: fast + middle + slow, psi };
  };
  const shrink = withinBounds(raw, 1 + Math.abs(rho));
  return {
    rho,
    sliceAt: (years) => {
      const { theta, psi } = raw(years);
      return { rho, theta, psi: shrink * psi };
    },
  };
}

/** Total variance of a slice at log-moneyness k = ln(K/F). */
export function sliceVariance({ rho, theta, psi }: Slice, k: number): number {
  const a = psi * k + rho * theta;
  return 0.5 * (theta + rho * psi * k + Math.sqrt(a * a + (1 - rho * rho) * theta * theta));
}

/**
 * The factor, at most 1, that brings ψ of every time up to the longest inside the bounds. ψ and θ rise, so that between two
 * times ψ²/θ is below that of the later ψ and the earlier θ; before the first, ψ/θ is at its highest.
 */
function withinBounds(raw: (years: number) => Slice, wing: number): number {
  const limit = raw(1e-9);
  let lower = raw(SHORTEST);
  let worst = Math.max((raw(LONGEST).psi * wing) / 4, (limit.psi / limit.theta) * Math.sqrt((lower.theta * wing) / 4));
  for (let years = SHORTEST; years < LONGEST; years *= CHECK_RATIO) {
    const upper = raw(years * CHECK_RATIO);
    worst = Math.max(worst, upper.psi * Math.sqrt(wing / (4 * lower.theta)));
    lower = upper;
  }
  return Math.min(1, 0.999 / worst);
}

/** A standard normal that changes slowly from day to day: the last sixty days' shocks, fading over fifteen. */
function slowNoise(path: MarketPath, day: number, purpose: string): number {
  let sum = 0;
  let weight = 1;
  let squares = 0;
  for (let back = 0; back < MEMORY; back++) {
    if (day >= back) sum += weight * inverseNormalCdf(randomUniform(path.dayKey(day - back, purpose), 0));
    squares += weight * weight;
    weight *= Math.exp(-1 / 15);
  }
  return sum / Math.sqrt(squares);
}
