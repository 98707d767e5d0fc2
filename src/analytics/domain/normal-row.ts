import { normalCorrection } from './bachelier-volatility.ts';
import { normalCdf, normalPdf } from './normal.ts';
import { forwardOverMean, normalElasticity } from './price-blend.ts';

/** Greeks of Bachelier's model at the normal volatility that a strike's own is worth, without the carry e^{−qT}. */
export interface NormalRow {
  /** Delta of a call. */
  readonly delta: number;
  /** Gamma times spot. */
  readonly gamma: number;
  /** Change of delta per unit of Black's volatility. */
  readonly vanna: number;
}

/** What a row is near expiry, from x = ln(F/K), its volatility and its deviation σ√T. */
export function normalRow(x: number, volatility: number, deviation: number): NormalRow {
  const variance = deviation * deviation;
  const scale = normalCorrection(variance) / deviation;
  const d = x * scale;
  const density = normalPdf(d);
  return {
    delta: normalCdf(d),
    gamma: density * scale * forwardOverMean(x),
    vanna: (-density * d * normalElasticity(variance)) / volatility,
  };
}
