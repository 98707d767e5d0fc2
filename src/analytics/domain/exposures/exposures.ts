import type { Book } from '#src/analytics/domain/book/book.ts';
import { erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { normalCorrection } from '#src/analytics/domain/pricing/bachelier-volatility.ts';
import { forwardOverMean, normalElasticity, normalWeight } from '#src/analytics/domain/pricing/price-blend.ts';

/** Sums over the book at one spot, in dollars; the units are those of {@link exposureUnits}. */
interface Exposures {
  readonly dex: number;
  readonly gex: number;
  readonly vex: number;
  readonly cex: number;
  readonly tex: number;
  /** Gross gamma: the same sum with every position taken as long. |gex| never exceeds it. */
  readonly gexAbs: number;
  /** Gamma dollars per +1 % of each row's position, in the order of the book. */
  readonly gexByContract: Float64Array;
}

/** Published with every response: peers use other units under the same names. */
export const exposureUnits = {
  dex: '$ delta',
  gex: '$ delta per +1 % spot',
  vex: '$ delta per +1 vol point',
  cex: '$ delta per calendar day',
  tex: '$ per calendar day',
  gex_abs: '$ delta per +1 % spot, every position long',
} as const;

const INV_SQRT_2PI = 0.3989422804014327;

/**
 * DEX, GEX, VEX, CEX and TEX of the book in one pass, at its own spot or another (sticky strike, same carry). In a
 * blended book each Greek goes over to Bachelier's near expiry, linearly in `normalWeight`.
 *
 * A positive GEX means dealers are long gamma: they sell rallies and buy dips. Hedge flow is minus the change of delta.
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 2 (vanna, charm)
 */
export function exposures(book: Book, spot: number = book.spot, into: ExposureCoefficients | null = null): Exposures {
  const { contracts, expiry, strike, isCall, volatility, position, multiplier, blended } = book;
  const { root, logForward, carry, discount, rate, dividend, years } = expiryTerms(book, spot);
  const gexByContract = new Float64Array(contracts);
  const dollars = multiplier * spot;
  const perCent = multiplier * 0.01;
  let dex = 0;
  let gex = 0;
  let vex = 0;
  let cex = 0;
  let tex = 0;
  let gexAbs = 0;
  let [e, k, sigma] = [-1, 0, 0];
  // Call and put of a strike share all but the probabilities: Φ of w·d1, w·d2, and of w·dN in Bachelier's model.
  let [d1, d2, dN, tail1, tail2, tailN] = [0, 0, 0, 0, 0, 0];
  let [normal, dollarGamma, vanna, charm, decay] = [0, 0, 0, 0, 0];
  for (let i = 0; i < contracts; i++) {
    const n = position[i]!;
    if (n === 0 && into === null) continue;
    // Call and put of a strike mostly share their volatility, and then all that is costly here.
    if (expiry[i]! !== e || strike[i]! !== k || volatility[i]! !== sigma) {
      e = expiry[i]!;
      k = strike[i]!;
      sigma = volatility[i]!;
      const time = years[e]!;
      const deviation = sigma * root[e]!;
      const x = logForward[e]! - Math.log(k);
      const net = rate[e]! - dividend[e]!;
      normal = blended ? normalWeight(time, deviation) : 0;
      dollarGamma = 0;
      vanna = 0;
      charm = 0;
      decay = 0;
      if (normal < 1) {
        d1 = x / deviation + 0.5 * deviation;
        d2 = d1 - deviation;
        const bell = Math.exp(-0.5 * d1 * d1);
        // Both tails hang on φ(d1): Φ(−|d|) = ½·e^{−d²/2}·erfcx(|d|/√2), and K·D·φ(d2) = S·e^{−qT}·φ(d1).
        tail1 = 0.5 * bell * erfcx(Math.abs(d1) * Math.SQRT1_2);
        const growth = (spot * carry[e]!) / (k * discount[e]!);
        tail2 = 0.5 * bell * growth * erfcx(Math.abs(d2) * Math.SQRT1_2);
        const density = (1 - normal) * carry[e]! * INV_SQRT_2PI * bell;
        dollarGamma = (spot * density) / deviation;
        vanna = (-density * d2) / sigma;
        charm = (-density * (2 * net * time - d2 * deviation)) / (2 * time * deviation);
        decay = -0.5 * sigma * sigma * dollarGamma;
      }
      if (normal > 0) {
        // At the normal volatility σ·(F − K)/x/correction: d is a multiple of x, and F/(σ_N√T) is `steep`.
        const variance = deviation * deviation;
        const scale = normalCorrection(variance) / deviation;
        const steep = scale * forwardOverMean(x);
        dN = x * scale;
        const bell = Math.exp(-0.5 * dN * dN);
        tailN = 0.5 * bell * erfcx(Math.abs(dN) * Math.SQRT1_2);
        const density = normal * carry[e]! * INV_SQRT_2PI * bell;
        dollarGamma += spot * density * steep;
        vanna -= (density * dN * normalElasticity(variance)) / sigma;
        charm -= density * (net * steep - dN / (2 * time));
        decay += ((spot * density) / steep) * (rate[e]! - 0.5 / time);
      }
    }
    const w = isCall[i] === 1 ? 1 : -1;
    let n1 = w * d1 > 0 ? 1 - tail1 : tail1;
    let n2 = w * d2 > 0 ? 1 - tail2 : tail2;
    if (normal > 0) {
      const inside = w * dN > 0 ? 1 - tailN : tailN;
      n1 = normal === 1 ? inside : (1 - normal) * n1 + normal * inside;
      n2 = normal === 1 ? inside : (1 - normal) * n2 + normal * inside;
    }
    const yieldTerm = w * dividend[e]! * carry[e]! * n1;
    dex += n * w * carry[e]! * n1;
    gexByContract[i] = n * dollarGamma;
    gex += n * dollarGamma;
    gexAbs += Math.abs(n) * dollarGamma;
    vex += n * vanna;
    cex += n * (yieldTerm + charm);
    tex += n * (spot * yieldTerm + decay - w * rate[e]! * k * discount[e]! * n2);
    if (into === null) continue;
    into.dex[i] = w * carry[e]! * n1 * dollars;
    into.gex[i] = dollarGamma * perCent;
    into.vex[i] = vanna * dollars * 0.01;
    into.cex[i] = ((yieldTerm + charm) * dollars) / 365;
  }
  for (let i = 0; i < contracts; i++) gexByContract[i]! *= perCent;
  return {
    dex: dex * dollars,
    gex: gex * perCent,
    vex: vex * dollars * 0.01,
    cex: (cex * dollars) / 365,
    tex: (tex * multiplier) / 365,
    gexAbs: gexAbs * perCent,
    gexByContract,
  };
}

/** Computes the terms that all contracts of an expiry share at one spot, one array each. */
function expiryTerms({ expiries }: Book, spot: number) {
  const column = (value: (years: number, rate: number, dividend: number) => number): Float64Array =>
    Float64Array.from(expiries, ({ years, rate, dividend }) => value(years, rate, dividend));
  return {
    root: column((years) => Math.sqrt(years)),
    logForward: column((years, rate, dividend) => Math.log(spot) + (rate - dividend) * years),
    carry: column((years, _, dividend) => Math.exp(-dividend * years)),
    discount: column((years, rate) => Math.exp(-rate * years)),
    rate: column((_, rate) => rate),
    dividend: column((_years, _rate, dividend) => dividend),
    years: column((years) => years),
  };
}

/** Amount that one contract held long adds to each exposure, per row of a book, in the units of `exposureUnits`. */
export interface ExposureCoefficients {
  /** $ of delta. */
  readonly dex: Float64Array;
  /** $ of delta per +1 % spot; never below zero. */
  readonly gex: Float64Array;
  /** $ of delta per +1 vol point. */
  readonly vex: Float64Array;
  /** $ of delta per calendar day passing. */
  readonly cex: Float64Array;
}

/**
 * The exposures of each row per unit of position, at the book's own spot: exposures are linear in positions, so with
 * these every generation's numbers and their errors are sums.
 */
export function exposureCoefficients(book: Book): ExposureCoefficients {
  const column = () => new Float64Array(book.contracts);
  const coefficients = { dex: column(), gex: column(), vex: column(), cex: column() };
  exposures(book, book.spot, coefficients);
  return coefficients;
}
