import {
  addDays,
  isTradingDay,
  nextTradingDay,
  tradingDayOnOrBefore,
} from '#src/analytics/domain/calendar/exchange-days.ts';
import { type MarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';

/** One expiry of a generated chain. */
export interface Listing {
  readonly root: string;
  readonly date: string;
  readonly settlement: 'am' | 'pm';
}

/**
 * Eight expiries after a New York day: the next three trading days (that day itself too, unless `closed`), two Fridays,
 * and three third Fridays, which settle in the morning for an index. A Friday without trading gives way to the day before.
 */
export function listings(symbol: MarketSymbol, day: string, closed: boolean): Listing[] {
  const first = closed ? addDays(day, 1) : day;
  const today = isTradingDay(first) ? first : nextTradingDay(first);
  const second = nextTradingDay(today);
  const daily = [today, second, nextTradingDay(second)];
  const fridays = days(first, 30).filter((date) => isFriday(date) && !isThirdFriday(date));
  const later = fridays
    .map(tradingDayOnOrBefore)
    .filter((date) => date > (daily.at(-1) ?? first))
    .slice(0, 2);
  const monthly = days(addDays(first, 3), 130).filter(isThirdFriday).slice(0, 3).map(tradingDayOnOrBefore);
  const { am, pm } = rootsOf(symbol);
  const listed = new Map<string, Listing>();
  for (const date of [...daily, ...later]) listed.set(`${date}pm`, { root: pm, date, settlement: 'pm' });
  for (const date of monthly) {
    const settlement = am === undefined ? 'pm' : 'am';
    listed.set(`${date}${settlement}`, { root: am ?? pm, date, settlement });
  }
  return [...listed.values()].toSorted(
    (a, b) => a.date.localeCompare(b.date) || a.settlement.localeCompare(b.settlement),
  );
}

/** The root of a market's contracts that settle at the close, and of the monthlies that settle at the opening, if any. */
export function rootsOf(symbol: MarketSymbol): { readonly pm: string; readonly am: string | undefined } {
  const roots = Object.entries(markets[symbol].roots);
  const [pm = symbol] = roots.find(([, settlement]) => settlement === 'pm') ?? [];
  const [am] = roots.find(([, settlement]) => settlement === 'am') ?? [];
  return { pm, am };
}

/** The third Friday of its month: the day of the monthlies, which a holiday moves to the day before. */
export function isThirdFriday(date: string): boolean {
  const day = Number(date.slice(8));
  return day >= 15 && day <= 21 && isFriday(date);
}

export function isFriday(date: string): boolean {
  return new Date(`${date}T00:00Z`).getUTCDay() === 5;
}

function days(from: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}
