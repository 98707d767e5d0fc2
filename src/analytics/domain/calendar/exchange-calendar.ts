import { isTradingDay, nextTradingDay, previousTradingDay } from './exchange-days.ts';
import { closingTime, newYorkDate, newYorkInstant } from './time.ts';

/** One regular session, in epoch milliseconds. */
export interface Session {
  /** Trading day in New York, `YYYY-MM-DD`. */
  readonly date: string;
  /** 09:30 New York. */
  readonly open: number;
  /** 16:00 New York, 13:00 on a half day. */
  readonly close: number;
}

/** Days remembered, about forty years of them; forgotten all at once. */
const MAX_DAYS = 10_000;

const sessions = new Map<string, Session | null>();

/** The regular session of a day; null where the exchanges are closed. */
export function sessionOf(date: string): Session | null {
  let session = sessions.get(date);
  if (session === undefined) {
    session = isTradingDay(date)
      ? { date, open: newYorkInstant(`${date}T09:30`), close: newYorkInstant(`${date}T${closingTime(date)}`) }
      : null;
    if (sessions.size >= MAX_DAYS) sessions.clear();
    sessions.set(date, session);
  }
  return session;
}

/** The session that runs at an instant or was the last to open before it: what a market at rest shows. */
export function latestSession(instant: number): Session {
  const date = newYorkDate(instant);
  const today = sessionOf(date);
  return today && today.open <= instant ? today : sessionOn(previousTradingDay(date));
}

/** The first session that opens after an instant. */
export function upcomingSession(instant: number): Session {
  const date = newYorkDate(instant);
  const today = sessionOf(date);
  return today && today.open > instant ? today : sessionOn(nextTradingDay(date));
}

/** Checks whether the regular session runs at an instant; its last instant is not part of it. */
export function isSessionOpen(instant: number): boolean {
  const session = sessionOf(newYorkDate(instant));
  return session !== null && instant >= session.open && instant < session.close;
}

/**
 * The session of a day that must have one.
 *
 * @throws RangeError where the exchanges are closed.
 */
export function sessionOn(date: string): Session {
  const session = sessionOf(date);
  if (!session) throw new RangeError(`expected a trading day, got ${date}`);
  return session;
}

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
