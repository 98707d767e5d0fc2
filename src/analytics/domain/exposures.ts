import type { Book } from './book.ts';
import { erfcx } from './erfcx.ts';

/** Sums over the book at one spot, in dollars; the units are those of {@link exposureUnits}. */
export interface Exposures {
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
 * DEX, GEX, VEX, CEX and TEX of the book in one pass, at its own spot or another (sticky strike, same carry).
 *
 * A positive GEX means dealers are long gamma: they sell rallies and buy dips. Hedge flow is minus the change of delta.
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 2 (vanna, charm)
 */
export function exposures(book: Book, spot: number = book.spot): Exposures {
  const { contracts, expiry, strike, isCall, volatility, position, multiplier } = book;
  const { root, logForward, carry, discount, rate, dividend, years } = expiryTerms(book, spot);
  const gexByContract = new Float64Array(contracts);
  let dex = 0;
  let gex = 0;
  let vex = 0;
  let cex = 0;
  let tex = 0;
  let gexAbs = 0;
  let [e, k, sigma] = [-1, 0, 0];
  let [deviation, d1, d2, bell, tail1, tail2] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < contracts; i++) {
    const n = position[i]!;
    if (n === 0) continue;
    // Call and put of a strike mostly share their volatility, and then all that is costly here.
    if (expiry[i]! !== e || strike[i]! !== k || volatility[i]! !== sigma) {
      e = expiry[i]!;
      k = strike[i]!;
      sigma = volatility[i]!;
      deviation = sigma * root[e]!;
      d1 = (logForward[e]! - Math.log(k)) / deviation + 0.5 * deviation;
      d2 = d1 - deviation;
      bell = Math.exp(-0.5 * d1 * d1);
      // Both tails hang on φ(d1): Φ(−|d|) = ½·e^{−d²/2}·erfcx(|d|/√2), and K·D·φ(d2) = S·e^{−qT}·φ(d1).
      tail1 = 0.5 * bell * erfcx(Math.abs(d1) * Math.SQRT1_2);
      const growth = (spot * carry[e]!) / (k * discount[e]!);
      tail2 = 0.5 * bell * growth * erfcx(Math.abs(d2) * Math.SQRT1_2);
    }
    const w = isCall[i] === 1 ? 1 : -1;
    const n1 = w * d1 > 0 ? 1 - tail1 : tail1;
    const n2 = w * d2 > 0 ? 1 - tail2 : tail2;
    const density = carry[e]! * INV_SQRT_2PI * bell;
    const dollarGamma = (spot * density) / deviation;
    const yieldTerm = w * dividend[e]! * carry[e]! * n1;
    const drift = 2 * (rate[e]! - dividend[e]!) * years[e]!;
    dex += n * w * carry[e]! * n1;
    gexByContract[i] = n * dollarGamma;
    gex += n * dollarGamma;
    gexAbs += Math.abs(n) * dollarGamma;
    vex -= (n * density * d2) / sigma;
    cex += n * (yieldTerm - (density * (drift - d2 * deviation)) / (2 * years[e]! * deviation));
    tex += n * (spot * yieldTerm - 0.5 * sigma * sigma * dollarGamma - w * rate[e]! * k * discount[e]! * n2);
  }
  const dollars = multiplier * spot;
  const perCent = multiplier * 0.01;
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

/** What every contract of an expiry shares at one spot, one array each. */
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
