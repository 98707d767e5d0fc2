import { type Session, sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { isTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { type MarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import { type DayBook, dayBooks, spotOf } from './day-book.ts';
import { type DayFlows, dayFlows, dealerSign } from './day-flows.ts';
import { type MarketPath, openMarketPath, type PathOptions } from './market-path.ts';
import { osiOf, type SyntheticTrade, type TradeSource, tradeAt } from './option-trades.ts';
import { dayPrints, type Fund, funds, type SyntheticPrint, shortVolumeText } from './prints.ts';
import { type AmericanPrice, emptyQuote, quoteStrike } from './quotes.ts';
import { chainOf, expiryFrame, type Moment } from './synthetic-chain.ts';
import { surfacesOn } from './synthetic-surface.ts';
import { numberFrom, tradingDay, tradingNumber } from './trading-index.ts';
import { underlyings } from './underlyings.ts';

export interface SyntheticMarketOptions extends PathOptions {
  readonly symbol: MarketSymbol;
  /** Contracts of a chain, about: 2400 by default, up to 20 000. */
  readonly contracts?: number | undefined;
  /** Prices the options of funds; without it they are European. */
  readonly american?: AmericanPrice | undefined;
  /** The path of another symbol's market of the same seed and fork, so that it is not walked again. */
  readonly path?: MarketPath | undefined;
}

export interface SyntheticMarket {
  readonly path: MarketPath;
  /** The chain at an instant; outside sessions that of the last close, which its `asOf` says. */
  chainAt(at: number): Chain;
  /** Price of the underlying, to the cent. */
  spotAt(at: number): number;
  /** Trades after `from` up to and including `to`, in order. */
  tradesBetween(from: number, to: number): SyntheticTrade[];
  /** The dealers' true position in every contract that has not settled, by OSI symbol. */
  truePositionsAt(at: number): Map<string, number>;
  /** FINRA's file of a trading day, known in its evening; null for a day without trading. */
  shortVolumeOf(date: string): string | null;
  /** Off-exchange prints of the symbol's fund after `from` up to and including `to`, in order. */
  printsBetween(from: number, to: number): SyntheticPrint[];
  /** Opening and closing prices of the trading days from one day to another, both included. */
  dailyCloses(from: string, to: string): { date: string; open: number; close: number }[];
}

interface TradedDay {
  readonly book: DayBook;
  readonly flows: DayFlows;
  readonly session: Session;
}

const MAX_DAYS = 4;
const DEFAULT_CONTRACTS = 2400;

/**
 * A made-up market that no vendor feeds: the same seed, symbol and instant give the same to the last bit, in whatever
 * order they are requested, and nothing depends on what comes later. It begins in 2018 with no open interest, which
 * builds up in the first year; for an earlier instant it throws a RangeError. The first request walks the days up to
 * its own, some 0.1 s for ten years, once for a path; after it a day costs tens of milliseconds and a chain of that day
 * about one.
 */
export function openSyntheticMarket(options: SyntheticMarketOptions): SyntheticMarket {
  const { symbol, seed, contracts = DEFAULT_CONTRACTS } = options;
  const path = options.path ?? openMarketPath(options);
  const underlying = underlyings[symbol];
  const american = markets[symbol].kind === 'etf' ? options.american : undefined;
  const surfaces = surfacesOn(path, underlying);
  const bookOf = dayBooks({ symbol, seed, path, size: contracts });
  const traded = remember((day: number): TradedDay => {
    const book = bookOf(day);
    const flows = dayFlows(book, `${path.dayKey(day, symbol)}`);
    return { book, flows, session: sessionOn(tradingDay(day)) };
  });
  const printed = remember((day: number) => dayPrints(path, underlying.proxy, day));
  const momentAt = (at: number): Moment & { day: number } => {
    const point = path.pointAt(at);
    const { day, session, state } = point;
    const spot = cents(spotOf(underlying, state[underlying.index]!, day));
    return { symbol, at: point.at, elapsed: point.at - session.open, spot, surface: surfaces(point), american, day };
  };
  const quote = emptyQuote();
  const sourceOf = (day: number): TradeSource => ({
    ...traded(day),
    key: path.dayKey(day, symbol, 'trades'),
    quoteAt: (at, contract) => {
      const { book } = traded(day);
      const frame = expiryFrame(momentAt(at), book, book.expiry[contract]!);
      return quoteStrike(frame, book.contracts[contract]!.strike, quote);
    },
  });
  return {
    path,
    chainAt: (at) => {
      const moment = momentAt(at);
      const { book, flows } = traded(moment.day);
      return chainOf(moment, book, flows);
    },
    spotAt: (at) => momentAt(at).spot,
    tradesBetween: (from, to) =>
      daysBetween(from, to).flatMap((day) => {
        const source = sourceOf(day);
        const { flows, session } = source;
        const trades: SyntheticTrade[] = [];
        for (let slot = 0; slot < flows.count; slot++) {
          const at = session.open + flows.time[slot]!;
          if (at > to) break;
          if (at > from) trades.push(tradeAt(source, slot));
        }
        return trades;
      }),
    truePositionsAt: (at) => {
      const moment = path.pointAt(at);
      return positionsOf(traded(moment.day), moment.at);
    },
    shortVolumeOf: (date) => {
      if (!isTradingDay(date)) return null;
      const day = tradingNumber(date);
      const prints = Object.fromEntries(
        funds.map((fund) => [fund, fund === underlying.proxy ? printed(day) : dayPrints(path, fund, day)]),
      ) as Record<Fund, SyntheticPrint[]>;
      return shortVolumeText(date, prints);
    },
    printsBetween: (from, to) =>
      daysBetween(from, to).flatMap((day) => printed(day).filter(({ at }) => at > from && at <= to)),
    dailyCloses: (from, to) => {
      const rows: { date: string; open: number; close: number }[] = [];
      for (let day = numberFrom(from); tradingDay(day) <= to; day++) {
        const { open, close } = path.ends(day, underlying.index);
        const price = (level: number): number => cents(spotOf(underlying, level, day));
        rows.push({ date: tradingDay(day), open: price(open), close: price(close) });
      }
      return rows;
    },
  };
}

function positionsOf({ book, flows, session }: TradedDay, at: number): Map<string, number> {
  const held = Float64Array.from(book.dealersBefore);
  for (let slot = 0; slot < flows.count && session.open + flows.time[slot]! <= at; slot++) {
    held[flows.contract[slot]!]! += dealerSign(flows.act[slot]!) * flows.size[slot]!;
  }
  const positions = new Map<string, number>();
  for (const [i, contract] of book.contracts.entries()) {
    if (contract.expiry.settles > at) positions.set(osiOf(contract), held[i]!);
  }
  return positions;
}

/** Numbers of the trading days from one instant's day to another's. */
function daysBetween(from: number, to: number): number[] {
  const last = newYorkDate(to);
  const days: number[] = [];
  for (let day = numberFrom(newYorkDate(from)); tradingDay(day) <= last; day++) days.push(day);
  return days;
}

/** Keeps the last few days made. */
function remember<Value>(make: (day: number) => Value): (day: number) => Value {
  const kept = new Map<number, Value>();
  return (day) => {
    let value = kept.get(day);
    if (value === undefined) {
      value = make(day);
      if (kept.size >= MAX_DAYS) kept.delete(kept.keys().next().value ?? day);
      kept.set(day, value);
    }
    return value;
  };
}

function cents(price: number): number {
  return Math.round(price * 100) / 100;
}
