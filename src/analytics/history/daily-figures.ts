import type { HistoryRow } from '#src/analytics/domain/history/history-row.ts';
import type { Context } from '#src/system/context.ts';
import { dailySnapshots } from './history-store.ts';

export interface DailyFigures {
  readonly synthetic: boolean;
  /** One row a New York day, oldest first. */
  readonly rows: readonly HistoryRow[];
}

/**
 * The last snapshot of each New York day of a symbol in `[from, to)`. Where the feed went from generated to real chains
 * or back, only days of the latest kind: a return from one to the other is no move of any market.
 */
export async function dailyFigures(
  context: Pick<Context, 'db'>,
  { symbol, from, to }: { readonly symbol: string; readonly from: string; readonly to: string },
): Promise<DailyFigures> {
  const days = await dailySnapshots(context, [symbol], { from: new Date(from), to: new Date(to) });
  const synthetic = days.at(-1)?.figures.synthetic ?? false;
  const rows = days
    .filter(({ figures }) => figures.synthetic === synthetic)
    .map(({ day, asOf, knowledgeTime, spot, figures: { regime, levels, flips, dsi_raw_shares } }) => ({
      session: day,
      as_of: asOf.getTime(),
      knowledge_time: knowledgeTime.getTime(),
      spot,
      ngr: regime.ngr,
      dsi_raw_share: dsi_raw_shares['1'],
      regime: regime.state,
      flip: flips.primary,
      call_wall: levels.call_wall,
      put_wall: levels.put_wall,
      atm_volatility: levels.atm_volatility,
    }));
  return { synthetic, rows };
}
