import { BUSINESS_MINUTE, calendarYears } from '#src/analytics/domain/calendar/clocks.ts';
import { type Chain, columnBytes, viewColumns } from '#src/analytics/domain/chain/chain.ts';
import { type MarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import type { DayBook } from './day-book.ts';
import type { DayFlows } from './day-flows.ts';
import { type AmericanPrice, type ExpiryFrame, emptyQuote, quoteStrike } from './quotes.ts';
import type { SyntheticSurface } from './synthetic-surface.ts';
import { syntheticRate, underlyings } from './underlyings.ts';

/** A symbol's market at one instant. */
export interface Moment {
  readonly symbol: MarketSymbol;
  /** Epoch ms, and how long the session has run by then. */
  readonly at: number;
  readonly elapsed: number;
  readonly spot: number;
  readonly surface: SyntheticSurface;
  readonly american: AmericanPrice | undefined;
}

/** Computes what all strikes of an expiry share at a moment before its settlement. */
export function expiryFrame(moment: Moment, { expiries, yearsAtOpen }: DayBook, place: number): ExpiryFrame {
  const { symbol, at, elapsed, spot, surface, american } = moment;
  const { dividend, ticks } = underlyings[symbol];
  const years = calendarYears(at, expiries[place]!.settles);
  // Within a session every minute of the business clock weighs the same.
  const businessYears = yearsAtOpen[place]! - (elapsed / 60_000) * BUSINESS_MINUTE;
  return {
    slice: surface.sliceAt(businessYears),
    spot,
    years,
    forward: spot * Math.exp((syntheticRate - dividend) * years),
    discount: Math.exp(-syntheticRate * years),
    dividend,
    ticks,
    american,
  };
}

/** The chain at a moment: quotes of then, open interest of the day before, the volume traded since the opening. */
export function chainOf(moment: Moment, book: DayBook, flows: DayFlows): Chain {
  const open = book.expiries.findIndex(({ settles }) => settles > moment.at);
  const skipped = open < 0 ? book.contracts.length : book.expiry.indexOf(open);
  const count = book.contracts.length - skipped;
  const columns = viewColumns(new SharedArrayBuffer(columnBytes(count)), count);
  const quote = emptyQuote();
  let frame: ExpiryFrame | undefined;
  for (let i = 0; i < count; i += 2) {
    const { strike } = book.contracts[skipped + i]!;
    const place = book.expiry[skipped + i]!;
    if (!frame || place - open !== columns.expiry[i - 1]) frame = expiryFrame(moment, book, place);
    quoteStrike(frame, strike, quote);
    columns.strike.fill(strike, i, i + 2);
    columns.expiry.fill(place - open, i, i + 2);
    columns.quotedIv.fill(quote.volatility, i, i + 2);
    columns.isCall[i] = 1;
    columns.bid[i] = quote.callBid;
    columns.ask[i] = quote.callAsk;
    columns.bid[i + 1] = quote.putBid;
    columns.ask[i + 1] = quote.putAsk;
  }
  columns.openInterest.set(book.openBefore.subarray(skipped));
  for (let slot = 0; slot < flows.count && flows.time[slot]! <= moment.elapsed; slot++) {
    const row = flows.contract[slot]! - skipped;
    if (row >= 0) columns.volume[row]! += flows.size[slot]!;
  }
  return {
    symbol: moment.symbol,
    name: `${moment.symbol} synthetic`,
    source: 'synthetic',
    asOf: new Date(moment.at).toISOString(),
    spot: moment.spot,
    multiplier: markets[moment.symbol].multiplier,
    contracts: count,
    columns,
    expiries: book.expiries.slice(open < 0 ? book.expiries.length : open).map((expiry) => ({
      root: expiry.root,
      date: expiry.date,
      settlement: expiry.settlement,
      settlesAt: new Date(expiry.settles).toISOString(),
      years: calendarYears(moment.at, expiry.settles),
    })),
    dropped: {},
  };
}
