import { bsmPrice, type EuropeanOption } from './black-scholes.ts';
import { solveBoundary, type UnitPut } from './exercise-boundary.ts';
import { type ExerciseScheme, exerciseScheme } from './exercise-scheme.ts';
import { normalCdf } from './normal.ts';

/**
 * Why an American option has no price here. `two_boundaries`: with rates q < r ≤ 0 of a put (r < q ≤ 0 of a call)
 * it is exercised between two boundaries, which a method with one cannot find. `not_finite`: spot, strike, years or
 * volatility is not above zero and finite.
 */
export type NoAmericanPrice = 'two_boundaries' | 'not_finite';

/** `fast`: error about 3e-7 of the strike at most. `accurate`: about 1e-10. */
export type AmericanSetting = 'fast' | 'accurate';

const schemes: Readonly<Record<AmericanSetting, ExerciseScheme>> = {
  fast: exerciseScheme({ nodes: 8, inner: 10, outer: 24, tolerance: 1e-6 }),
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
  // A call is the put of the mirrored market: spot for strike, dividend for rate.
  const put = isCall ? { rate: dividend, dividend: rate, volatility, years } : { rate, dividend, volatility, years };
  const unit = isCall ? spot : strike;
  const level = isCall ? strike / spot : spot / strike;
  if (put.rate <= 0) return put.dividend >= put.rate ? bsmPrice(option) : 'two_boundaries';
  const intrinsic = Math.max(isCall ? spot - strike : strike - spot, 0);
  const premium = earlyExercisePremium(put, level, schemes[setting]);
  return premium === null ? intrinsic : Math.max(bsmPrice(option) + unit * premium, intrinsic);
}

/** What the right of exercise adds to a put of strike 1 with the spot at `level`; null where it is exercised now. */
function earlyExercisePremium(put: UnitPut, level: number, scheme: ExerciseScheme): number | null {
  const { rate, dividend, volatility, years } = put;
  const start = solveBoundary(put, scheme);
  const { nodes, outer, outerRoot, outerWeight, outerMatrix, h } = scheme;
  const log = Math.log(level);
  if (log <= scheme.level[0]!) return null;
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
