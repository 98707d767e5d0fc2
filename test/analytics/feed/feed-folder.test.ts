import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { previousTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { chainInterest } from '#src/analytics/domain/chain/chain-interest.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { applyTrades } from '#src/analytics/domain/positions/apply-trades.ts';
import { openFlow, startFlowDay } from '#src/analytics/domain/positions/flow-days.ts';
import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';
import { feedFiles, openFileReader, symbolOfFile } from '#src/analytics/feed/feed-folder.ts';
import { folderDark } from '#src/analytics/feed/folder-dark.ts';
import { folderFlow } from '#src/analytics/feed/folder-flow.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';
import { testFolder } from '#test/helpers/processes.ts';

const [wednesday, thursday] = [sessionOn('2025-11-19'), sessionOn('2025-11-20')];
const noon = Date.parse('2025-11-20T17:00:00Z');

const chainOf = (at: number): Chain => cleanChain(readChain(generateChainCsv({ symbol: 'SPX', at }), 'SPX'));
const contracts = [...chainInterest(chainOf(noon)).keys()];

/** One trade a minute from `from` to `to`, at the ask and at the bid in turn. */
function tradesOf(from: number, to: number): OptionTrade[] {
  return Array.from({ length: Math.floor((to - from) / 60_000) }, (_, i) => ({
    id: `${from + i * 60_000}`,
    time: from + i * 60_000,
    contract: contracts[(7 * i) % contracts.length]!,
    price: i % 2 === 0 ? 10.2 : 10,
    size: 1 + (i % 9),
    bid: 10,
    ask: 10.2,
    complex: i % 5 === 0,
    auction: i % 7 === 0,
    cross: false,
  }));
}

const lineOf = (trade: OptionTrade) => {
  const { id, time, contract, price, size, bid, ask, complex, auction } = trade;
  const flags = [...(complex ? ['complex'] : []), ...(auction ? ['auction'] : [])];
  return `${JSON.stringify({ id, time, contract, price, size, bid, ask, flags })}\n`;
};

function folderOf(files: Readonly<Record<string, string>>) {
  const folder = testFolder();
  const write = (name: string, text: string) => {
    mkdirSync(join(folder.path, name, '..'), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const problems: string[] = [];
  const reads: string[] = [];
  const read = openFileReader((problem) => problems.push(problem));
  const counted: typeof read = (file, use, make) =>
    read(file, use, (text) => {
      reads.push(file.name);
      return make(text);
    });
  return {
    ...folder,
    path: folder.path,
    write,
    problems,
    reads,
    read: counted,
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}

test.each([
  ['_SPX.json', 'SPX'],
  ['^NDX.json', 'NDX'],
  ['spx_quotedata.csv', 'SPX'],
  ['SPY-20261120-1430.ndjson', 'SPY'],
  ['spyglass.csv', null],
  ['quotes.json', null],
  ['20261120-SPX.json', null],
])('the symbol of a file named %s', (name, expected) => {
  expect(symbolOfFile(name)).toBe(expected);
});

test('tapes become the inventory of generation 3: each trade once, none of after the chain, carried over the night', {
  timeout: 60_000,
}, () => {
  const middle = wednesday.open + 7_200_000;
  const [early, late] = [tradesOf(wednesday.open, middle), tradesOf(middle, wednesday.close)];
  const today = tradesOf(thursday.open, thursday.close);
  using folder = folderOf({
    'trades/SPX-20251119-a.ndjson': early.map(lineOf).join(''),
    // tapes that overlap
    'trades/SPX-20251119-b.ndjson': [...early.slice(-50), ...late].map(lineOf).join(''),
    'trades/SPY-20251119.ndjson': early.map(lineOf).join(''),
  });
  const first = folderFlow(folder.path, folder.read, chainOf(wednesday.open + 3_600_000), null);
  const morning = openFlow({
    date: '2025-11-19',
    at: wednesday.open,
    openInterest: chainInterest(chainOf(wednesday.open + 3_600_000)),
  });
  const known = early.filter(({ time }) => time <= wednesday.open + 3_600_000);
  expect(first.morning).toEqual(morning);
  expect(first.flow).toEqual(applyTrades(morning, known, { asOf: Infinity }));

  folder.write('trades/SPX-20251120.ndjson', today.map(lineOf).join(''));
  const chain = chainOf(noon);
  const second = folderFlow(folder.path, folder.read, chain, first.morning);
  const closed = applyTrades(morning, [...early, ...late], { asOf: Infinity });
  const next = startFlowDay(closed, {
    date: '2025-11-20',
    previousDate: '2025-11-19',
    at: thursday.open,
    openInterest: chainInterest(chain),
  });
  expect(second.morning).toEqual(next);
  expect(second.flow).toEqual(applyTrades(next, today, { asOf: noon }));
  // a version of a file is read once, and no file of another symbol
  expect(folder.reads).toEqual(['SPX-20251119-a.ndjson', 'SPX-20251119-b.ndjson', 'SPX-20251120.ndjson']);
  // a chain of the day before says nothing of today's inventory
  expect(folderFlow(folder.path, folder.read, chainOf(wednesday.close - 1), second.morning).flow).toBeNull();

  const facts = { chain, advUsd: 4e11, session: thursday, realisedVolatility: null, open: null };
  const { generations } = marketFigures({ ...facts, flow: second.flow });
  expect(generations['3']?.estimates.gex.sd).toBeGreaterThan(0);
  expect(generations['3']?.estimates.gex.coverage).toBeGreaterThan(0);
});

test('a tape that grows is read again; one that stops in the middle of a line gives what is whole; one that cannot be read is told once', () => {
  const trades = tradesOf(thursday.open, noon);
  const lines = trades.map(lineOf);
  const half = Math.floor(lines.length / 2);
  using folder = folderOf({
    'trades/SPX-1.ndjson': `${lines.slice(0, half).join('')}${lines[half]!.slice(0, 20)}`,
    'trades/SPX-2.csv': 'not,a,tape\n1,2,3\n',
    // finished before the session began: it holds nothing of it
    'trades/SPX-0.csv': 'not,a,tape\n1,2,3\n',
  });
  utimesSync(join(folder.path, 'trades/SPX-0.csv'), 1, thursday.open / 1_000 - 1);
  const chain = chainOf(noon);
  const volume = () => {
    const { flow } = folderFlow(folder.path, folder.read, chain, null);
    return Object.values(flow?.contracts ?? {}).reduce((sum, { today }) => sum + today.volume, 0);
  };
  const total = (some: readonly OptionTrade[]) => some.reduce((sum, { size }) => sum + size, 0);
  expect(volume()).toBe(total(trades.slice(0, half)));
  appendFileSync(
    join(folder.path, 'trades/SPX-1.ndjson'),
    `${lines[half]!.slice(20)}${lines.slice(half + 1).join('')}`,
  );
  expect(volume()).toBe(total(trades));
  expect(folder.problems).toEqual([expect.stringMatching(/^trades\/SPX-2\.csv: Expected a heading/)]);
});

test('FINRA’s files, prints and constituents become the dark-pool overlay, nothing of it known before its time', () => {
  const dates: string[] = [];
  for (let date = '2025-11-20'; dates.length < 70; date = previousTradingDay(date)) dates.push(date);
  const daily = (date: string, i: number) => {
    const rows = ['SPY', 'AAPL', 'MSFT', 'OTHER'].map(
      (ticker, k) => `${date.replaceAll('-', '')}|${ticker}|${400 + ((i * (k + 3)) % 17)}.5|0|1000|Q`,
    );
    return `Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market\n${rows.join('\n')}\n4\n`;
  };
  const chain = chainOf(noon);
  const prints = Array.from({ length: 390 }, (_, i) => ({
    id: `D${i}`,
    time: thursday.open + i * 60_000,
    price: chain.spot / 10 + (i % 40) - 20,
    size: 100 + i,
  }));
  using folder = folderOf({
    ...Object.fromEntries(
      dates.map((date, i) => [`short-volume/CNMSshvol${date.replaceAll('-', '')}.txt`, daily(date, i)]),
    ),
    'prints/SPY-20251120.csv': `id,time,symbol,price,size,venue\n${prints
      .map(({ id, time, price, size }) => `${id},${time},SPY,${price},${size},D\n`)
      .join('')}`,
    'constituents/SPX.csv': 'symbol,price\nAAPL,270\nMSFT,500\nNONE,1\n',
  });
  const found = folderDark(folder.path, folder.read, 'SPX', noon);
  expect(found.days.map(({ date }) => date)).toEqual(dates.slice(1, 62).toReversed());
  expect(found.days.at(-1)).toMatchObject({ shortVolume: 403.5, totalVolume: 1_000 });
  expect(found.prints).toEqual(prints.filter(({ time }) => time <= noon));
  const last = found.prints.slice(-21).map(({ price }) => price);
  expect(last.filter((price) => price < found.proxyPrice!).length).toBe(10);
  expect([found.constituents?.length, found.dixBefore?.length]).toEqual([2, 60]);
  // today's file is posted in the evening
  const evening = folderDark(folder.path, folder.read, 'SPX', Date.parse('2025-11-20T23:00:00Z'));
  expect(evening.days.at(-1)?.date).toBe('2025-11-20');

  const facts = { chain, advUsd: 4e11, session: thursday, realisedVolatility: null, open: null };
  const { generations } = marketFigures({ ...facts, flow: null, dark: found });
  const { darkpool } = generations['1'] ?? {};
  expect(darkpool).toMatchObject({
    dpi_date: '2025-11-19',
    dpi_z_status: 'ok',
    dix_status: 'ok',
    dix_constituents: 2,
    dix_z_status: 'ok',
    prints: found.prints.length,
  });
  // weighted by dollars
  expect(darkpool?.dix).toBeCloseTo((270 * 404.5 + 500 * 405.5) / (770 * 1_000), 12);
  expect(folder.problems).toEqual([]);
});

test('error: a folder that is not there is named by its setting; a missing sub-folder is empty', () => {
  using folder = testFolder();
  expect(feedFiles(folder.path, 'trades')).toEqual([]);
  expect(() => feedFiles(join(folder.path, 'none'), 'trades')).toThrow(/^FEED_FOLDER: expected a folder/);
});
