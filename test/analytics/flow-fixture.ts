import { emptyBook } from '#src/analytics/domain/book/book.ts';
import { openFlow, startFlowDay } from '#src/analytics/domain/positions/flow-days.ts';
import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';
import { opening } from '#test/analytics/trade-market.ts';

export const call = 'SPXW261120C06000000';
export const put = 'SPX261120P05900000';
export const later = 'SPXW261127C06000000';
export const certain = { quote: 1, tick: 1, negotiated: 1, complex: 0 };

export const trade = (more: Partial<OptionTrade> = {}): OptionTrade => ({
  id: '1',
  time: opening,
  contract: call,
  price: 10.2,
  size: 10,
  bid: 10,
  ask: 10.2,
  complex: false,
  auction: false,
  cross: false,
  ...more,
});

/** A book of these contracts with this open interest; prices do not matter here. */
export function bookOf(interest: Readonly<Record<string, number>>) {
  const symbols = Object.keys(interest);
  const frame = {
    spot: 6000,
    multiplier: 100,
    expiries: [{ label: 'SPXW 2026-11-20', years: 0.01, rate: 0, dividend: 0 }],
  };
  const book = emptyBook(frame, symbols.length);
  for (const [i, symbol] of symbols.entries()) book.openInterest[i] = interest[symbol]!;
  return { book, options: { symbols, bucket: new Uint16Array(symbols.length) } };
}

export const start = (interest: Readonly<Record<string, number>>) =>
  openFlow({ date: '2026-11-18', at: opening, openInterest: new Map(Object.entries(interest)) });

export const nextDay = (state: ReturnType<typeof start>, interest: Readonly<Record<string, number>>, days = 1) =>
  startFlowDay(state, {
    date: `2026-11-${18 + days}`,
    previousDate: `2026-11-${17 + days}`,
    at: opening + days * 86_400_000,
    openInterest: new Map(Object.entries(interest)),
  });
