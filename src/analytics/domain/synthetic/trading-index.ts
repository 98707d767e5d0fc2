import { defaultClockWeights } from '#src/analytics/domain/calendar/clocks.ts';
import { addDays, isHalfDay, isTradingDay, nextTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';

/** The first day of the made-up market. */
export const FIRST_DAY = '2018-01-02';

const dates: string[] = [FIRST_DAY];
const numbers = new Map<string, number>([[FIRST_DAY, 0]]);

/** The trading day with that number, counted from {@link FIRST_DAY}, which is 0. */
export function tradingDay(number: number): string {
  while (dates.length <= number) {
    const date = nextTradingDay(dates.at(-1) ?? FIRST_DAY);
    numbers.set(date, dates.length);
    dates.push(date);
  }
  return dates[number] ?? FIRST_DAY;
}

/**
 * The number of a trading day.
 *
 * @throws RangeError for a day without trading or before the market begins.
 */
export function tradingNumber(date: string): number {
  const number = date < FIRST_DAY || !isTradingDay(date) ? undefined : numberFrom(date);
  if (number === undefined) throw new RangeError(`expected a trading day from ${FIRST_DAY} on, got ${date}`);
  return number;
}

/** The number of the first trading day on or after a day; 0 for any day before the market begins. */
export function numberFrom(date: string): number {
  if (date <= FIRST_DAY) return 0;
  while ((dates.at(-1) ?? FIRST_DAY) < date) tradingDay(dates.length);
  let day = date;
  while (!numbers.has(day)) day = addDays(day, 1);
  return numbers.get(day) ?? 0;
}

/** Minutes of a trading day's session. */
export function sessionMinutes(number: number): 390 | 210 {
  return isHalfDay(tradingDay(number)) ? 210 : 390;
}

/** Session minutes that the pause before a trading day is worth on the business clock; 0 before the first. */
export function nightMinutes(number: number): number {
  if (number === 0) return 0;
  const before = tradingDay(number - 1);
  const { overnight, weekend, holiday } = defaultClockWeights;
  let minutes = (1440 - sessionMinutes(number - 1)) * overnight;
  for (let day = addDays(before, 1); day < tradingDay(number); day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00Z`).getUTCDay();
    minutes += 1440 * (weekday === 0 || weekday === 6 ? weekend : holiday);
  }
  return minutes;
}
