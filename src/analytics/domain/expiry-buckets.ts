import type { Book } from './book.ts';
import { newYorkDate } from './time.ts';

/** Groups of expiries that are looked at apart. A contract may be in several. */
export const bucketNames = ['zero_dte', 'week', 'monthly', 'all'] as const;
export type BucketName = (typeof bucketNames)[number];

const MS_PER_YEAR = 365 * 86_400_000;
const WEEK = 7 / 365;

/**
 * Which expiries are in each bucket: those that settle today in New York, those within seven days, those of a third
 * Friday (or of the Thursday before, where the book has none on that Friday because it is a holiday), and all.
 */
export function expiryBuckets({ expiries }: Book, asOf: number): Record<BucketName, readonly boolean[]> {
  const today = newYorkDate(asOf);
  const dates = expiries.map(({ years }) => newYorkDate(Math.round(asOf + years * MS_PER_YEAR)));
  const listed = new Set(dates);
  return {
    zero_dte: dates.map((date) => date === today),
    week: expiries.map(({ years }) => years <= WEEK),
    monthly: dates.map((date) => isMonthly(date, listed)),
    all: expiries.map(() => true),
  };
}

/** The book with the positions of the chosen expiries only. */
export function bookOf(book: Book, chosen: readonly boolean[]): Book {
  return { ...book, position: book.position.map((n, i) => (chosen[book.expiry[i]!] ? n : 0)) };
}

function isMonthly(date: string, listed: ReadonlySet<string>): boolean {
  const day = Temporal.PlainDate.from(date);
  if (isThirdFriday(day)) return true;
  const next = day.add({ days: 1 });
  return isThirdFriday(next) && !listed.has(next.toString());
}

function isThirdFriday({ dayOfWeek, day }: Temporal.PlainDate): boolean {
  return dayOfWeek === 5 && day >= 15 && day <= 21;
}
