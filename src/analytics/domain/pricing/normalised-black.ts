import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { inverseNormalCdf, inverseNormalTail } from '#src/analytics/domain/numerics/normal.ts';

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

const TWO_PI = 6.283185307179586;
const SQRT_3 = 1.7320508075688772;
const LN_SQRT_2PI = 0.9189385332046727;
const SIXTH = 1 / 6;

/**
 * σ√T of a price under bLow = b(sLow), where prices fall off like a tail. f(s) = 2π|x|/(3√3)·Φ(−|x|/(√3·s))³ is nearly
 * linear in the price near zero, so f is interpolated between (0, 0) and (bLow, f(sLow)) and inverted; then two steps
 * solve 1/ln b(s) = 1/ln price, which never underflows.
 *
 * One long function on purpose: four quotes in five come here, and each call that is not inlined boxes every number
 * that it passes.
 */
export function lowPriceVolatility(price: number, x: number, sLow: number, bLow: number): number {
  const ax = -x;
  const z = ax / (SQRT_3 * sLow);
  const y = z * z;
  const ss = sLow * sLow;
  // Φ(−z) = m·φ(z); the powers of φ in f, f' and f'' are written with two exponentials instead of four.
  const mills = SQRT_HALF_PI * erfcx(z * Math.SQRT1_2);
  const bell = Math.exp(-0.5 * y);
  const growth = Math.exp(0.125 * ss);
  const cdf = mills * INV_SQRT_2PI * bell;
  const f = (TWO_PI / (3 * SQRT_3)) * ax * cdf * cdf * cdf;
  const f1 = y * mills * mills * growth;
  const bend = 8 * SQRT_3 * sLow * ax + (3 * ss * (ss - 8) - 8 * x * x) * mills;
  const f2 = ((Math.PI / 6) * (y / (ss * sLow)) * mills * INV_SQRT_2PI * bend * growth * growth) / (bell * bell * bell);
  // The rational cubic of rational-cubic.ts from (0, 0) with slope 1, written out: it is the hottest call of all.
  const chord = f / bLow;
  const left = chord - 1;
  const right = f1 - chord;
  const wanted = (0.5 * bLow * f2 + (f1 - 1)) / right;
  const shape = left * right > 0 ? 1 + Math.max(right / left, left / right) : 0;
  const r = Math.min(Math.max(wanted, shape, (1 + f1) / chord), 1e100);
  const p = price / bLow;
  const pq = p * (1 - p);
  let value = (p * (f * p * p + pq * (r * f - bLow * f1)) + bLow * pq * (1 - p)) / (1 + (r - 3) * pq);
  // Rounding can push the interpolant below zero for |x| in the hundreds; a quadratic between the same ends cannot.
  if (!(value > 0)) value = (f * p + bLow * (1 - p)) * p;
  // Inverted in logarithms: Φ(−z) = √3·(value/(2π|x|))^⅓, and its tail needs ln Φ anyway.
  const logCdf = 0.5493061443340548 + Math.log(value / (TWO_PI * ax)) / 3;
  const root = logCdf < -2.6 ? inverseNormalTail(Math.sqrt(-logCdf)) : -inverseNormalCdf(Math.exp(logCdf));
  let s = ax / (SQRT_3 * root);
  const target = Math.log(price);
  const inverseTarget = 1 / target;
  for (let i = 0; i < 2; i++) {
    const inverse = 1 / s;
    const h = x * inverse;
    const t = 0.5 * s;
    const ratio = blackOverVega(h, t);
    const level = Math.log(ratio) - LN_SQRT_2PI - 0.5 * (h * h + t * t);
    const both = 1 / (ratio * level);
    const u = level * both;
    const v = ratio * both;
    const nu = level * ratio * (target - level) * inverseTarget;
    const b2 = (h * h - t * t) * inverse;
    const tilt = u * (1 + 2 * v);
    const h2 = b2 - tilt;
    const third = b2 * b2 - 3 * (h * inverse) * (h * inverse) - 0.25;
    const h3 = third + 2 * u * u * (1 + 3 * v * (1 + v)) - 3 * b2 * tilt;
    s = within(s, (nu * (1 + 0.5 * h2 * nu)) / (1 + nu * (h2 + SIXTH * h3 * nu)));
  }
  return s;
}
