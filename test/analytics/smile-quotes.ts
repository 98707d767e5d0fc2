import { type ExpiryQuotes, fitSurface, type VolSurface } from '#src/analytics/domain/surface/vol-surface.ts';
import type { VolatilityQuotes } from '#src/analytics/domain/surface/volatility-quotes.ts';

/** Quotes of a smile given by its volatility at k: mid on the smile moved by `noise` half-spreads, bid and ask around. */
export function quotesOf(
  k: readonly number[],
  volatility: (k: number) => number,
  { half = 0.002, noise = () => 0 }: { half?: number; noise?: () => number } = {},
): VolatilityQuotes {
  const mid = Float64Array.from(k, (at) => volatility(at) + half * noise());
  return { k: Float64Array.from(k), bid: mid.map((v) => v - half), mid, ask: mid.map((v) => v + half) };
}

/** Strikes from three and a half deviations below the money to two above. */
export function strikesFor(deviation: number, count = 40): number[] {
  return Array.from({ length: count }, (_, i) => deviation * (-3.5 + (5.5 * i) / (count - 1)));
}

export function expiryOf(years: number, quotes: VolatilityQuotes): ExpiryQuotes {
  return { label: `E ${years}`, years, forward: 1000, quotes };
}

/** The surface of these expiries; an error where there is none. */
export function surfaceOf(expiries: readonly ExpiryQuotes[]): VolSurface {
  const { status, surface } = fitSurface(expiries);
  if (!surface) throw new Error(`no surface: ${status}`);
  return surface;
}
