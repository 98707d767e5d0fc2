/** The quotes of one expiry as volatilities, one row per strike, out-of-the-money side, ascending in k. */
export interface VolatilityQuotes {
  /** Log-moneyness ln(K/F) against the forward of the expiry. */
  readonly k: Float64Array;
  /** Black volatilities of bid, mid and ask, decimal per square root of a year. */
  readonly bid: Float64Array;
  readonly mid: Float64Array;
  readonly ask: Float64Array;
}

/** Quotes that a smile is fitted to, and how many were refused. */
export interface UsableQuotes {
  readonly quotes: VolatilityQuotes;
  /** Rows with the bid above the ask, or the mid outside of them. */
  readonly crossed: number;
  /** Rows with a number that is missing, infinite, or not above zero. */
  readonly malformed: number;
}

/**
 * Least half-spread: volatilities are not quoted closer than a fiftieth of a point, and a locked quote would otherwise
 * outweigh all others.
 */
export const LEAST_HALF_SPREAD = 0.0002;

/** Keeps the rows that say something about a smile, in ascending order of k. */
export function usableQuotes({ k, bid, mid, ask }: VolatilityQuotes): UsableQuotes {
  let crossed = 0;
  let malformed = 0;
  const rows: number[] = [];
  for (let i = 0; i < k.length; i++) {
    const finite = Number.isFinite(k[i]) && bid[i]! > 0 && mid[i]! > 0 && ask[i]! > 0 && ask[i]! < Infinity;
    if (!finite) malformed++;
    else if (bid[i]! <= mid[i]! && mid[i]! <= ask[i]!) rows.push(i);
    else crossed++;
  }
  rows.sort((i, j) => k[i]! - k[j]!);
  const pick = (from: Float64Array) => Float64Array.from(rows, (i) => from[i]!);
  return { quotes: { k: pick(k), bid: pick(bid), mid: pick(mid), ask: pick(ask) }, crossed, malformed };
}

/** Half the spread of a quote in volatility, above zero: the unit that misses are measured in. */
export function halfSpread({ bid, ask }: VolatilityQuotes, i: number): number {
  return Math.max(0.5 * (ask[i]! - bid[i]!), LEAST_HALF_SPREAD);
}

/** Volatility at the money by the quotes: linear between the two around k = 0, flat outside. There must be a row. */
export function quotedAtTheMoney({ k, mid }: VolatilityQuotes): number {
  let after = 0;
  while (after < k.length && k[after]! < 0) after++;
  if (after === 0) return mid[0]!;
  if (after === k.length) return mid[after - 1]!;
  const t = -k[after - 1]! / (k[after]! - k[after - 1]!);
  return (1 - t) * mid[after - 1]! + t * mid[after]!;
}
