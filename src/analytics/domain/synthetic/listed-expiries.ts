import { addDays, isTradingDay, tradingDayOnOrBefore } from '#src/analytics/domain/calendar/exchange-days.ts';
import { settlementInstant } from '#src/analytics/domain/calendar/time.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { isFriday, isThirdFriday, rootsOf } from './listing-calendar.ts';
import { numberFrom, tradingDay } from './trading-index.ts';

/** Listing of an expiry: calendar days ahead, and how popular it is. */
export interface ListingClass {
  readonly days: number;
  readonly popularity: number;
  /** Sessions over which open interest builds up. */
  readonly growth: number;
}

export const listingClasses = {
  daily: { days: 8, popularity: 0.5, growth: 2 },
  weekly: { days: 42, popularity: 1, growth: 8 },
  monthly: { days: 182, popularity: 2.5, growth: 30 },
  quarterly: { days: 455, popularity: 4, growth: 60 },
} as const satisfies Readonly<Record<string, ListingClass>>;
export type ListingName = keyof typeof listingClasses;

/** One expiry of the made-up market, from the first day that it is listed. */
export interface ListedExpiry {
  readonly root: string;
  /** Trading day of settlement. */
  readonly date: string;
  readonly settlement: 'am' | 'pm';
  /** Epoch ms. */
  readonly settles: number;
  readonly listing: ListingName;
  /** Number of the first trading day with it. */
  readonly listed: number;
}

/**
 * Lists the expiries of a trading day that settle after its opening, in the order of settlement: dailies for a week,
 * Fridays for six, third Fridays for half a year, those of the quarters for fifteen months. On third Fridays an index
 * has its monthly, which settles in the morning, and a weekly.
 */
export function listedExpiries(symbol: MarketSymbol, day: number): ListedExpiry[] {
  const today = tradingDay(day);
  const opening = settlementInstant(today, 'am');
  const { am, pm } = rootsOf(symbol);
  const found = new Map<string, ListedExpiry>();
  const add = (root: string, settlement: 'am' | 'pm', named: string, listing: ListingName): void => {
    const date = tradingDayOnOrBefore(named);
    const known = found.get(`${root}${date}`);
    const first = addDays(date, -listingClasses[listing].days);
    if (date < today || first > today) return;
    if (known && listingClasses[known.listing].days >= listingClasses[listing].days) return;
    const settles = settlementInstant(date, settlement);
    if (settles > opening) {
      found.set(`${root}${date}`, { root, date, settlement, settles, listing, listed: numberFrom(first) });
    }
  };
  for (let ahead = 0; ahead <= listingClasses.quarterly.days + 1; ahead++) {
    const date = addDays(today, ahead);
    if (isFriday(date)) {
      add(pm, 'pm', date, 'weekly');
      if (isThirdFriday(date)) add(am ?? pm, am ? 'am' : 'pm', date, isQuarterly(date) ? 'quarterly' : 'monthly');
    } else if (ahead <= listingClasses.daily.days && isTradingDay(date)) add(pm, 'pm', date, 'daily');
  }
  return [...found.values()].toSorted((a, b) => a.settles - b.settles || a.root.localeCompare(b.root));
}

function isQuarterly(date: string): boolean {
  return Number(date.slice(5, 7)) % 3 === 0;
}
