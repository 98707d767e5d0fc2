import type { Context } from '#src/system/context.ts';
import { dailySnapshots, lastYear } from './history-store.ts';

const SESSIONS = 252;

/**
 * Log returns from day to day of the feed's last snapshot in each New York day, over the last 252 days that any of the
 * symbols has: one series a symbol, aligned in time, null where a symbol lacks the day or the one before.
 */
export async function dailyReturns(
  context: Pick<Context, 'db'>,
  symbols: readonly string[],
): Promise<readonly (readonly (number | null)[])[]> {
  const closes = await dailySnapshots(context, [...new Set(symbols)], lastYear());
  const days = [...new Set(closes.map(({ day }) => day))].toSorted().slice(-SESSIONS - 1);
  const spots = new Map(closes.map(({ symbol, day, spot }) => [`${symbol} ${day}`, spot]));
  return symbols.map((symbol) =>
    days.slice(1).map((day, index) => {
      const [before, after] = [spots.get(`${symbol} ${days[index]}`), spots.get(`${symbol} ${day}`)];
      return before === undefined || after === undefined ? null : Math.log(after / before);
    }),
  );
}
