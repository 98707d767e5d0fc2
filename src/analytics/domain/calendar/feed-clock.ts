import { isSessionOpen, latestSession, sessionOn } from './exchange-calendar.ts';
import { previousTradingDay } from './exchange-days.ts';

/**
 * The instant at which the synthetic market stands at a time of the clock, in epoch milliseconds: a function of the time and
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
