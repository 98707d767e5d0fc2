import { normalCdf, normalPdf } from '#src/analytics/domain/numerics/normal.ts';
import { normalCorrection } from './bachelier-volatility.ts';
import { forwardOverMean, normalElasticity } from './price-blend.ts';

/*
 * Greeks of Bachelier's model at the normal volatility that a strike's own is worth, without the carry e^{−qT}: what a
 * row is near expiry, from x = ln(F/K), its volatility and its deviation σ√T. Each alone, because sums over a book ask
 * for one of them at a time.
 */

/** Delta of a call. */
export function normalDelta(x: number, deviation: number): number {
  return normalCdf(x * scaleOf(deviation));
}

/** Gamma times spot. */
export function normalGamma(x: number, deviation: number): number {
  const scale = scaleOf(deviation);
  return normalPdf(x * scale) * scale * forwardOverMean(x);
}

/** Change of delta per unit of Black's volatility. */
export function normalVanna(x: number, volatility: number, deviation: number): number {
  const d = x * scaleOf(deviation);
  return (-normalPdf(d) * d * normalElasticity(deviation * deviation)) / volatility;
}

/** One over the deviation of the normal model, in the unit of x. */
function scaleOf(deviation: number): number {
  return normalCorrection(deviation * deviation) / deviation;
}
