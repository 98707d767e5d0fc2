import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { surfaceVolatility } from '#src/analytics/domain/surface/smile.ts';
import type { ExpiryQuotes } from '#src/analytics/domain/surface/vol-surface.ts';

const surface = { level: 0.18, rho: -0.65, eta: 1.2 };

/**
 * Quotes of 40 expiries × 60 strikes from a day to two years: an arbitrage-free surface, bent by two percent so that no
 * slice of three parameters meets it, with noise of a third of the half-spread.
 */
export function noisyQuotes(expiries = 40, strikes = 60): ExpiryQuotes[] {
  const random = randomStream('surface-quotes');
  return Array.from({ length: expiries }, (_, e) => {
    const years = 2 ** (-8.5 + (9.5 * e) / (expiries - 1));
    const deviation = surfaceVolatility(surface, 0, years) * Math.sqrt(years);
    const k = Float64Array.from({ length: strikes }, (__, i) => deviation * (-3.2 + (5 * i) / (strikes - 1)));
    const half = k.map((at) => 0.001 + (0.001 * Math.abs(at)) / deviation);
    const mid = k.map((at, i) => {
      const bend = 1 + 0.02 * Math.sin((2 * at) / deviation);
      return surfaceVolatility(surface, at, years) * bend + 0.33 * half[i]! * random.normal();
    });
    const quotes = { k, bid: mid.map((v, i) => v - half[i]!), mid, ask: mid.map((v, i) => v + half[i]!) };
    return { label: `E${e}`, years, forward: 6000, quotes };
  });
}
