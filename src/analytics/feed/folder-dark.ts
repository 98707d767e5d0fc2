import { latestSession } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { type DarkTapes, darkProxies } from '#src/analytics/domain/darkpool/dark-pool.ts';
import { darkIndex, zDays } from '#src/analytics/domain/darkpool/short-volume-share.ts';
import { readShortVolume, type ShortVolumeRow } from '#src/analytics/domain/tapes/finra-short-volume.ts';
import {
  type OffExchangePrint,
  readConstituents,
  readOffExchangeTape,
} from '#src/analytics/domain/tapes/read-offexchange-tape.ts';
import { type FeedFile, type FileReader, feedFiles, symbolOfFile } from './feed-folder.ts';

/** The day a share is held against those before it. */
const FILES = zDays.window + 1;
/** Prints whose median is the fund's price: one alone may be reported late or far from the market. */
const LAST_PRINTS = 21;

interface ShortDay {
  readonly date: string;
  readonly knowledgeTime: number;
  readonly rows: ReadonlyMap<string, ShortVolumeRow>;
}

/**
 * Reads the folder's off-exchange trading in a symbol's fund at an instant: FINRA's newest daily files that were posted
 * by then, prints of the session that runs or ran last, and DIX over the constituents that are listed.
 */
export function folderDark(folder: string, read: FileReader, symbol: MarketSymbol, asOf: number): DarkTapes {
  const fund = darkProxies[symbol];
  const prices = constituentPrices(folder, read, symbol);
  const days = shortDays(folder, read, { prices, asOf });
  const prints = sessionPrints(folder, read, { fund, asOf });
  const indexed = days.map(({ rows }) =>
    [...prices].flatMap(([ticker, price]) => {
      const row = rows.get(ticker);
      return row ? [{ ...row, price }] : [];
    }),
  );
  return {
    days: days.flatMap(({ date, knowledgeTime, rows }) => {
      const row = rows.get(fund);
      return row ? [{ ...row, date, knowledgeTime }] : [];
    }),
    prints,
    proxyPrice: medianPrice(prints.slice(-LAST_PRINTS)),
    constituents: indexed.at(-1) ?? [],
    dixBefore: indexed
      .slice(0, -1)
      .map(darkIndex)
      .filter((index) => index !== null),
  };
}

/** Oldest first. Of a file that holds every security of the market only the rows that are needed are remembered. */
function shortDays(
  folder: string,
  read: FileReader,
  { prices, asOf }: { readonly prices: ReadonlyMap<string, number>; readonly asOf: number },
): ShortDay[] {
  const wanted = new Set<string>([...marketSymbols, ...prices.keys()]);
  const today = newYorkDate(asOf).replaceAll('-', '');
  const dayOf = ({ name }: FeedFile) => /^CNMSshvol(\d{8})\.txt$/i.exec(name)?.[1] ?? '99999999';
  return feedFiles(folder, 'short-volume')
    .filter((file) => dayOf(file) <= today)
    .toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)))
    .slice(-FILES - 1)
    .map((file) => read(file, `days of ${[...wanted].join()}`, (text) => shortDay(text, wanted)))
    .filter((day) => day !== null && day.knowledgeTime <= asOf)
    .slice(-FILES) as ShortDay[];
}

function shortDay(text: string, wanted: ReadonlySet<string>): ShortDay {
  const { date, knowledgeTime, rows } = readShortVolume(text);
  return { date, knowledgeTime, rows: new Map([...rows].filter(([ticker]) => wanted.has(ticker))) };
}

function sessionPrints(
  folder: string,
  read: FileReader,
  { fund, asOf }: { readonly fund: MarketSymbol; readonly asOf: number },
): OffExchangePrint[] {
  const { open } = latestSession(asOf);
  const seen = new Set<string>();
  return feedFiles(folder, 'prints')
    .filter(({ name, modified }) => symbolOfFile(name) === fund && modified >= open)
    .flatMap(
      (file) =>
        read(file, 'prints', (text) => readOffExchangeTape(text, { symbol: fund, asOf: Infinity }).prints) ?? [],
    )
    .filter(({ id, time }) => time >= open && time <= asOf && !seen.has(id) && seen.add(id))
    .toSorted((a, b) => a.time - b.time);
}

function constituentPrices(folder: string, read: FileReader, symbol: MarketSymbol): ReadonlyMap<string, number> {
  const newest = feedFiles(folder, 'constituents').findLast(({ name }) => symbolOfFile(name) === symbol);
  return (newest && read(newest, 'constituents', readConstituents)) ?? new Map();
}

function medianPrice(prints: readonly OffExchangePrint[]): number | null {
  return prints.map(({ price }) => price).toSorted((a, b) => a - b)[Math.floor(prints.length / 2)] ?? null;
}
