const MS_PER_YEAR = 365 * 86_400_000;

/** When a contract of that expiry day settles, in epoch milliseconds: 09:30 (`am`) or 16:00 (`pm`) in New York. */
export function settlementInstant(date: string, settlement: 'am' | 'pm'): number {
  return newYorkInstant(`${date}T${settlement === 'am' ? '09:30' : '16:00'}`);
}

/** The instant of a New York wall-clock time such as `2026-11-20T16:00`; daylight saving is New York's own. */
export function newYorkInstant(wallClock: string): number {
  return Temporal.PlainDateTime.from(wallClock).toZonedDateTime('America/New_York').epochMilliseconds;
}

/** The calendar day in New York at that instant, `YYYY-MM-DD`. */
export function newYorkDate(instant: number): string {
  return Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO('America/New_York')
    .toPlainDate()
    .toString();
}

/** ACT/365 years between two instants in epoch milliseconds; negative if `to` is earlier. */
export function yearsBetween(from: number, to: number): number {
  return (to - from) / MS_PER_YEAR;
}
