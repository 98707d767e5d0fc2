import { essviToRaw } from './essvi.ts';
import { leastCalendarGap } from './essvi-arbitrage.ts';
import type { TimedSlice } from './essvi-between.ts';
import { type RawSvi, sviTotalVariance } from './svi.ts';
import { certifySvi } from './svi-certificate.ts';
import { halfSpread, type VolatilityQuotes } from './volatility-quotes.ts';

/** Results of the checks of a surface. Between its slices the interpolation keeps what holds at them. */
export interface SurfaceCertificate {
  /** Least of Durrleman's g over all slices and all k. */
  readonly leastG: number;
  /** Least rise of total variance from a slice to the next over all k; null for a single slice. */
  readonly leastCalendarGap: number | null;
  /** Steepest wing of any slice, total variance per unit of k; at most 2. */
  readonly steepestWing: number;
  /** True where g ≥ 0, no total variance falls with time and no wing is steeper than 2. */
  readonly holds: boolean;
}

/** Checks slices of ascending years by their values, not by the conditions they were made to keep. */
export function certifySurface(slices: readonly TimedSlice[]): SurfaceCertificate {
  const smiles = slices.map((slice) => certifySvi(essviToRaw(slice)));
  const gaps = slices.slice(1).map((slice, i) => leastCalendarGap(slices[i]!, slice));
  const gap = gaps.length > 0 ? Math.min(...gaps) : null;
  return {
    leastG: Math.min(...smiles.map(({ leastG }) => leastG)),
    leastCalendarGap: gap,
    steepestWing: Math.max(...smiles.map(({ leftWing, rightWing }) => Math.max(leftWing, rightWing))),
    holds: smiles.length > 0 && smiles.every(({ holds }) => holds) && (gap === null || gap >= 0),
  };
}

/** Misses of a smile against the quotes it was fitted to. */
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
