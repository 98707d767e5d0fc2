import type { Context } from '#src/system/context.ts';
import { dailySnapshots, yearBefore } from './history-store.ts';

const SESSIONS = 252;

export interface DailyReturns {
  /** True where any of them is of a generated market. */
  readonly synthetic: boolean;
  /** One a requested symbol, in time aligned; null where a symbol lacks the day or the one before. */
  readonly series: readonly (readonly (number | null)[])[];
}

/**
 * Log returns from day to day of the feed's last snapshot in each New York day, over the last 252 days that any of the
 * symbols has. Of a symbol whose feed went from generated to real chains or back, only days of the latest kind:
 * a return from one to the other is no move of any market.
 */
export async function dailyReturns(context: Pick<Context, 'db'>, symbols: readonly string[]): Promise<DailyReturns> {
  const all = await dailySnapshots(context, [...new Set(symbols)], yearBefore(Date.now()));
  const kinds = new Map(all.map(({ symbol, figures }) => [symbol, figures.synthetic]));
  const closes = all.filter(({ symbol, figures }) => figures.synthetic === kinds.get(symbol));
  const days = [...new Set(closes.map(({ day }) => day))].toSorted().slice(-SESSIONS - 1);
  const spots = new Map(closes.map(({ symbol, day, spot }) => [`${symbol} ${day}`, spot]));
  const series = symbols.map((symbol) =>
    days.slice(1).map((day, index) => {
      const [before, after] = [spots.get(`${symbol} ${days[index]}`), spots.get(`${symbol} ${day}`)];
      return before === undefined || after === undefined ? null : Math.log(after / before);
    }),
  );
  return { synthetic: [...kinds.values()].includes(true), series };
}
