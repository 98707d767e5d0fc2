import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';

/**
 * Share of trades that a rule gives the right side, from R. Savickas and A. J. Wilson, "On Inferring the Direction of
 * Option Trades", Journal of Financial and Quantitative Analysis 38 (2003): published for other years and other
 * markets than those this runs on. Trades inside auctions have no published share: theirs follows from λ = 0.3.
 */
export const publishedAccuracy = {
  quote: 0.83,
  lee_ready: 0.8,
  emo: 0.77,
  tick: 0.59,
  index_complex_legs: 0.5,
  quote_without_complex: 0.87,
} as const;

/** λ of each rule: the expected sign of a trade it signs, 2·accuracy − 1, from 0 (no information) to 1 (certain). */
export interface SigningRule {
  /** Price against the quote. */
  readonly quote: number;
  /** Price against the price before, where the quote says nothing. */
  readonly tick: number;
  /** Auctions and crosses, against the quote. */
  readonly negotiated: number;
  /** Legs of complex orders. */
  readonly complex: number;
}

export const publishedRule: SigningRule = {
  quote: 2 * publishedAccuracy.quote - 1,
  tick: 2 * publishedAccuracy.tick - 1,
  negotiated: 0.3,
  complex: 0,
};

/** The sign of the last change of price in a contract; 0 before the first. */
export type Tick = -1 | 0 | 1;

/**
 * The expected sign of the customer's side, −1 (sold) to 1 (bought): λ·x with x = (price − mid)/half-spread within ±1.
 * At the mid, or without a quote, the last change of price decides (Lee and Ready), with its own smaller λ; without
 * one the trade stays unsigned.
 *
 * @see C. M. C. Lee and M. J. Ready, "Inferring Trade Direction from Intraday Data", Journal of Finance 46 (1991)
 */
export function signTrade(trade: OptionTrade, tick: Tick, rule: SigningRule = publishedRule): number {
  if (trade.complex) return rule.complex * quotePlace(trade);
  const x = quotePlace(trade);
  const negotiated = trade.auction || trade.cross;
  if (x === 0) return (negotiated ? Math.min(rule.tick, rule.negotiated) : rule.tick) * tick;
  return (negotiated ? rule.negotiated : rule.quote) * x;
}

/** Computes where the price was between bid (−1) and ask (1); 0 at the mid and without a quote. */
function quotePlace({ price, bid, ask }: OptionTrade): number {
  if (bid === null || ask === null) return 0;
  const mid = 0.5 * (bid + ask);
  const gap = price - mid;
  // Prices are decimals: the mid of two of them is rarely met to the last bit.
  if (Math.abs(gap) < 1e-9 * Math.max(1, mid)) return 0;
  const half = 0.5 * (ask - bid);
  return half > 0 ? Math.min(Math.max(gap / half, -1), 1) : Math.sign(gap);
}

/** The tick after a trade at `price`: a price equal to the one before keeps the tick it had. */
export function nextTick(tick: Tick, previous: number | null, price: number): Tick {
  if (previous === null || price === previous) return tick;
  return price > previous ? 1 : -1;
}
