const MS_PER_DAY = 86_400_000;
const JUNETEENTH_SINCE = 2022;

/** Whole-day closings that no rule foretells: attacks, storms, and days of mourning for a president. */
const CLOSINGS: ReadonlySet<string> = new Set([
  '2001-09-11',
  '2001-09-12',
  '2001-09-13',
  '2001-09-14',
  '2004-06-11',
  '2007-01-02',
  '2012-10-29',
  '2012-10-30',
  '2018-12-05',
  '2025-01-09',
]);
/** The Friday after Christmas, shortened once. */
const EARLY_CLOSINGS: ReadonlySet<string> = new Set(['2003-12-26']);

interface YearDays {
  readonly holidays: ReadonlySet<string>;
  readonly halfDays: ReadonlySet<string>;
}

const years = new Map<number, YearDays>();

/**
 * Checks whether the US option exchanges trade on that day, `YYYY-MM-DD`. By rule, for 2000 to 2100: the holidays of
 * NYSE Rule 7.2, Juneteenth from 2022, and the closings known so far; a future day of mourning is not foreseen.
 *
 * @throws RangeError for a text that is not a day.
 */
export function isTradingDay(date: string): boolean {
  const weekday = new Date(epochDay(date) * MS_PER_DAY).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !daysOf(date).holidays.has(date);
}

/** Checks whether a trading day ends at 13:00 New York instead of 16:00; false for a day without trading. */
export function isHalfDay(date: string): boolean {
  return isTradingDay(date) && daysOf(date).halfDays.has(date);
}

/** The first trading day after that day. */
export function nextTradingDay(date: string): string {
  let day = addDays(date, 1);
  while (!isTradingDay(day)) day = addDays(day, 1);
  return day;
}

/** The last trading day before that day. */
export function previousTradingDay(date: string): string {
  let day = addDays(date, -1);
  while (!isTradingDay(day)) day = addDays(day, -1);
  return day;
}

/** Returns that day if it is a trading day, else the last one before: an expiry on a holiday moves there. */
export function tradingDayOnOrBefore(date: string): string {
  return isTradingDay(date) ? date : previousTradingDay(date);
}

/** Trading days after `from` up to and including `to`; negative the other way round, so that it adds up. */
export function tradingDaysBetween(from: string, to: string): number {
  if (from > to) return 0 - tradingDaysBetween(to, from);
  let count = 0;
  for (let day = from; day < to; ) {
    day = addDays(day, 1);
    if (isTradingDay(day)) count++;
  }
  return count;
}

/** The calendar day that many days later (or earlier). */
export function addDays(date: string, count: number): string {
  return dayOf(epochDay(date) + count);
}

/**
 * Days since 1970-01-01.
 *
 * @throws RangeError for what is not a day.
 */
export function epochDay(date: string): number {
  const day = Date.parse(`${date}T00:00Z`) / MS_PER_DAY;
  if (!Number.isInteger(day)) throw new RangeError(`expected a day such as 2026-11-20, got ${date}`);
  return day;
}

function dayOf(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

function daysOf(date: string): YearDays {
  const year = Number(date.slice(0, 4));
  let days = years.get(year);
  if (!days) {
    days = { holidays: holidaysOf(year), halfDays: halfDaysOf(year) };
    years.set(year, days);
  }
  return days;
}

/** Full closings of a year by the rules of the exchange. */
function holidaysOf(year: number): Set<string> {
  const days = [
    nthWeekday(year, { month: 1, weekday: 1, nth: 3 }),
    nthWeekday(year, { month: 2, weekday: 1, nth: 3 }),
    addDays(easterSunday(year), -2),
    // The last Monday of May is the one before the first of June.
    addDays(nthWeekday(year, { month: 6, weekday: 1, nth: 1 }), -7),
    observed(`${year}-07-04`),
    nthWeekday(year, { month: 9, weekday: 1, nth: 1 }),
    nthWeekday(year, { month: 11, weekday: 4, nth: 4 }),
    observed(`${year}-12-25`),
    ...CLOSINGS,
  ];
  // A New Year's Day on a Saturday is not made up for: the Friday before ends a year of accounts.
  const newYear = `${year}-01-01`;
  days.push(weekdayOf(newYear) === 0 ? addDays(newYear, 1) : newYear);
  if (year >= JUNETEENTH_SINCE) days.push(observed(`${year}-06-19`));
  return new Set(days);
}

/** Sessions that end at 13:00: the day after Thanksgiving, Christmas Eve, and the day next to Independence Day. */
function halfDaysOf(year: number): Set<string> {
  const days = [addDays(nthWeekday(year, { month: 11, weekday: 4, nth: 4 }), 1), `${year}-12-24`, ...EARLY_CLOSINGS];
  const fourth = weekdayOf(`${year}-07-04`);
  // Of a Thursday holiday the Friday after was short until 2012, the Wednesday before since.
  if (fourth === 4 && year < 2013) days.push(`${year}-07-05`);
  else if (fourth >= 2 && fourth <= 5) days.push(`${year}-07-03`);
  return new Set(days);
}

/** A holiday on a Saturday is kept on the Friday before, one on a Sunday on the Monday after. */
function observed(date: string): string {
  const weekday = weekdayOf(date);
  return weekday === 6 ? addDays(date, -1) : weekday === 0 ? addDays(date, 1) : date;
}

interface NthWeekday {
  readonly month: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  readonly nth: number;
}

function nthWeekday(year: number, { month, weekday, nth }: NthWeekday): string {
  const first = `${year}-${String(month).padStart(2, '0')}-01`;
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1));
}

function weekdayOf(date: string): number {
  return new Date(epochDay(date) * MS_PER_DAY).getUTCDay();
}

/**
 * Easter Sunday of the Gregorian calendar.
 *
 * @see "To find Easter", Nature 13 (1876), p. 487: the computus of an anonymous correspondent
 */
function easterSunday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return `${year}-${String(Math.floor(sum / 31)).padStart(2, '0')}-${String((sum % 31) + 1).padStart(2, '0')}`;
}
