import type { Client } from 'pg';
import { backfill } from '#queues/analytics.ts';
import { backfillInstant, endedSessions } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { feedOwner } from './feed.ts';

/** A trading year: what a study looks back on. */
const SESSIONS = 252;
/** Newest sessions, which come without delay also where no client reads: figures of the present look back on no more. */
const RECENT = 25;
/** Jobs under way at once: ticks need the threads more. */
const AT_ONCE = 1;
const DAY_MS = 86_400_000;

interface MissingDay {
  readonly symbol: MarketSymbol;
  readonly date: string;
}

/** Days of the synthetic market without a snapshot from their last minutes on, newest first; none that would be forgotten. */
export async function missingDays(
  { config }: Pick<Context, 'config'>,
  client: Client,
  now: number,
): Promise<MissingDay[]> {
  const oldest = now - config.HISTORY_RETENTION_DAYS * DAY_MS;
  const days = endedSessions(now, SESSIONS).filter((date) => backfillInstant(date) > oldest);
  const missing: MissingDay[] = [];
  for (const symbol of marketSymbols) {
    const { rows } = await client.query<{ date: string }>(
      `select date from unnest($2::text[], $3::timestamptz[]) as d (date, at)
       where not exists (select from snapshots where symbol = $1 and as_of >= at and as_of < at + interval '1 hour')`,
      [symbol, days, days.map((date) => new Date(backfillInstant(date)).toISOString())],
    );
    missing.push(...rows.map(({ date }) => ({ symbol, date })));
  }
  return missing.toSorted((a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1));
}

/** Checks whether the next of these days is one that figures of the present look back on. */
export function isRecentNext([next]: readonly MissingDay[], now: number): boolean {
  return next !== undefined && endedSessions(now, RECENT).includes(next.date);
}

/** Asks for the next of these days, as many as may be under way, and takes them off the list. */
export async function requestDays(context: Context, client: Client, missing: MissingDay[]): Promise<void> {
  if (missing.length === 0) return;
  const { rows } = await client.query<{ busy: number; real: string[] }>(
    `select (select count(*)::int from jobs where queue = $1 and state in ('queued', 'running')) as busy,
            array(select symbol from chains where owner is null and not synthetic) as real`,
    [backfill.name],
  );
  const { busy = 0, real = [] } = rows[0] ?? {};
  for (let free = AT_ONCE - busy; free > 0; ) {
    const next = missing.shift();
    if (next === undefined) return;
    // a symbol of a real market has no other history than its own
    if (real.includes(next.symbol)) continue;
    const { symbol, date } = next;
    await submit(context, backfill, {
      principal: feedOwner,
      payload: { symbol, date },
      idempotencyKey: `backfill ${symbol} ${date}`,
    });
    free--;
  }
}
