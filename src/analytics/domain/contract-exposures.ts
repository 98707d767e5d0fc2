import type { Book } from './book.ts';
import { normalCdf } from './normal.ts';

/** What one contract held long adds to each exposure, in the order of the book; in dollars. */
export interface ContractExposures {
  /** $ of delta per +1 % spot. */
  readonly gamma: Float64Array;
  /** $ of delta per +1 vol point. */
  readonly vanna: Float64Array;
  /** $ of delta per calendar day passing. */
  readonly charm: Float64Array;
}

const INV_SQRT_2PI = 0.3989422804014327;

/**
 * Gamma, vanna and charm of every contract, whatever position is held: the weights of a sum over positions that are
 * uncertain, and the columns of a table.
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 2 (vanna, charm)
 */
export function contractExposures(book: Book): ContractExposures {
  const { contracts, spot, multiplier, expiry, strike, volatility, isCall } = book;
  const gamma = new Float64Array(contracts);
  const vanna = new Float64Array(contracts);
  const charm = new Float64Array(contracts);
  const terms = book.expiries.map(({ years, rate, dividend }) => ({
    root: Math.sqrt(years),
    level: Math.log(spot) + (rate - dividend) * years,
    carry: Math.exp(-dividend * years),
    // Charm = w·q·e^{−qT}Φ(w·d1) − e^{−qT}φ(d1)·[2(r − q)T − d2·σ√T]/(2Tσ√T).
    drift: 2 * (rate - dividend) * years,
    twice: 2 * years,
    dividend,
  }));
  for (let i = 0; i < contracts; i++) {
    const at = terms[expiry[i]!]!;
    const sigma = volatility[i]!;
    const deviation = sigma * at.root;
    const d1 = (at.level - Math.log(strike[i]!)) / deviation + 0.5 * deviation;
    const d2 = d1 - deviation;
    const density = at.carry * INV_SQRT_2PI * Math.exp(-0.5 * d1 * d1);
    const w = isCall[i] === 1 ? 1 : -1;
    const yieldTerm = at.dividend === 0 ? 0 : w * at.dividend * at.carry * normalCdf(w * d1);
    gamma[i] = (multiplier * 0.01 * spot * density) / deviation;
    vanna[i] = (-multiplier * 0.01 * spot * density * d2) / sigma;
    charm[i] =
      (multiplier * spot * (yieldTerm - (density * (at.drift - d2 * deviation)) / (at.twice * deviation))) / 365;
  }
  return { gamma, vanna, charm };
}
