import type { study } from '#queues/analytics.ts';
import type { Payload } from '#queues/define.ts';
import { isSessionOpen, latestSession } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { historyQuery } from './history-query.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Days a study looks back where nothing is said of it. */
export const DEFAULT_DAYS = 366;

/** A symbol and the days of its history, as a caller writes them. */
export interface StudyRequest {
  readonly symbol: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Checks the requested symbol and days. @throws AppError `invalid_request`, `unknown_symbol`. */
export function studySpan({ symbol, from, to }: StudyRequest): Pick<Payload<typeof study>, 'symbol' | 'from' | 'to'> {
  // of a minute, so that asking again after a 202 asks the same
  const end = to ?? new Date(minuteNow() * MINUTE_MS).toISOString();
  const begin = from ?? daysBefore(end, DEFAULT_DAYS);
  const request = historyQuery({ symbol, to: end, limit: 1, ...(begin !== undefined && { from: begin }) }, new Date());
  return { symbol: request.symbol, from: request.from.toISOString(), to: lastClosed(request.to).toISOString() };
}

/** Undefined for what is no instant, which the check names. */
function daysBefore(text: string, days: number): string | undefined {
  const instant = new Date(new Date(text).getTime() - days * DAY_MS);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** A session under way has no last price yet: half a day's return would count as one. */
function lastClosed(to: Date): Date {
  return isSessionOpen(to.getTime()) ? new Date(latestSession(to.getTime()).open) : to;
}

function minuteNow(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}

/**
 * One job for a caller who asks again; a new one each minute, as history grows and a failed job must not stay for ever.
 */
export function studyKey({ kind, symbol, from, to, rule }: Payload<typeof study>): string {
  return `study ${kind} ${symbol} ${from} ${to} ${rule ?? ''} ${minuteNow()}`;
}
