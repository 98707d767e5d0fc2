import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';

const SQRT_HALF_PI = 1.2533141373155003;
const INV_SQRT_2PI = 0.3989422804014327;

/** 1/(n(n + 1)) for n = 2, 4, 6 …: a division in the loop would cost as much as the rest of it. */
const RECIPROCALS = Float64Array.from({ length: 13 }, (_, k) => 1 / ((2 * k + 2) * (2 * k + 3)));

/**
 * b(x, s) / b'(s): the normalised Black call over its vega, for x ≤ 0 (log-moneyness ln(F/K)) and s > 0 (σ√T), given
 * h = x/s and t = s/2.
 *
 * With Y = Φ/φ it is Y(h+t) − Y(h−t), which needs no exponential of h and so never underflows.
 * For a small t that difference cancels; the odd Taylor terms 2·Σ Y⁽²ᵏ⁺¹⁾(h)·t²ᵏ⁺¹/(2k+1)! do not.
 *
 * @see P. Jäckel, "Let's Be Rational", Wilmott (2015), section 6 (the regions; the series here is our own derivation)
 */
export function blackOverVega(h: number, t: number): number {
  if (t >= 0.45 || h * t <= -0.5) {
    return SQRT_HALF_PI * (erfcx(-(h + t) * Math.SQRT1_2) - erfcx(-(h - t) * Math.SQRT1_2));
  }
  // Y⁽ⁿ⁺¹⁾ = h·Y⁽ⁿ⁾ + n·Y⁽ⁿ⁻¹⁾ with Y' = 1 + h·Y: it loses digits in proportion to h², and b/(b'·s) gives them back.
  const y0 = SQRT_HALF_PI * erfcx(-h * Math.SQRT1_2);
  const tt = t * t;
  let odd = 1 + h * y0;
  let even = y0 + h * odd;
  let power = tt;
  let sum = odd;
  const floor = 2e-17 * sum;
  for (let k = 0; k < RECIPROCALS.length; k++) {
    const n = 2 * k + 2;
    odd = h * even + n * odd;
    power *= RECIPROCALS[k]!;
    const term = odd * power;
    sum += term;
    if (!(term > floor)) break;
    power *= tt;
    even = h * odd + (n + 1) * even;
  }
  return 2 * t * sum;
}

/** b'(s), the normalised vega e^{−(h²+t²)/2}/√(2π). */
export function normalisedVega(h: number, t: number): number {
  return INV_SQRT_2PI * Math.exp(-0.5 * (h * h + t * t));
}

/** (e^{x/2} − b(x, s)) / b'(s): the distance to the upper bound over vega, without cancellation, for x ≤ 0. */
export function upperGapOverVega(h: number, t: number): number {
  return SQRT_HALF_PI * (erfcx((h + t) * Math.SQRT1_2) + erfcx((t - h) * Math.SQRT1_2));
}

/** s moved by a step, but never below its half: a step that is not a number halves it, too. */
export function within(s: number, step: number): number {
  return s + step > 0.5 * s ? s + step : 0.5 * s;
}
