import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import type { EuropeanOption } from './black-scholes.ts';
import type { ExerciseScheme } from './exercise-scheme.ts';

/** A put of strike 1 that may be exercised at any time. */
interface UnitPut {
  /** Above zero: otherwise there is no single boundary. */
  readonly rate: number;
  readonly dividend: number;
  readonly volatility: number;
  readonly years: number;
}

const MAX_ROUNDS = 60;

/**
 * The exercise boundary of a put of strike 1, left in the scheme as ln²(B/B(0)) at its nodes; the result is ln B(0),
 * the boundary just before expiry, ln min(1, r/q).
 *
 * Of the source's two fixed-point equations this is B. Equation A, by Newton's method, is faster where it converges; it
 * did not for a large carry against a small volatility, nor near expiry for a yield just over the rate.
 *
 * @see L. Andersen, M. Lake, D. Offengenden, "High-performance American option pricing", J. Comput. Finance 20 (2016)
 */
export function solveBoundary(put: UnitPut, scheme: ExerciseScheme): number {
  const start = put.dividend > put.rate ? Math.log(put.rate / put.dividend) : 0;
  firstGuess(put, scheme, start);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const moved = improve(put, scheme, start);
    if (moved <= scheme.tolerance) break;
  }
  return start;
}

/** Bjerksund and Stensland's flat boundary for the time of each node: in closed form, a few percent off. */
function firstGuess({ rate, dividend, volatility, years }: UnitPut, scheme: ExerciseScheme, start: number): void {
  const variance = volatility * volatility;
  const tilt = (rate - dividend) / variance - 0.5;
  const power = -tilt - Math.sqrt(tilt * tilt + (2 * rate) / variance);
  // In terms of the call of the mirrored market, whose boundary is one over the put's.
  const first = Math.exp(-start);
  const perpetual = Math.min(Math.max((power - 1) / power, first * (1 + 1e-9)), first * 1e9);
  for (let i = 0; i < scheme.nodes; i++) {
    const root = scheme.root[i]! * Math.sqrt(years);
    const reach = Math.max((dividend - rate) * root * root + 2 * volatility * root, volatility * root);
    const far = 1 - Math.exp(-reach / ((perpetual - first) * first));
    scheme.level[i] = -Math.log(first + (perpetual - first) * far);
    scheme.h[i] = (scheme.level[i]! - start) ** 2;
  }
}

/** One step at every node, B = e^{−(r−q)τ}·N/D where N and D hold probabilities; the largest move of ln B. */
function improve(put: UnitPut, scheme: ExerciseScheme, start: number): number {
  const { rate, dividend, volatility, years } = put;
  const { nodes, root, inner, innerRoot, innerWeight, level } = scheme;
  const drift = rate - dividend;
  let moved = 0;
  for (let i = 0; i < nodes; i++) {
    const time = years * root[i]! * root[i]!;
    const deviation = volatility * Math.sqrt(time);
    const here = level[i]!;
    let interest = 0;
    let paid = 0;
    for (let k = 0; k < inner; k++) {
      const y = innerRoot[k]!;
      const back = time * y * y;
      const s = deviation * y;
      const minus = (here - boundaryAt(scheme, start, i * inner + k) + drift * back) / s - 0.5 * s;
      const weight = innerWeight[k]! * y;
      interest += weight * Math.exp(rate * (time - back)) * normalCdf(minus);
      if (dividend !== 0) paid += weight * Math.exp(dividend * (time - back)) * normalCdf(minus + s);
    }
    const plus = (here + drift * time) / deviation + 0.5 * deviation;
    const top = normalCdf(plus - deviation) + 2 * time * rate * interest;
    const bottom = normalCdf(plus) + 2 * time * dividend * paid;
    moved = Math.max(moved, moveNode(scheme, i, (Math.exp(-drift * time) * top) / bottom, start));
  }
  squareLevels(scheme, start);
  return moved;
}

/** ln B at a point of a node's integral, from ln²(B/B(0)) at all nodes. */
function boundaryAt({ nodes, innerMatrix, h }: ExerciseScheme, start: number, point: number): number {
  let square = 0;
  for (let j = 0; j < nodes; j++) square += innerMatrix[point * nodes + j]! * h[j]!;
  return start - Math.sqrt(Math.max(square, 0));
}

/** Computes how far ln B moves; a wild step, or one that is not a number, halves B and no more. */
function moveNode({ level }: ExerciseScheme, i: number, next: number, start: number): number {
  const here = level[i]!;
  const ratio = next / Math.exp(here);
  level[i] = Math.min(ratio > 0.5 && ratio < 2 ? Math.log(next) : here - Math.LN2, start);
  return Math.abs(level[i] - here);
}

function squareLevels({ nodes, level, h }: ExerciseScheme, start: number): void {
  for (let i = 0; i < nodes; i++) h[i] = (level[i]! - start) ** 2;
}

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

/**
 * Interest rate under which interest on the strike is no reason to exercise; its boundary is out of reach of doubles.
 */
const LEAST_RATE = 1e-9;

/** Tells when a put is exercised early: never, under one boundary, or (dividend < rate ≤ 0) between two. */
export function exerciseKind({ rate, dividend }: Pick<UnitPut, 'rate' | 'dividend'>) {
  if (rate > LEAST_RATE) return 'one_boundary';
  return dividend >= rate ? 'never' : 'two_boundaries';
}

/** A solved boundary: ln B(0) and ln²(B/B(0)) at the nodes of its scheme. */
export interface Boundary {
  readonly start: number;
  readonly h: Float64Array;
}

/**
 * Computes what the right of exercise adds to a put of strike 1 with the spot at `level`; null where it is exercised
 * now.
 */
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
