import { halfSpread, quotedAtTheMoney, type VolatilityQuotes } from './volatility-quotes.ts';

/**
 * Quotes scaled for a fit: x = k/√θ₀ and volatility over σ₀, where σ₀ is the volatility at the money and θ₀ = σ₀²T, so
 * that smiles of a day and of five years look alike. Rows of {@link STRIDE} numbers: x, mid, 1/half-spread, the
 * sides in half-spreads from the mid, and the weight: vega over that at the money.
 */
export interface ScaledQuotes {
  readonly rows: Float64Array;
  readonly count: number;
  /** Total variance at the money that the scale rests on. */
  readonly theta: number;
}

export const STRIDE = 6;

/*
 * The loss of a smile that misses the mid of a quote by e half-spreads: nothing for what lies between bid and ask but
 * a tenth of e, which makes the best smile unique, and beyond them the distance to the nearer side in addition. Past
 * HUBER half-spreads it grows in proportion to the miss instead of its square, so that a stale quote does not lead.
 */
export const INSIDE = 0.1;
export const HUBER = 3;

/** The quotes of an expiry, scaled; there must be a row. */
export function scaleQuotes(quotes: VolatilityQuotes, years: number): ScaledQuotes {
  const { k, bid, mid, ask } = quotes;
  const level = quotedAtTheMoney(quotes);
  const theta = level * level * years;
  const perDeviation = 1 / Math.sqrt(theta);
  const rows = new Float64Array(k.length * STRIDE);
  for (let i = 0; i < k.length; i++) {
    const half = halfSpread(quotes, i);
    rows[i * STRIDE] = k[i]! * perDeviation;
    rows[i * STRIDE + 1] = mid[i]! / level;
    rows[i * STRIDE + 2] = level / half;
    rows[i * STRIDE + 3] = (bid[i]! - mid[i]!) / half;
    rows[i * STRIDE + 4] = (ask[i]! - mid[i]!) / half;
    rows[i * STRIDE + 5] = Math.exp((-0.5 * (k[i]! / mid[i]!) ** 2) / years);
  }
  return { rows, count: k.length, theta };
}
