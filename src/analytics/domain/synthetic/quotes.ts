import { normalCdf, normalPdf } from '#src/analytics/domain/numerics/normal.ts';
import type { EuropeanOption } from '#src/analytics/domain/pricing/black-scholes.ts';
import { type Slice, sliceVariance } from './synthetic-surface.ts';
import { syntheticRate } from './underlyings.ts';

/** One expiry at one instant. */
export interface ExpiryFrame {
  readonly slice: Slice;
  readonly spot: number;
  /** Calendar years to settlement, above zero. */
  readonly years: number;
  readonly forward: number;
  readonly discount: number;
  readonly dividend: number;
  readonly ticks: readonly [number, number];
  readonly american: AmericanPrice | undefined;
}

/** The price of an American option, for markets whose options are exercised early; at least the European price. */
export type AmericanPrice = (option: EuropeanOption) => number;

/** Bid, ask and volatility of the two sides of a strike. */
export interface StrikeQuote {
  callBid: number;
  callAsk: number;
  putBid: number;
  putAsk: number;
  /** Decimal, on the calendar clock. */
  volatility: number;
}

/** Earnings of a market maker for its quotes: a share of vega, of the price, and of delta, which it must hedge. */
const VEGA_SHARE = 0.0025;
const PRICE_SHARE = 0.002;
const DELTA_SHARE = 0.00002;
/** From this price on quotes move in the larger tick. */
const TICK_BREAK = 3;

/** Quotes a strike: the model's price lies strictly between bid and ask, both on the tick. Writes into `quote`. */
export function quoteStrike(frame: ExpiryFrame, strike: number, quote: StrikeQuote): StrikeQuote {
  const { slice, spot, years, forward, discount, dividend, american } = frame;
  const k = Math.log(strike / forward);
  const deviation = Math.sqrt(sliceVariance(slice, k));
  const d1 = -k / deviation + 0.5 * deviation;
  const isCall = k >= 0;
  const w = isCall ? 1 : -1;
  // The side out of the money is computed, the other follows by parity: so it keeps its time value's digits.
  const delta = normalCdf(w * d1);
  const out = discount * w * (forward * delta - strike * normalCdf(w * (d1 - deviation)));
  const inside = out + discount * Math.abs(forward - strike);
  const volatility = deviation / Math.sqrt(years);
  const early = (call: boolean, european: number): number =>
    american
      ? Math.max(american({ isCall: call, spot, strike, years, volatility, rate: syntheticRate, dividend }), european)
      : european;
  const call = early(true, isCall ? out : inside);
  const put = early(false, isCall ? inside : out);
  const vega = discount * forward * normalPdf(d1) * Math.sqrt(years);
  // Near the end a point of volatility is worth nothing, and a move of the underlying everything.
  const common = VEGA_SHARE * vega + DELTA_SHARE * spot * Math.sqrt(Math.min(years * 52, 1) + 0.1);
  const callHalf = common * (0.4 + (isCall ? delta : 1 - delta)) + PRICE_SHARE * call;
  const putHalf = common * (0.4 + (isCall ? 1 - delta : delta)) + PRICE_SHARE * put;
  quote.volatility = volatility;
  quote.callBid = bidOf(call, callHalf, frame.ticks);
  quote.callAsk = askOf(call, callHalf, frame.ticks);
  quote.putBid = bidOf(put, putHalf, frame.ticks);
  quote.putAsk = askOf(put, putHalf, frame.ticks);
  return quote;
}

export function emptyQuote(): StrikeQuote {
  return { callBid: 0, callAsk: 0, putBid: 0, putAsk: 0, volatility: 0 };
}

function bidOf(price: number, half: number, ticks: readonly [number, number]): number {
  const bid = price - half;
  const tick = bid < TICK_BREAK ? ticks[0] : ticks[1];
  return bid <= 0 ? 0 : onTick(Math.floor(bid / tick), tick);
}

function askOf(price: number, half: number, ticks: readonly [number, number]): number {
  const ask = price + half;
  const tick = ask < TICK_BREAK ? ticks[0] : ticks[1];
  return onTick(Math.floor(ask / tick) + 1, tick);
}

/** Ticks are whole cents: so the price is the double that its decimal digits name. */
function onTick(count: number, tick: number): number {
  return (count * Math.round(tick * 100)) / 100;
}
