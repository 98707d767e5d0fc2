import { isHalfDay, tradingDayOnOrBefore } from './exchange-days.ts';

const MS_PER_YEAR = 365 * 86_400_000;
const MS_PER_HOUR = 3_600_000;
/** Hours remembered: a year and more; forgotten all at once. */
const MAX_HOURS = 10_000;

const offsets = new Map<number, number>();

/**
 * Computes the instant at which a contract of that expiry day settles, in epoch milliseconds: at the opening, 09:30
 * (`am`), or at the close, 16:00 or 13:00 on a half day (`pm`), in New York. An expiry on a day without trading settles
 * on the trading day before.
 */
export function settlementInstant(date: string, settlement: 'am' | 'pm'): number {
  const day = tradingDayOnOrBefore(date);
  return newYorkInstant(`${day}T${settlement === 'am' ? '09:30' : closingTime(day)}`);
}

/** Wall-clock time at which the session of a trading day ends. */
export function closingTime(day: string): '16:00' | '13:00' {
  return isHalfDay(day) ? '13:00' : '16:00';
}

/** The instant of a New York wall-clock time such as `2026-11-20T16:00`; daylight saving is New York's own. */
export function newYorkInstant(wallClock: string): number {
  return Temporal.PlainDateTime.from(wallClock).toZonedDateTime('America/New_York').epochMilliseconds;
}

/** The calendar day in New York at that instant, `YYYY-MM-DD`, for years 0 to 9999. */
export function newYorkDate(instant: number): string {
  return new Date(instant + newYorkOffset(instant)).toISOString().slice(0, 10);
}

/**
 * Computes the offset of New York's clocks from UTC at that instant, in milliseconds: below zero. Clocks change on full
 * hours.
 */
function newYorkOffset(instant: number): number {
  const hour = Math.floor(instant / MS_PER_HOUR);
  let offset = offsets.get(hour);
  if (offset === undefined) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(hour * MS_PER_HOUR).toZonedDateTimeISO('America/New_York');
    offset = zoned.offsetNanoseconds / 1e6;
    if (offsets.size >= MAX_HOURS) offsets.clear();
    offsets.set(hour, offset);
  }
  return offset;
}

/** ACT/365 years between two instants in epoch milliseconds; negative if `to` is earlier. */
export function yearsBetween(from: number, to: number): number {
  return (to - from) / MS_PER_YEAR;
}
