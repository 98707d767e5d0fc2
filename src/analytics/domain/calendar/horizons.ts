import type { Session } from './exchange-calendar.ts';

/** Opening and close of a regular session, epoch milliseconds. */
export type SessionHours = Pick<Session, 'open' | 'close'>;

/** A stretch of time ahead, in the two clocks: options decay in calendar time, prices move in trading time. */
export interface Horizon {
  /** Calendar years that pass, ACT/365. */
  readonly years: number;
  /** Trading sessions that pass: the variance of a return is σ_d² times this. */
  readonly sessions: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
/** A regular session of 390 minutes. */
export const SESSION_MS = 6.5 * HOUR;

/** Hours of trading ahead; they count as trading time whether or not a session is on. */
export function tradingHours(hours: number): Horizon {
  return { years: (hours * HOUR) / YEAR, sessions: (hours * HOUR) / SESSION_MS };
}

/** A calendar day with its session. */
export const oneDay: Horizon = { years: DAY / YEAR, sessions: 1 };

/** Calendar days with a session each, or a part of one in proportion. */
export function daysAhead(days: number): Horizon {
  return { years: (days * DAY) / YEAR, sessions: days };
}

/** From now to the close of a session, nothing after it; before the opening the night counts as calendar time only. */
export function toClose(asOf: number, session: SessionHours): Horizon {
  const trading = Math.max(session.close - Math.max(asOf, session.open), 0);
  return { years: Math.max(session.close - asOf, 0) / YEAR, sessions: trading / SESSION_MS };
}
