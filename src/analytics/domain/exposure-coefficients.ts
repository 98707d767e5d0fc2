import type { Book } from './book.ts';
import { normalCdf, normalPdf } from './normal.ts';

/** What one contract held long adds to each exposure, per row of a book, in the units of `exposureUnits`. */
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
 *
 * @see E. G. Haug, The Complete Guide to Option Pricing Formulas, chapter 2 (vanna, charm)
 */
export function exposureCoefficients(book: Book): ExposureCoefficients {
  const { contracts, expiry, strike, isCall, volatility, spot, multiplier } = book;
  const root = Float64Array.from(book.expiries, ({ years }) => Math.sqrt(years));
  const forward = Float64Array.from(book.expiries, ({ years, rate, dividend }) => (rate - dividend) * years);
  const carry = Float64Array.from(book.expiries, ({ years, dividend }) => Math.exp(-dividend * years));
  const columns = {
    dex: new Float64Array(contracts),
    gex: new Float64Array(contracts),
    vex: new Float64Array(contracts),
    cex: new Float64Array(contracts),
  };
  const logSpot = Math.log(spot);
  const dollars = multiplier * spot;
  for (let i = 0; i < contracts; i++) {
    const e = expiry[i]!;
    const sigma = volatility[i]!;
    const deviation = sigma * root[e]!;
    const d1 = (logSpot - Math.log(strike[i]!) + forward[e]!) / deviation + 0.5 * deviation;
    const d2 = d1 - deviation;
    const w = isCall[i] === 1 ? 1 : -1;
    const density = carry[e]! * normalPdf(d1);
    const delta = w * carry[e]! * normalCdf(w * d1);
    const { years, dividend } = book.expiries[e]!;
    const charm = dividend * delta - (density * (2 * forward[e]! - d2 * deviation)) / (2 * years * deviation);
    columns.dex[i] = delta * dollars;
    columns.gex[i] = (density / deviation) * dollars * 0.01;
    columns.vex[i] = ((-density * d2) / sigma) * dollars * 0.01;
    columns.cex[i] = (charm * dollars) / 365;
  }
  return columns;
}
