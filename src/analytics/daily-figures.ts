import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import type { HistoryRow } from './domain/history-row.ts';
import { SNAPSHOT_FIGURES } from './domain/snapshot-schema.ts';

const dayRow = row(
  Type.Object({
    day: Type.String(),
    asOf: Type.Unsafe<Date>({}),
    knowledgeTime: Type.Unsafe<Date>({}),
    spot: Type.Number(),
    figures: SNAPSHOT_FIGURES,
  }),
);

export interface DailyFigures {
  readonly synthetic: boolean;
  /** One row a New York day, oldest first. */
  readonly rows: readonly HistoryRow[];
}

/**
 * The last snapshot of each New York day of a symbol in `[from, to)`. Where the feed went from generated to real chains
 * or back, only days of the kind that stands last: a return from one to the other is no move of any market.
 */
export async function dailyFigures(
  { db }: Pick<Context, 'db'>,
  { symbol, from, to }: { readonly symbol: string; readonly from: string; readonly to: string },
): Promise<DailyFigures> {
  const days = await db.any(sql.type(dayRow)`
    select day, as_of as "asOf", knowledge_time as "knowledgeTime", spot, figures from (
      select (as_of at time zone 'America/New_York')::date::text as day, max(as_of) as as_of from snapshots
      where symbol = ${symbol} and as_of >= ${from}::timestamptz and as_of < ${to}::timestamptz group by 1
    ) last join snapshots using (as_of) where symbol = ${symbol} order by as_of`);
  const synthetic = days.at(-1)?.figures.synthetic ?? false;
  const rows = days
    .filter(({ figures }) => figures.synthetic === synthetic)
    .map(({ day, asOf, knowledgeTime, spot, figures: { regime, levels, flips, dsi_raw_share } }) => ({
      session: day,
      as_of: asOf.getTime(),
      knowledge_time: knowledgeTime.getTime(),
      spot,
      ngr: regime.ngr,
      dsi_raw_share,
      regime: regime.state,
      flip: flips.primary,
      call_wall: levels.call_wall,
      put_wall: levels.put_wall,
      atm_volatility: levels.atm_volatility,
    }));
  return { synthetic, rows };
}
