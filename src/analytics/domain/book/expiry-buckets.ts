import { tradingDayOnOrBefore } from '#src/analytics/domain/calendar/exchange-days.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import type { Book } from './book.ts';

/** Groups of expiries that are looked at apart. A contract may be in several. */
export const bucketNames = ['zero_dte', 'week', 'monthly', 'all'] as const;
export type BucketName = (typeof bucketNames)[number];

const MS_PER_YEAR = 365 * 86_400_000;
const WEEK = 7 / 365;

/**
 * Tells which expiries are in each bucket: those that settle today in New York, those within seven days, those of a
 * third Friday (of the trading day before it where that is a holiday), and all.
 */
export function expiryBuckets({ expiries }: Book, asOf: number): Record<BucketName, readonly boolean[]> {
  const today = newYorkDate(asOf);
  const dates = expiries.map(({ years }) => newYorkDate(Math.round(asOf + years * MS_PER_YEAR)));
  return {
    zero_dte: dates.map((date) => date === today),
    week: expiries.map(({ years }) => years <= WEEK),
    monthly: dates.map((date) => date === monthlyOf(date)),
    all: expiries.map(() => true),
  };
}

/** The book with the positions of the chosen expiries only. */
export function bookOf(book: Book, chosen: readonly boolean[]): Book {
  return { ...book, position: book.position.map((n, i) => (chosen[book.expiry[i]!] ? n : 0)) };
}

/** The day on which the monthly contracts of a date's month settle. */
function monthlyOf(date: string): string {
  const first = Temporal.PlainDate.from(date).with({ day: 1 });
  return tradingDayOnOrBefore(first.add({ days: ((5 - first.dayOfWeek + 7) % 7) + 14 }).toString());
}
