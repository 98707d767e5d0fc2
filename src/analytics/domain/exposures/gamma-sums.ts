import type { BookRows } from '#src/analytics/domain/book/book-rows.ts';
import { normalGamma, normalVanna } from '#src/analytics/domain/pricing/normal-row.ts';
import { normalWeight } from '#src/analytics/domain/pricing/price-blend.ts';
import { VOLATILITY_FLOOR } from './smile-dynamics.ts';

/** Sums over a book at one spot; the dollar figures are per +1 % spot. */
export interface GammaSums {
  /** Σ n·Γ·M·S²·0.01: net gamma. */
  readonly gex: number;
  /** Σ |n|·Γ·M·S²·0.01: gross gamma. */
  readonly gexAbs: number;
  /** Σ n·vanna·slope·M·S·0.01: what volatility moving with spot adds to the gamma of the delta. */
  readonly vannaDrag: number;
  /** Σ n·(∂²V/∂S²)·M·S²·0.01 with σ = σ₀ + slope·ln(S/S₀): the curvature of the price itself, which is always Black's. */
  readonly priceConvexity: number;
  /** Σ n·Γ·σ²·M·S²·0.01 and the same gross: gamma weighted by implied variance. */
  readonly netVariance: number;
  readonly grossVariance: number;
  /** Σ |n|·Γ·T·M·S²·0.01: gross gamma weighted by years to expiry. */
  readonly grossYears: number;
}

export interface GammaAt {
  readonly spot: number;
  /** dσ/d ln S by expiry, decimal; zero unless set. */
  readonly slopes?: Float64Array;
  /** Move of volatility by expiry, decimal; none unless set. */
  readonly moves?: Float64Array;
}

const INV_SQRT_2PI = 0.3989422804014327;
/** φ beyond 38 deviations is below the smallest double. */
const REACH = 38;

/**
 * Gamma of a book and what rides on it, in one pass. Every figure is finite: volatility never falls under a tenth of a
 * row's own.
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 2 (gamma, vanna, vega, volga)
 */
export function gammaSums(rows: BookRows, { spot, slopes, moves }: GammaAt): GammaSums {
  const { count, logStrike, volatility, net, gross, expiry, blended, years, rate, dividend } = rows;
  const root = years.map(Math.sqrt);
  const level = years.map((time, e) => Math.log(spot) + (rate[e]! - dividend[e]!) * time);
  const carry = years.map((time, e) => Math.exp(-dividend[e]! * time) * INV_SQRT_2PI * spot * 0.01);
  let [gex, gexAbs, vannaDrag, convexity] = [0, 0, 0, 0];
  let [netVariance, grossVariance, grossYears] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const e = expiry[i]!;
    const still = volatility[i]!;
    const sigma = moves ? Math.max(still + moves[e]!, VOLATILITY_FLOOR * still) : still;
    const deviation = sigma * root[e]!;
    const x = level[e]! - logStrike[i]!;
    const d1 = x / deviation + 0.5 * deviation;
    if (d1 > REACH || d1 < -REACH) continue;
    const bell = carry[e]! * Math.exp(-0.5 * d1 * d1);
    const black = bell / deviation;
    const normal = blended ? normalWeight(years[e]!, deviation) : 0;
    const dollars = carry[e]! / INV_SQRT_2PI;
    const gamma = normal === 0 ? black : (1 - normal) * black + normal * dollars * normalGamma(x, deviation);
    const slope = slopes ? slopes[e]! : 0;
    const d2 = d1 - deviation;
    const n = net[i]!;
    const size = gross[i]!;
    gex += n * gamma;
    convexity += n * black;
    gexAbs += size * gamma;
    netVariance += n * gamma * sigma * sigma;
    grossVariance += size * gamma * sigma * sigma;
    grossYears += size * gamma * years[e]!;
    if (slope === 0) continue;
    const vanna = (-bell * d2) / sigma;
    const drag = normal === 0 ? vanna : (1 - normal) * vanna + normal * dollars * normalVanna(x, sigma, deviation);
    vannaDrag += n * slope * drag;
    // σ_S = slope/S and σ_SS = −slope/S², so 2·vanna·σ_S + volga·σ_S² + vega·σ_SS, each times S².
    const vega = bell * root[e]!;
    convexity += n * slope * (2 * vanna + vega * ((slope * d1 * d2) / sigma - 1));
  }
  return { gex, gexAbs, vannaDrag, priceConvexity: convexity, netVariance, grossVariance, grossYears };
}
