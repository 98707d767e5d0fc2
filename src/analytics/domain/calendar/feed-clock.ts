import { isSessionOpen, latestSession, sessionOf, sessionOn } from './exchange-calendar.ts';
import { nextTradingDay, previousTradingDay, tradingDayOnOrBefore } from './exchange-days.ts';
import { newYorkDate } from './time.ts';

/** Times of a feed's newest figures. */
export interface FeedStamp {
  /** Timestamp of the data themselves, epoch milliseconds. */
  readonly asOf: number;
  /** Time at which they came to us, epoch milliseconds. */
  readonly takenAt: number;
  readonly synthetic: boolean;
}

/**
 * Computes the age of a feed's data at an instant, in milliseconds, 0 or more. For a real market only time in which the
 * exchange is open counts, from the data's own timestamp on: nothing new can come while it is closed. A generated
 * market shows something at every hour, so all time since its last tick counts.
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

/**
 * The instant that the synthetic market shows at a time of the clock, in epoch milliseconds: a function of the time and
 * the speed alone, so that a replay is exact. In real time (speed 1) it is that time itself while the exchange is open.
 * Otherwise the last session that has ended is shown again and again, `speed` times as fast as it ran, so that there is
 * always something to see and nothing is of the future.
 *
 * @param speed whole, 1 or more
 */
export function feedTime(now: number, speed = 1): number {
  const isOpen = isSessionOpen(now);
  if (isOpen && speed === 1) return now;
  const latest = latestSession(now);
  const { open, close } = isOpen ? sessionOn(previousTradingDay(latest.date)) : latest;
  return open + (((now - close) * speed) % (close - open));
}
