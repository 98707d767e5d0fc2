import type { Book } from './book.ts';

/**
 * The rows of a book that have a position, as G(S') needs them: contract i adds S'·weight·φ(d), where
 * d = (ln S' − centre)/deviation, in $ of delta per +1 % spot.
 */
export interface GammaTerms {
  readonly count: number;
  /** ln of the spot at which d = 0. */
  readonly centre: Float64Array;
  /** σ√T. */
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
  const centre = new Float64Array(book.contracts);
  const deviation = new Float64Array(book.contracts);
  const weight = new Float64Array(book.contracts);
  const gross = new Float64Array(book.contracts);
  const expiry = new Uint16Array(book.contracts);
  const root = Float64Array.from(book.expiries, ({ years }) => Math.sqrt(years));
  const drift = Float64Array.from(book.expiries, ({ years, rate, dividend }) => (rate - dividend) * years);
  const carry = Float64Array.from(book.expiries, ({ years, dividend }) => Math.exp(-dividend * years));
  const scale = book.multiplier * 0.01 * INV_SQRT_2PI;
  let count = 0;
  for (let i = 0; i < book.contracts; i++) {
    const n = book.position[i]!;
    if (n === 0) continue;
    const e = book.expiry[i]!;
    const s = book.volatility[i]! * root[e]!;
    const w = (n * scale * carry[e]!) / s;
    const c = Math.log(book.strike[i]!) - drift[e]! - 0.5 * s * s;
    const last = count - 1;
    if (count > 0 && centre[last] === c && deviation[last] === s && expiry[last] === e) {
      weight[last]! += w;
      gross[last]! += Math.abs(w);
      continue;
    }
    centre[count] = c;
    deviation[count] = s;
    weight[count] = w;
    gross[count] = Math.abs(w);
    expiry[count] = e;
    count++;
  }
  return { count, centre, deviation, weight, gross, expiry };
}

/** G(S'), exactly, in $ of delta per +1 % spot. */
export function gammaAt(terms: GammaTerms, spot: number): number {
  const { count, centre, deviation, weight } = terms;
  const level = Math.log(spot);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const d = (level - centre[i]!) / deviation[i]!;
    const dd = d * d;
    if (dd < 1480) sum += weight[i]! * Math.exp(-0.5 * dd);
  }
  return sum * spot;
}

/** Gross G(S'): the sum of the absolute terms. */
export function grossGammaAt(terms: GammaTerms, spot: number): number {
  const level = Math.log(spot);
  let sum = 0;
  for (let i = 0; i < terms.count; i++) {
    const d = (level - terms.centre[i]!) / terms.deviation[i]!;
    sum += terms.gross[i]! * Math.exp(-0.5 * d * d);
  }
  return sum * spot;
}
