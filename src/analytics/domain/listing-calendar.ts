import { type MarketSymbol, markets } from './symbols.ts';

/** One expiry of a generated chain. */
export interface Listing {
  readonly root: string;
  readonly date: string;
  readonly settlement: 'am' | 'pm';
}

/**
 * Eight expiries after a New York day: the next three weekdays (that day itself too, unless `closed`), two Fridays, and
 * three third Fridays, which settle in the morning for an index. Exchange holidays are not known here.
 */
export function listings(symbol: MarketSymbol, day: string, closed: boolean): Listing[] {
  const start = Temporal.PlainDate.from(day);
  const first = closed ? start.add({ days: 1 }) : start;
  const weekdays = days(first, 10).filter((date) => date.dayOfWeek <= 5);
  const daily = weekdays.slice(0, 3);
  const fridays = days(first, 30).filter((date) => date.dayOfWeek === 5 && !isThirdFriday(date));
  const later = fridays.filter((date) => Temporal.PlainDate.compare(date, daily.at(-1) ?? first) > 0).slice(0, 2);
  const monthly = days(first.add({ days: 3 }), 130)
    .filter(isThirdFriday)
    .slice(0, 3);
  const roots = Object.entries(markets[symbol].roots);
  const [pm = symbol] = roots.find(([, settlement]) => settlement === 'pm') ?? [];
  const [am] = roots.find(([, settlement]) => settlement === 'am') ?? [];
  const listed = new Map<string, Listing>();
  for (const date of [...daily, ...later]) {
    listed.set(`${date.toString()}pm`, { root: pm, date: date.toString(), settlement: 'pm' });
  }
  for (const date of monthly) {
    const settlement = am === undefined ? 'pm' : 'am';
    listed.set(`${date.toString()}${settlement}`, { root: am ?? pm, date: date.toString(), settlement });
  }
  return [...listed.values()].toSorted(
    (a, b) => a.date.localeCompare(b.date) || a.settlement.localeCompare(b.settlement),
  );
}

function days(from: Temporal.PlainDate, count: number): Temporal.PlainDate[] {
  return Array.from({ length: count }, (_, index) => from.add({ days: index }));
}

function isThirdFriday(date: Temporal.PlainDate): boolean {
  return date.dayOfWeek === 5 && date.day >= 15 && date.day <= 21;
}
