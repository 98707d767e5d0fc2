import type { Book } from '#src/analytics/domain/book/book.ts';
import { normalCorrection } from '#src/analytics/domain/pricing/bachelier-volatility.ts';
import { forwardOverMean, forwardOverMeanSlope, normalWeight } from '#src/analytics/domain/pricing/price-blend.ts';

/**
 * The rows of a book that have a position, as G(S') needs them: term i adds S'·weight·φ(d), where
 * d = (ln S' − centre)/deviation, in $ of delta per +1 % spot. In Bachelier's model, at the normal volatility that the
 * strike's own is worth at each spot, it is that times x/(1 − e^{−x}) with x = ln S' − centre. A row between the models
 * is a term of each.
 */
export interface GammaTerms {
  readonly count: number;
  /** 1 for a term of Bachelier's model, 0 for Black's. */
  readonly isNormal: Uint8Array;
  /** ln of the spot at which d = 0. */
  readonly centre: Float64Array;
  /** σ√T; in Bachelier's model that over its correction 1 + σ²T/24 + … */
  readonly deviation: Float64Array;
  /** n·M·0.01·e^{−qT}/(σ√T·√(2π)), signed. */
  readonly weight: Float64Array;
  /** The same with every position long: call and put of a strike do not cancel here. */
  readonly gross: Float64Array;
  readonly expiry: Uint16Array;
}

const INV_SQRT_2PI = 0.3989422804014327;

/** A call and a put of one strike, expiry and volatility have the same gamma, so neighbours that agree become one. */
export function gammaTerms(book: Book): GammaTerms {
  const most = book.blended ? 2 * book.contracts : book.contracts;
  const isNormal = new Uint8Array(most);
  const centre = new Float64Array(most);
  const deviation = new Float64Array(most);
  const weight = new Float64Array(most);
  const gross = new Float64Array(most);
  const expiry = new Uint16Array(most);
  const root = Float64Array.from(book.expiries, ({ years }) => Math.sqrt(years));
  const drift = Float64Array.from(book.expiries, ({ years, rate, dividend }) => (rate - dividend) * years);
  const carry = Float64Array.from(book.expiries, ({ years, dividend }) => Math.exp(-dividend * years));
  const scale = book.multiplier * 0.01 * INV_SQRT_2PI;
  let count = 0;
  const add = (normal: number, e: number, c: number, s: number, w: number): void => {
    // A row between the models has left two terms, so that its neighbour's likes are the last two.
    for (let last = count - 1; last >= Math.max(count - 2, 0); last--) {
      if (centre[last] === c && deviation[last] === s && expiry[last] === e && isNormal[last] === normal) {
        weight[last]! += w;
        gross[last]! += Math.abs(w);
        return;
      }
    }
    isNormal[count] = normal;
    centre[count] = c;
    deviation[count] = s;
    weight[count] = w;
    gross[count] = Math.abs(w);
    expiry[count] = e;
    count++;
  };
  for (let i = 0; i < book.contracts; i++) {
    const n = book.position[i]!;
    if (n === 0) continue;
    const e = book.expiry[i]!;
    const s = book.volatility[i]! * root[e]!;
    const scaled = n * scale * carry[e]!;
    const money = Math.log(book.strike[i]!) - drift[e]!;
    const u = book.blended ? normalWeight(book.expiries[e]!.years, s) : 0;
    if (u < 1) add(0, e, money - 0.5 * s * s, s, ((1 - u) * scaled) / s);
    if (u === 0) continue;
    const corrected = s / normalCorrection(s * s);
    add(1, e, money, corrected, (u * scaled) / corrected);
  }
  return { count, isNormal, centre, deviation, weight, gross, expiry };
}

/** G(S'), exactly, in $ of delta per +1 % spot. */
export function gammaAt(terms: GammaTerms, spot: number): number {
  return sumAt(terms, terms.weight, spot);
}

/** Gross G(S'): the sum of the absolute terms. */
export function grossGammaAt(terms: GammaTerms, spot: number): number {
  return sumAt(terms, terms.gross, spot);
}

function sumAt({ count, isNormal, centre, deviation }: GammaTerms, weight: Float64Array, spot: number): number {
  const level = Math.log(spot);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const x = level - centre[i]!;
    const d = x / deviation[i]!;
    const dd = d * d;
    if (dd >= 1480) continue;
    const bell = weight[i]! * Math.exp(-0.5 * dd);
    sum += isNormal[i] === 1 ? bell * forwardOverMean(x) : bell;
  }
  return sum * spot;
}

/**
 * Computes what term i adds to dG/dS' at ln S' = level: weight·φ(d)·(1 − d/(σ√T)), in Bachelier's model times f, and
 * weight·φ(d)·f'.
 */
export function slopeOf({ isNormal, centre, deviation, weight }: GammaTerms, i: number, level: number): number {
  const x = level - centre[i]!;
  const d = x / deviation[i]!;
  const bell = weight[i]! * Math.exp(-0.5 * d * d);
  const lean = 1 - d / deviation[i]!;
  return isNormal[i] === 1 ? bell * (forwardOverMean(x) * lean + forwardOverMeanSlope(x)) : bell * lean;
}
