import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { inverseNormalCdf, inverseNormalCentral, normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import {
  controlAtLeft,
  controlAtRight,
  rationalCubic,
  type Segment,
} from '#src/analytics/domain/numerics/rational-cubic.ts';
import { blackOverVega, lowPriceVolatility, normalisedVega, upperGapOverVega, within } from './normalised-black.ts';

const SQRT_HALF_PI = 1.2533141373155003;

interface UpperSplit {
  readonly sHigh: number;
  readonly bHigh: number;
  readonly limit: number;
}

/** The guess for a price over b(s_u), near the upper bound `limit`: there f(s) = Φ(−s/2) is nearly linear in it. */
function seedHighest(price: number, x: number, top: UpperSplit): number {
  const { sHigh, bHigh, limit } = top;
  const w = (x / sHigh) * (x / sHigh);
  const ss = sHigh * sHigh;
  const f = normalCdf(-0.5 * sHigh);
  const f1 = -0.5 * Math.exp(0.5 * w);
  const f2 = SQRT_HALF_PI * Math.exp(w + 0.125 * ss) * (w / sHigh);
  const segment: Segment = { x0: bHigh, x1: limit, y0: f, y1: 0, slope0: f1, slope1: -0.5 };
  let value = Number.isFinite(f2) ? rationalCubic(price, segment, controlAtLeft(segment, f2)) : 0;
  if (!(value > 0)) {
    const t = (price - bHigh) / (limit - bHigh);
    value = f * (1 - t) * (1 - t) + 0.5 * (limit - bHigh) * t * (1 - t);
  }
  return value > 0 ? -2 * inverseNormalCdf(value) : sHigh;
}

/** Why a price has no implied volatility. */
export type NoVolatility = 'not_finite' | 'expired' | 'at_or_below_intrinsic' | 'at_or_above_bound';

export interface PricedOption {
  /** Undiscounted price (divide the market price by the discount factor), same unit as the strike. */
  readonly price: number;
  /** Forward price of the underlying at expiry. */
  readonly forward: number;
  readonly strike: number;
  /** Years to expiry, any clock: the volatility comes out per square root of the same year. */
  readonly years: number;
  readonly isCall: boolean;
}

/**
 * Black volatility that gives the price, to the accuracy the price allows: relative error about ε·price/(vega·σ) and
 * no better than a few ε. A price without a volatility gives the reason instead, never a number.
 *
 * @see P. Jäckel, "Let's Be Rational", Wilmott (2015)
 */
export function impliedVolatility(option: PricedOption): number | NoVolatility {
  const { price, forward, strike, years, isCall } = option;
  if (!(price < Infinity && price > -Infinity && forward > 0 && strike > 0 && forward < 1e150 && strike < 1e150)) {
    return 'not_finite';
  }
  if (!(years > 0 && years < Infinity)) return Number.isNaN(years) || years > 0 ? 'not_finite' : 'expired';
  if (price >= (isCall ? forward : strike)) return 'at_or_above_bound';
  const intrinsic = Math.max(isCall ? forward - strike : strike - forward, 0);
  const timeValue = price - intrinsic;
  if (!(timeValue > 0)) return 'at_or_below_intrinsic';
  // log1p of the exact difference keeps the digits of a strike next to the forward, where ln of the ratio loses them.
  const ratio = forward / strike;
  const x = ratio > 0.5 && ratio < 2 ? Math.log1p((forward - strike) / strike) : Math.log(ratio);
  const root = Math.sqrt(forward * strike);
  const s = normalisedVolatility(timeValue / root, -Math.abs(x));
  return s > 0 && s < Infinity ? s / Math.sqrt(years) : 'at_or_above_bound';
}

/**
 * s = σ√T of a normalised out-of-the-money price `price` = P/√(FK) at log-moneyness x ≤ 0. NaN unless
 * 0 < price < e^{x/2}: callers that meet unchecked prices use {@link impliedVolatility}.
 */
export function normalisedVolatility(price: number, x: number): number {
  const limit = Math.exp(0.5 * x);
  if (!(price > 0 && x <= 0 && price < limit)) return Number.NaN;
  if (x === 0) return price < 0.8 ? 2 * inverseNormalCentral(0.5 * price) : -2 * inverseNormalCdf(0.5 * (1 - price));
  // s_c = √(2|x|), where b turns from convex to concave; there b/b' has a closed form.
  const sMid = Math.sqrt(-2 * x);
  const vMid = INV_SQRT_2PI * limit;
  const ratio = SQRT_HALF_PI * (1 - erfcx(sMid * Math.SQRT1_2));
  if (price >= vMid * ratio) return solveAbove(price, x, vMid, ratio);
  // Below it, the tangent at s_c meets zero at s_l, which splits the prices again.
  const sLow = sMid - ratio;
  const vLow = normalisedVega(x / sLow, 0.5 * sLow);
  const bLow = vLow * blackOverVega(x / sLow, 0.5 * sLow);
  if (price < bLow) return lowPriceVolatility(price, x, sLow, bLow);
  const segment = { x0: bLow, x1: vMid * ratio, y0: sLow, y1: sMid, slope0: 1 / vLow, slope1: 1 / vMid };
  return solvePrice(price, x, rationalCubic(price, segment, controlAtRight(segment, 0)));
}

const INV_SQRT_2PI = 0.3989422804014327;
const SQRT_2PI = 2.5066282746310002;
const LN_SQRT_2PI = 0.9189385332046727;
const SIXTH = 1 / 6;

/** Between b(s_c) and the bound, split at s_u, where the tangent at s_c meets the bound. */
function solveAbove(price: number, x: number, vMid: number, ratio: number): number {
  const sMid = Math.sqrt(-2 * x);
  const limit = Math.exp(0.5 * x);
  const bMid = vMid * ratio;
  const sHigh = sMid + (limit - bMid) / vMid;
  const vHigh = normalisedVega(x / sHigh, 0.5 * sHigh);
  const bHigh = vHigh > 0 ? vHigh * blackOverVega(x / sHigh, 0.5 * sHigh) : limit;
  if (price > bHigh) return solveLogGap(price, x, seedHighest(price, x, { sHigh, bHigh, limit }));
  const segment = { x0: bMid, x1: bHigh, y0: sMid, y1: sHigh, slope0: 1 / vMid, slope1: 1 / vHigh };
  const seed = rationalCubic(price, segment, controlAtLeft(segment, 0));
  return price > 0.5 * limit ? solveLogGap(price, x, seed) : solvePrice(price, x, seed);
}

/*
 * The solvers share one step: with Newton's ν and the ratios h2, h3 of the second and third derivative to the
 * first, s += ν(1 + ½h2ν)/(1 + ν(h2 + ⅙h3ν)), Householder's of third order. It is written out in each:
 * every call that the engine does not inline boxes its result, and that alone would cost a tenth of the time.
 */

/** Solves b(s) = price, for the middle of the price range. */
function solvePrice(price: number, x: number, seed: number): number {
  let s = seed;
  for (let i = 0; i < 2; i++) {
    const inverse = 1 / s;
    const h = x * inverse;
    const t = 0.5 * s;
    const nu = price * SQRT_2PI * Math.exp(0.5 * (h * h + t * t)) - blackOverVega(h, t);
    const h2 = (h * h - t * t) * inverse;
    const h3 = h2 * h2 - 3 * (h * inverse) * (h * inverse) - 0.25;
    s = within(s, (nu * (1 + 0.5 * h2 * nu)) / (1 + nu * (h2 + SIXTH * h3 * nu)));
  }
  return s;
}

/** Solves ln(limit − b(s)) = ln(limit − price): for prices near the upper bound, where b(s) is flat. */
function solveLogGap(price: number, x: number, seed: number): number {
  const target = Math.log(Math.exp(0.5 * x) - price);
  let s = seed;
  for (let i = 0; i < 2; i++) {
    const inverse = 1 / s;
    const h = x * inverse;
    const t = 0.5 * s;
    const ratio = upperGapOverVega(h, t);
    const u = 1 / ratio;
    const nu = (Math.log(ratio) - LN_SQRT_2PI - 0.5 * (h * h + t * t) - target) * ratio;
    const b2 = (h * h - t * t) * inverse;
    const h2 = b2 + u;
    const h3 = b2 * b2 - 3 * (h * inverse) * (h * inverse) - 0.25 + u * (2 * u + 3 * b2);
    s = within(s, (nu * (1 + 0.5 * h2 * nu)) / (1 + nu * (h2 + SIXTH * h3 * nu)));
  }
  return s;
}
