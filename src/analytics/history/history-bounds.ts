import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import type { Context } from '#src/system/context.ts';
import { readHistory, type Snapshot } from './history-store.ts';

const DEFAULT_DAYS = 30;
const HOUR_MS = 3_600_000;
/** More than the feed keeps in an hour. */
const HOUR_ROWS = 1_000;
const market = 'America/New_York';

/** The New York day that it is. */
export function marketDay(): string {
  return Temporal.Now.plainDateISO(market).toString();
}

/**
 * The first and the last snapshot of the days from `from` to `to`, both included; the last 30 days without them. Null
 * where there is none.
 */
export async function boundsOf(
  context: Pick<Context, 'db'>,
  symbol: string,
  from: string | undefined,
  to = marketDay(),
): Promise<{ readonly first: Snapshot; readonly last: Snapshot } | null> {
  const end = dayOf(to);
  const begin = from === undefined ? end.subtract({ days: DEFAULT_DAYS }) : dayOf(from);
  let low = midnight(begin);
  let high = midnight(end.add({ days: 1 }));
  const [first] = await readHistory(context, { symbol, from: low, to: high, limit: 1 });
  if (first === undefined) return null;
  // halves, not pages: what lies between may be a hundred thousand rows
  while (high.getTime() - low.getTime() > HOUR_MS) {
    const middle = new Date((low.getTime() + high.getTime()) / 2);
    const [later] = await readHistory(context, { symbol, from: middle, to: high, limit: 1 });
    if (later === undefined) high = middle;
    else low = later.asOf;
  }
  const rest = await readHistory(context, { symbol, from: low, to: high, limit: HOUR_ROWS });
  return { first, last: rest.at(-1) ?? first };
}

/** The first snapshot in the first half hour of the session whose day an instant is of; null where there is none. */
export async function openingOf(context: Pick<Context, 'db'>, symbol: string, instant: Date): Promise<Snapshot | null> {
  const day = Temporal.Instant.from(instant.toISOString()).toZonedDateTimeISO(market).toPlainDate();
  const session = sessionOf(day.toString());
  if (session === null) return null;
  const { open } = session;
  const [first] = await readHistory(context, {
    symbol,
    from: new Date(open),
    to: new Date(open + HOUR_MS / 2),
    limit: 1,
  });
  return first ?? null;
}

/** Postgres reads no year 0 and no sign before a year 10000; no snapshot is near either. */
function dayOf(text: string): Temporal.PlainDate {
  const day = Temporal.PlainDate.from(text);
  return day.with({ year: Math.min(9000, Math.max(1900, day.year)) });
}

function midnight(day: Temporal.PlainDate): Date {
  return new Date(day.toZonedDateTime(market).epochMilliseconds);
}
