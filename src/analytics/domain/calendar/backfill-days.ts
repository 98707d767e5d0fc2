import { isSessionOpen, latestSession, sessionOn } from './exchange-calendar.ts';
import { previousTradingDay } from './exchange-days.ts';

const BEFORE_CLOSE_MS = 300_000;

/** The instant of a trading day that its history is made of: 15:55 New York, 12:55 on a half day. Epoch milliseconds. */
export function backfillInstant(date: string): number {
  return sessionOn(date).close - BEFORE_CLOSE_MS;
}

/** The last `count` trading days whose sessions have ended at an instant, newest first. */
export function endedSessions(now: number, count: number): string[] {
  const { date } = latestSession(now);
  const days: string[] = [];
  for (
    let day = isSessionOpen(now) ? previousTradingDay(date) : date;
    days.length < count;
    day = previousTradingDay(day)
  )
    days.push(day);
  return days;
}
