import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { normalPdf } from '#src/analytics/domain/numerics/normal.ts';
import type { NoVolatility } from './implied-volatility.ts';

export interface BachelierPriced {
  /** Undiscounted price (divide the market price by the discount factor), same unit as the strike. */
  readonly price: number;
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
  readonly isCall: boolean;
}

const SQRT_2PI = 2.5066282746310002;
const INV_SQRT_2PI = 0.3989422804014327;
const SQRT_HALF_PI = 1.2533141373155003;

/**
 * Normal volatility (points per square root of a year) that gives the price, near the accuracy of a double. There is
 * no upper bound of a Bachelier price, so any time value has one; a price without it gives the reason instead.
 *
 * @see P. Jäckel, "Implied Normal Volatility", Wilmott (2017), whose equation numbers are below
 */
export function bachelierVolatility(option: BachelierPriced): number | NoVolatility {
  const { price, forward, strike, years, isCall } = option;
  if (!(Number.isFinite(price) && Number.isFinite(forward) && Number.isFinite(strike))) return 'not_finite';
  if (!(years > 0 && years < Infinity)) return Number.isNaN(years) || years > 0 ? 'not_finite' : 'expired';
  const gap = Math.abs(forward - strike);
  const timeValue = price - Math.max(isCall ? forward - strike : strike - forward, 0);
  if (!(timeValue > 0)) return 'at_or_below_intrinsic';
  const target = timeValue / gap;
  // At the money, or so near that σ_N√T/|F − K| overflows: P = σ_N√T/√(2π), with a relative error of order |F − K|/P.
  const deviation = target < 1e16 ? gap / inverseTail(target) : timeValue * SQRT_2PI;
  return deviation > 0 && deviation < Infinity ? deviation / Math.sqrt(years) : 'not_finite';
}

/** x > 0 with φ(x)/x − Φ(−x) = target: a rational seed of some ten digits and one step of fourth order. */
function inverseTail(target: number): number {
  const x = target > 0.001882039271 ? seedNear(target) : seedFar(target);
  // φ(x)/x − Φ(−x) over φ(x); its relative error grows by x² and the inverse's shrinks by as much.
  const q = target / normalPdf(x) - (1 / x - SQRT_HALF_PI * erfcx(x * Math.SQRT1_2));
  const xx = x * x;
  // (2.6) and (2.7), for the point mirrored to x > 0.
  const top = 3 * q * xx * (2 + q * x * (2 + xx));
  const bottom = 6 + q * x * (12 + x * (6 * q + x * (6 + q * x * (3 + xx))));
  return x - top / bottom;
}

/** (2.1) to (2.3). */
function seedNear(target: number): number {
  const g = 1 / (target + 0.5);
  const gg = g * g;
  const top = 0.032114372355 - gg * (0.016969777977 - gg * (2.6207332461e-3 - 9.6066952861e-5 * gg));
  const bottom = 1 - gg * (0.6635646938 - gg * (0.14528712196 - 0.010472855461 * gg));
  return g * (INV_SQRT_2PI + (top / bottom) * gg);
}

/** (2.4) and (2.5). */
function seedFar(target: number): number {
  const h = Math.sqrt(-Math.log(target));
  const top = 9.4883409779 - h * (9.6320903635 - h * (0.58556997323 + 2.1464093351 * h));
  const bottom = 1 - h * (0.65174820867 + h * (1.5120247828 + 6.6437847132e-5 * h));
  return -top / bottom;
}

/** A volatility as Black quotes it, and the point it is quoted at. */
export interface LognormalQuote {
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
  /** Decimal per square root of a year. */
  readonly volatility: number;
}

/**
 * Normal volatility of the same price as a Black volatility, by expansion: relative error about (σ√T)⁴/1000, under
 * 1e-9 where σ√T is under 0.03. Beyond a few tenths invert the Black price by {@link bachelierVolatility} instead.
 *
 * @see P. Hagan et al., "Managing Smile Risk", Wilmott (2002), appendix A (here with (F − K)/ln(F/K) unexpanded)
 */
export function lognormalToNormal({ forward, strike, years, volatility }: LognormalQuote): number {
  const variance = volatility * volatility * years;
  return (volatility * meanLevel(forward, strike)) / normalCorrection(variance);
}

/** 1 + s²/24 + s⁴/5760 for a total variance s²: what the normal volatility falls short of σ·(F − K)/ln(F/K). */
export function normalCorrection(variance: number): number {
  return 1 + variance * (1 / 24 + variance / 5760);
}

/** (F − K)/ln(F/K), the logarithmic mean of two levels above zero. */
function meanLevel(forward: number, strike: number): number {
  const x = (forward - strike) / strike;
  return Math.abs(x) < 1e-8 ? strike * (1 + 0.5 * x) : (forward - strike) / Math.log1p(x);
}
