import { latestSession } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { previousTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { type DarkDay, type DarkTapes, darkProxies } from '#src/analytics/domain/darkpool/dark-pool.ts';
import { zDays } from '#src/analytics/domain/darkpool/short-volume-share.ts';
import { readShortVolume, type ShortVolumeFile } from '#src/analytics/domain/tapes/finra-short-volume.ts';
import { openSyntheticMarket, type SyntheticMarket } from './market.ts';
import type { MarketPath } from './market-path.ts';

/** The day a share is held against those before it. */
const FILES = zDays.window + 1;

/**
 * Makes the off-exchange trading in a symbol's fund that a synthetic market shows: FINRA's files of the days before,
 * and the prints of the session that runs. A file is costly to make and covers all funds: each is read once, for every
 * symbol.
 */
export function syntheticDarkTapes(seed: number, path: MarketPath): (symbol: MarketSymbol, at: number) => DarkTapes {
  const files = new Map<string, ShortVolumeFile>();
  const markets = new Map<MarketSymbol, SyntheticMarket>();
  return (symbol, at) => {
    const fund = darkProxies[symbol];
    const market = markets.get(fund) ?? openSyntheticMarket({ seed, symbol: fund, path });
    markets.set(fund, market);
    const session = latestSession(at);
    const days: DarkDay[] = [];
    for (let i = 0, date = previousTradingDay(session.date); i < FILES; i++, date = previousTradingDay(date)) {
      const file = files.get(date) ?? readShortVolume(market.shortVolumeOf(date) ?? '');
      files.set(date, file);
      const row = file.rows.get(fund);
      if (row) days.push({ ...row, date, knowledgeTime: file.knowledgeTime });
    }
    const first = days.at(-1)?.date ?? '';
    for (const date of files.keys()) if (date < first) files.delete(date);
    const prints = market.printsBetween(session.open - 1, at);
    return {
      days,
      prints: prints.map(({ id, at: time, price, size }) => ({ id, time, price, size })),
      proxyPrice: market.spotAt(at),
    };
  };
}
