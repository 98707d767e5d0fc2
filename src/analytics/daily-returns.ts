import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';

const SESSIONS = 252;

const closeRow = row(Type.Object({ symbol: Type.String(), day: Type.String(), spot: Type.Number() }));

/**
 * Log returns from day to day of the feed's last snapshot in each New York day, over the last 252 days that any of the
 * symbols has: one series a symbol, aligned in time, null where a symbol lacks the day or the one before.
 */
export async function dailyReturns(
  { db }: Pick<Context, 'db'>,
  symbols: readonly string[],
): Promise<readonly (readonly (number | null)[])[]> {
  const closes = await db.any(sql.type(closeRow)`
    select distinct on (symbol, day) symbol, day, spot from (
      select symbol, (as_of at time zone 'America/New_York')::date::text as day, as_of, spot from snapshots
      where symbol = any(${sql.array([...symbols], 'text')}) and as_of > now() - interval '400 days'
    ) s order by symbol, day, as_of desc`);
  const days = [...new Set(closes.map(({ day }) => day))].toSorted().slice(-SESSIONS - 1);
  const spots = new Map(closes.map(({ symbol, day, spot }) => [`${symbol} ${day}`, spot]));
  return symbols.map((symbol) =>
    days.slice(1).map((day, index) => {
      const [before, after] = [spots.get(`${symbol} ${days[index]}`), spots.get(`${symbol} ${day}`)];
      return before === undefined || after === undefined ? null : Math.log(after / before);
    }),
  );
}
