import { isSessionOpen, latestSession } from './exchange-calendar.ts';

/**
 * The instant at which the synthetic market stands at a time of the clock: that time itself while the exchange is open;
 * otherwise the last session is shown again and again, so that there is always something to see. Epoch milliseconds.
 */
export function feedTime(now: number): number {
  if (isSessionOpen(now)) return now;
  const { open, close } = latestSession(now);
  return open + ((now - close) % (close - open));
}
