import { sessionOf } from './exchange-calendar.ts';
import { nextTradingDay, tradingDayOnOrBefore } from './exchange-days.ts';
import { newYorkDate } from './time.ts';

/** When a feed's newest figures are of. */
export interface FeedStamp {
  /** Timestamp of the data themselves, epoch milliseconds. */
  readonly asOf: number;
  /** When they came to us, epoch milliseconds. */
  readonly takenAt: number;
  readonly synthetic: boolean;
}

/**
 * How old a feed's data are at an instant, in milliseconds, 0 or more. Of a real market only time in which the exchange is
 * open counts, from the data's own timestamp on: nothing new can come while it is closed. A generated market shows
 * something at every hour, so that all time since its last tick counts.
 */
export function feedAge({ asOf, takenAt, synthetic }: FeedStamp, now: number): number {
  return synthetic ? Math.max(0, now - takenAt) : openTime(asOf, now);
}

/** Time between two instants in which the regular session ran, in milliseconds; 0 where `to` is earlier. */
export function openTime(from: number, to: number): number {
  let total = 0;
  const last = newYorkDate(to);
  for (let date = tradingDayOnOrBefore(newYorkDate(from)); date <= last && from < to; date = nextTradingDay(date)) {
    const session = sessionOf(date);
    if (session) total += Math.max(0, Math.min(session.close, to) - Math.max(session.open, from));
  }
  return total;
}
