import { bachelierGreeks } from './bachelier.ts';
import { lognormalToNormal, normalCorrection } from './bachelier-volatility.ts';
import { bsmGreeks, type EuropeanOption, type Greeks } from './black-scholes.ts';

/** One trading day in calendar years: a year has 252 of them. */
export const TRADING_DAY = 1 / 252;
/** Deviations σ√T under this count as small whatever the time. */
export const SMALL_DEVIATION = 0.02;

/**
 * Share of Bachelier's model in the Greeks of an option, 0 to 1: all of it under one trading day to expiry or under a
 * deviation of 0.02, none from two days and twice that variance on, linear in time and variance between. Continuous, so
 * that no exposure jumps as expiry nears.
 */
export function normalWeight(years: number, deviation: number): number {
  const byTime = 2 - years / TRADING_DAY;
  const byDeviation = 2 - (deviation * deviation) / (SMALL_DEVIATION * SMALL_DEVIATION);
  return Math.min(Math.max(byTime, byDeviation, 0), 1);
}

/**
 * x/(1 − e^{−x}): the forward over its logarithmic mean with the strike, for x = ln(F/K). Bachelier's gamma at a
 * converted volatility is a bell in x times this.
 */
export function forwardOverMean(x: number): number {
  if (x > 0.5 || x < -0.5) return -x / Math.expm1(-x);
  const xx = x * x;
  const even =
    1 / 12 +
    xx * (-1 / 720 + xx * (1 / 30240 + xx * (-1 / 1209600 + xx * (1 / 47900160 - xx * 5.284190138687493e-10))));
  return 1 + 0.5 * x + xx * even;
}

/** Its derivative. */
export function forwardOverMeanSlope(x: number): number {
  if (Math.abs(x) < 1e-3) return 0.5 + x / 6 - (x * x * x) / 180;
  const f = forwardOverMean(x);
  return (f * (1 + x - f)) / x;
}

/** ∂ln σ_N/∂ln σ of the converted volatility at a total variance s²: what turns a Greek per normal into one per Black volatility. */
export function normalElasticity(variance: number): number {
  return 1 - (variance * (1 / 12 + variance / 1440)) / normalCorrection(variance);
}

/**
 * First-order Greeks and gamma, vanna and charm as the exposures blend them, per unit of Black volatility. The price is
 * Black's: the converted volatility gives the same.
 */
export function blendedGreeks(
  option: EuropeanOption,
): Pick<Greeks, 'price' | 'delta' | 'gamma' | 'vega' | 'theta' | 'vanna' | 'charm'> {
  const { spot, strike, years, volatility, rate, dividend } = option;
  const deviation = volatility * Math.sqrt(years);
  const u = normalWeight(years, deviation);
  const black = bsmGreeks(option);
  if (u === 0) return black;
  const forward = spot * Math.exp((rate - dividend) * years);
  const normalVolatility = lognormalToNormal({ forward, strike, years, volatility });
  const normal = bachelierGreeks({ ...option, normalVolatility });
  const perBlack = (normalVolatility / volatility) * normalElasticity(deviation * deviation);
  const mix = (a: number, b: number): number => (1 - u) * a + u * b;
  return {
    price: black.price,
    delta: mix(black.delta, normal.delta),
    gamma: mix(black.gamma, normal.gamma),
    vega: mix(black.vega, normal.vega * perBlack),
    theta: mix(black.theta, normal.theta),
    vanna: mix(black.vanna, normal.vanna * perBlack),
    charm: mix(black.charm, normal.charm),
  };
}
