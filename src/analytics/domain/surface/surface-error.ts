import { type RawSvi, sviTotalVariance } from './svi.ts';
import { halfSpread, type VolatilityQuotes } from './volatility-quotes.ts';

/** How a smile misses the quotes it was fitted to. */
export interface FitError {
  /** Root mean square miss of the mid, volatility points (0.01). */
  readonly volatilityPoints: number;
  /** The same in half-spreads of each quote. */
  readonly halfSpreads: number;
  /** Share of the quotes between whose bid and ask the smile lies, 0 to 1. */
  readonly inside: number;
}

/** Misses of a smile; null without a quote. */
export function fitError(quotes: VolatilityQuotes, smile: RawSvi, years: number): FitError | null {
  const { k, bid, mid, ask } = quotes;
  if (k.length === 0) return null;
  let points = 0;
  let spreads = 0;
  let inside = 0;
  for (let i = 0; i < k.length; i++) {
    const sigma = Math.sqrt(sviTotalVariance(smile, k[i]!) / years);
    const miss = sigma - mid[i]!;
    points += miss * miss;
    spreads += (miss / halfSpread(quotes, i)) ** 2;
    if (sigma >= bid[i]! && sigma <= ask[i]!) inside++;
  }
  return {
    volatilityPoints: 100 * Math.sqrt(points / k.length),
    halfSpreads: Math.sqrt(spreads / k.length),
    inside: inside / k.length,
  };
}
