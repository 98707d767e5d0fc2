import Type, { type Static } from 'typebox';
import { marketSymbol, SymbolText } from '#src/analytics/answers/symbol-params.ts';
import { AppError } from '#src/lib/errors.ts';
import type { HistoryQuery } from './history-store.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** Earlier than any market of ours, and later than the first year that Postgres can read. */
const EARLIEST = Date.UTC(1900, 0, 1);

const Instant = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-11-20', '2026-11-20T15:00:00Z'] }));

/** Query of every history route. */
export const HistoryParams = Type.Object({
  symbol: SymbolText,
  from: Instant(`Begin, inclusive: a day or an instant in ISO 8601; ${DEFAULT_DAYS} days before \`to\` without it`),
  to: Instant(
    'End, exclusive: a day or an instant in ISO 8601. Without it now, or the synthetic market’s time while it shows a session again: the rest of that session is not its past',
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 200, description: 'Rows per page' }),
  generation: Type.Optional(
    Type.Literal('1', { description: 'Only 1: the figures of generation 1 are stored for each instant' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: '`next_cursor` of the page before' })),
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('csv')], {
      description: 'csv, or an Accept of text/csv, answers CSV',
    }),
  ),
});

/**
 * Reads and checks the query of a history.
 *
 * @param now end of a history whose end is not named
 * @throws AppError `invalid_request`, `unknown_symbol`.
 */
export function historyQuery(query: Static<typeof HistoryParams>, now: Date): HistoryQuery {
  const named = instantOf('to', query.to);
  const to = named ?? now;
  const from = instantOf('from', query.from) ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
  // a market may be behind the clock: what begins in between has no rows yet, and is not wrong
  const latest = named ?? new Date();
  if (from >= latest)
    throw refuse('from', `an instant before to (${latest.toISOString()})`, query.from ?? from.toISOString());
  return {
    symbol: marketSymbol(query.symbol),
    from,
    to,
    limit: query.limit,
    ...(query.cursor !== undefined && { after: readCursor(query.cursor) }),
  };
}

/** The cursor of the page behind an instant. */
export function writeCursor(asOf: Date): string {
  return Buffer.from(String(asOf.getTime())).toString('base64url');
}

function readCursor(cursor: string): Date {
  const ms = Number(Buffer.from(cursor, 'base64url').toString());
  // only what `writeCursor` gave: an empty one would read as 1970
  if (Math.abs(ms) <= 8.64e15 && writeCursor(new Date(ms)) === cursor) return new Date(ms);
  throw refuse('cursor', 'next_cursor of the page before', cursor);
}

function instantOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const instant = new Date(text);
  if (isIso && isDay(text.slice(0, 10)) && instant.getTime() >= EARLIEST) return instant;
  throw refuse(name, 'a day such as 2026-11-20 or an instant such as 2026-11-20T15:00:00Z, from 1900 on', text);
}

/** Checks whether the calendar has that day: `Date` takes February 30 for March 2. */
function isDay(day: string): boolean {
  const instant = new Date(day);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}

function refuse(name: string, expected: string, got: string): AppError {
  const message = `query.${name}: expected ${expected}, got ${JSON.stringify(got.slice(0, 80))}.`;
  return new AppError('invalid_request', message, { field: `query.${name}`, value: got.slice(0, 80) });
}
