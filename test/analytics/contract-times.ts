import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { previousTradingDay, tradingDayOnOrBefore } from '#src/analytics/domain/calendar/exchange-days.ts';
import { settlementInstant } from '#src/analytics/domain/calendar/time.ts';
import { type MarketSymbol, marketSymbols, markets } from '#src/analytics/domain/chain/symbols.ts';

/** The life's end of all contracts of one root and expiry day; instants in epoch milliseconds. */
export interface ContractTimes {
  readonly symbol: MarketSymbol;
  readonly settlement: 'am' | 'pm';
  /** The trading day that it settles on: the day before, if the named one is a holiday. */
  readonly date: string;
  /** When trading in the contracts ends. */
  readonly lastTrade: number;
  /** When the price they settle by is made: the opening prints (`am`) or the close (`pm`). Time to expiry ends here. */
  readonly settles: number;
  /** When that price is known. */
  readonly settled: number;
}

/**
 * `trading`: can be bought and sold; `unsettled`: no longer traded, its price still open, as SPX overnight; `in_settlement`:
 * the prints that decide are being made; `expired`: worth what it is worth.
 */
export type ContractState = 'trading' | 'unsettled' | 'in_settlement' | 'expired';

const MS_PER_MINUTE = 60_000;
/** Index and fund options trade a quarter of an hour beyond the session, save an index contract's own last day. */
const EXTENSION = 15 * MS_PER_MINUTE;
/** The opening prices of all members of an index take up to an hour. */
const OPENING_PRINTS = 60 * MS_PER_MINUTE;

/**
 * Times of a root's expiry. The monthlies SPX, NDX and RUT settle on the opening prints and trade until the day before;
 * weeklies settle at the close, where their trading ends; funds settle at the close and trade until 16:15. Null for a
 * root that is not of this market.
 *
 * @see Cboe Rules 4.13 and 5.1; the contract specifications of SPX, SPXW and SPY
 */
export function contractTimes(root: string, date: string): ContractTimes | null {
  const symbol = marketSymbols.find((name) => Object.hasOwn(markets[name].roots, root));
  const settlement = symbol && markets[symbol].roots[root];
  if (!settlement) return null;
  const day = tradingDayOnOrBefore(date);
  const settles = settlementInstant(day, settlement);
  const frame = { symbol, settlement, date: day, settles };
  if (settlement === 'am') {
    const lastTrade = sessionOn(previousTradingDay(day)).close + EXTENSION;
    return { ...frame, lastTrade, settled: settles + OPENING_PRINTS };
  }
  const lastTrade = markets[symbol].kind === 'etf' ? settles + EXTENSION : settles;
  return { ...frame, lastTrade, settled: settles + EXTENSION };
}

/** When trading in a root's contracts of that expiry day ends, in epoch milliseconds; null for an unknown root. */
export function lastTradingInstant(root: string, date: string): number | null {
  return contractTimes(root, date)?.lastTrade ?? null;
}

/** What a contract is at an instant. A fund's stays `in_settlement` while it trades on after the close that prices it. */
export function contractState({ lastTrade, settles, settled }: ContractTimes, at: number): ContractState {
  if (at >= settled) return 'expired';
  if (at >= settles) return 'in_settlement';
  return at >= lastTrade ? 'unsettled' : 'trading';
}
