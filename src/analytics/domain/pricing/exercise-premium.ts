import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import type { EuropeanOption } from './black-scholes.ts';
import type { UnitPut } from './exercise-boundary.ts';
import type { ExerciseScheme } from './exercise-scheme.ts';

/**
 * An option as a put of strike 1 with the spot at `level`, times `unit`. A call is the put of the mirrored market: spot
 * for strike, dividend for rate.
 *
 * @see R. McDonald, M. Schroder, "A parity result for American options", J. Comput. Finance 1 (1998)
 */
export function mirroredPut({ isCall, spot, strike, rate, dividend, volatility, years }: EuropeanOption) {
  return isCall
    ? { put: { rate: dividend, dividend: rate, volatility, years }, unit: spot, level: strike / spot }
    : { put: { rate, dividend, volatility, years }, unit: strike, level: spot / strike };
}

/** What interest under this earns on the strike is no reason to exercise, and its boundary is out of reach of doubles. */
const LEAST_RATE = 1e-9;

/** Whether a put is exercised early: never, under one boundary, or (dividend < rate ≤ 0) between two. */
export function exerciseKind({ rate, dividend }: Pick<UnitPut, 'rate' | 'dividend'>) {
  if (rate > LEAST_RATE) return 'one_boundary';
  return dividend >= rate ? 'never' : 'two_boundaries';
}

/** A solved boundary: ln B(0) and ln²(B/B(0)) at the nodes of its scheme. */
export interface Boundary {
  readonly start: number;
  readonly h: Float64Array;
}

/** What the right of exercise adds to a put of strike 1 with the spot at `level`; null where it is exercised now. */
export function exercisePremium(
  { rate, dividend, volatility, years }: UnitPut,
  level: number,
  { start, h }: Boundary,
  { nodes, outer, outerRoot, outerWeight, outerMatrix }: ExerciseScheme,
): number | null {
  const log = Math.log(level);
  // The first node is the longest time, so that its boundary is today's.
  if (log <= start - Math.sqrt(h[0]!)) return null;
  const deviation = volatility * Math.sqrt(years);
  let sum = 0;
  for (let k = 0; k < outer; k++) {
    const y = outerRoot[k]!;
    let square = 0;
    for (let j = 0; j < nodes; j++) square += outerMatrix[k * nodes + j]! * h[j]!;
    const boundary = start - Math.sqrt(Math.max(square, 0));
    const time = years * y * y;
    const s = deviation * y;
    const minus = (log - boundary + (rate - dividend) * time) / s - 0.5 * s;
    const interest = rate * Math.exp(-rate * time) * normalCdf(-minus);
    const paid = dividend === 0 ? 0 : dividend * level * Math.exp(-dividend * time) * normalCdf(-minus - s);
    sum += outerWeight[k]! * y * (interest - paid);
  }
  return Math.max(2 * sum * years, 0);
}
