import { normalPdf } from '#src/analytics/domain/numerics/normal.ts';
import { black76Price } from './black-scholes.ts';
import { type Boundary, exerciseKind, exercisePremium, mirroredPut, solveBoundary } from './exercise-boundary.ts';
import { fastScheme } from './exercise-scheme.ts';

/** Terms that all American calls, or all puts, of one expiry share. */
export interface ExerciseMarket {
  readonly isCall: boolean;
  readonly spot: number;
  /** Above zero. */
  readonly years: number;
  readonly rate: number;
  readonly dividend: number;
}

export interface ExerciseTable {
  readonly market: ExerciseMarket;
  readonly forward: number;
  readonly discount: number;
  /** In the unit of spot, volatility above zero. */
  readonly american: (strike: number, volatility: number) => number;
  readonly european: (strike: number, volatility: number) => number;
  /** ∂european/∂volatility. */
  readonly vega: (strike: number, volatility: number) => number;
}

/** Step of the grid in ln σ. */
const STEP = 0.15;
/** 1/Π(k − m) over the other five of six places. */
const SIGNS = [-1 / 120, 1 / 24, -1 / 12, 1 / 12, -1 / 24, 1 / 120] as const;

/**
 * American prices of one expiry and side, some microseconds each: measured by the strike, the boundary of exercise
 * depends on the volatility alone. It is solved on a grid of ln σ, at its first use, and interpolated: within some
 * 5e-7 of the strike of the true price.
 * Where two boundaries exist, which no market has that we know of, prices are European.
 */
export function exerciseTable(market: ExerciseMarket): ExerciseTable {
  const { isCall, spot, years, rate, dividend } = market;
  const discount = Math.exp(-rate * years);
  const forward = spot * Math.exp((rate - dividend) * years);
  const root = Math.sqrt(years);
  const isExercised = exerciseKind(mirroredPut({ ...market, strike: spot, volatility: 1 }).put) === 'one_boundary';
  const known = new Map<number, Boundary>();
  const mixed = new Float64Array(fastScheme.nodes);
  const european = (strike: number, volatility: number): number =>
    black76Price({ isCall, forward, strike, deviation: volatility * root, discount });

  const boundaryOf = (step: number): Boundary => {
    const found = known.get(step);
    if (found) return found;
    const { put } = mirroredPut({ ...market, strike: spot, volatility: Math.exp(step * STEP) });
    const start = solveBoundary(put, fastScheme);
    const boundary = { start, h: fastScheme.h.slice() };
    known.set(step, boundary);
    return boundary;
  };

  /** Leaves the boundary of a volatility in `mixed`: a polynomial of degree five through the grid around it. */
  const mixBoundaries = (place: number): number => {
    const first = Math.floor(place) - 2;
    const t = place - first;
    mixed.fill(0);
    for (let k = 0; k < 6; k++) {
      let weight = SIGNS[k]!;
      for (let m = 0; m < 6; m++) if (m !== k) weight *= t - m;
      const { h } = boundaryOf(first + k);
      for (let j = 0; j < mixed.length; j++) mixed[j]! += weight * h[j]!;
    }
    for (let j = 0; j < mixed.length; j++) mixed[j] = Math.max(mixed[j]!, 0);
    return boundaryOf(first).start;
  };

  const american = (strike: number, volatility: number): number => {
    const value = european(strike, volatility);
    if (!isExercised) return value;
    const start = mixBoundaries(Math.log(volatility) / STEP);
    const { put, unit, level } = mirroredPut({ ...market, strike, volatility });
    const premium = exercisePremium(put, level, { start, h: mixed }, fastScheme);
    const intrinsic = isCall ? spot - strike : strike - spot;
    return premium === null ? intrinsic : Math.max(value + unit * premium, intrinsic);
  };

  const vega = (strike: number, volatility: number): number => {
    const deviation = volatility * root;
    return discount * forward * normalPdf(Math.log(forward / strike) / deviation + 0.5 * deviation) * root;
  };
  return { market, forward, discount, american, european, vega };
}
