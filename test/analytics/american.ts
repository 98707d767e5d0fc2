import { bsmPrice, type EuropeanOption } from '#src/analytics/domain/pricing/black-scholes.ts';
import {
  exerciseKind,
  exercisePremium,
  mirroredPut,
  solveBoundary,
} from '#src/analytics/domain/pricing/exercise-boundary.ts';
import { type ExerciseScheme, exerciseScheme, fastScheme } from '#src/analytics/domain/pricing/exercise-scheme.ts';

/**
 * Why an American option has no price here. `two_boundaries`: with rates q < r ≤ 0 of a put (r < q ≤ 0 of a call)
 * it is exercised between two boundaries, which a method with one cannot find. `not_finite`: spot, strike, years or
 * volatility is not above zero and finite.
 */
export type NoAmericanPrice = 'two_boundaries' | 'not_finite';

/** `fast`: error about 3e-7 of the strike at most. `accurate`: about 1e-10. */
export type AmericanSetting = 'fast' | 'accurate';

const schemes: Readonly<Record<AmericanSetting, ExerciseScheme>> = {
  fast: fastScheme,
  accurate: exerciseScheme({ nodes: 20, inner: 28, outer: 56, tolerance: 1e-11 }),
};

/**
 * Price of an American option with continuous dividend yield, in the unit of spot; never under the European one or
 * under intrinsic value. Rates and yields below zero are fine where one boundary or none exists.
 *
 * @see L. Andersen, M. Lake, D. Offengenden, "High-performance American option pricing", J. Comput. Finance 20 (2016)
 */
export function americanPrice(option: EuropeanOption, setting: AmericanSetting = 'fast'): number | NoAmericanPrice {
  const { isCall, spot, strike, years, volatility, rate, dividend } = option;
  const sane = spot > 0 && strike > 0 && years > 0 && volatility > 0 && spot + strike + years + volatility < Infinity;
  if (!(sane && Number.isFinite(rate + dividend))) return 'not_finite';
  const { put, unit, level } = mirroredPut(option);
  const kind = exerciseKind(put);
  const intrinsic = Math.max(isCall ? spot - strike : strike - spot, 0);
  if (kind === 'never') return Math.max(bsmPrice(option), intrinsic);
  if (kind === 'two_boundaries') return kind;
  const scheme = schemes[setting];
  const start = solveBoundary(put, scheme);
  const premium = exercisePremium(put, level, { start, h: scheme.h }, scheme);
  return premium === null ? intrinsic : Math.max(bsmPrice(option) + unit * premium, intrinsic);
}
