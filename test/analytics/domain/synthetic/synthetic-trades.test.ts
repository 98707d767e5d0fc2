import { expect, test } from 'vitest';
import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import type { SyntheticTrade } from '#src/analytics/domain/synthetic/option-trades.ts';
import { symbolsOf, syntheticMarket } from '#test/analytics/synthetic.ts';

const MINUTE = 60_000;
const noon = Date.parse('2026-11-18T17:00:20.250Z');
const spx = syntheticMarket('SPX');

function openInterestOf(chain: Chain): Map<string, number> {
  return new Map(symbolsOf(chain).map((symbol, i) => [symbol, chain.columns.openInterest[i]!]));
}

/** Days before a quarterly expiry, on it, and after it; the day before Thanksgiving and the half day after it. */
const sequences = [
  ['2026-09-16', '2026-09-17', '2026-09-18', '2026-09-21'],
  ['2026-11-24', '2026-11-25', '2026-11-27', '2026-11-30'],
];

test.for(['SPX', 'SPY'] as const)(
  'trades of %s lead from the open interest and positions of one day to those of the next',
  (symbol) => {
    const one = syntheticMarket(symbol);
    for (const days of sequences) {
      for (const [i, date] of days.slice(0, -1).entries()) {
        const { open, close } = sessionOn(date);
        const interest = openInterestOf(one.chainAt(open));
        // What was listed this morning has no position yet.
        const held = one.truePositionsAt(open - 1);
        const dealers = new Map([...interest.keys()].map((contract) => [contract, held.get(contract) ?? 0]));
        const wrong: string[] = [];
        for (const trade of one.tradesBetween(open - 1, close)) {
          const before = dealers.get(trade.symbol)!;
          const after = before + trade.hiddenDealerSide * trade.size;
          dealers.set(trade.symbol, after);
          const contracts = interest.get(trade.symbol)! + interestChange(trade, before);
          interest.set(trade.symbol, contracts);
          if (Math.abs(after) > contracts) wrong.push(`${trade.symbol}: ${after} of ${contracts}`);
        }
        for (const [contract, position] of one.truePositionsAt(close)) {
          if (position !== dealers.get(contract)) wrong.push(`${contract}: ${position}`);
        }
        for (const [contract, published] of openInterestOf(one.chainAt(sessionOn(days[i + 1]!).open))) {
          if (published !== (interest.get(contract) ?? 0)) wrong.push(`${contract}: ${published} published`);
        }
        expect(wrong, date).toEqual([]);
      }
    }
  },
);

/** Half of both sides' openings less half of their closings; dealers who hold the other sign close that first. */
function interestChange({ size, hiddenDealerSide, hiddenCustomerOpens }: SyntheticTrade, dealers: number): number {
  const closing = dealers * hiddenDealerSide < 0 ? Math.min(Math.abs(dealers), size) : 0;
  return 0.5 * ((hiddenCustomerOpens ? size : -size) + size - 2 * closing);
}

test('the volume of a chain is what has been traded by then, each trade within its quote', () => {
  const { open } = sessionOn('2026-11-18');
  const trades = spx.tradesBetween(open - 1, noon);
  const chain = spx.chainAt(noon);
  const volume = new Map<string, number>();
  for (const { symbol, size } of trades) volume.set(symbol, (volume.get(symbol) ?? 0) + size);
  for (const [i, symbol] of symbolsOf(chain).entries()) {
    expect(chain.columns.volume[i], symbol).toBe(volume.get(symbol) ?? 0);
  }
  expect(trades.every(({ price, bid, ask }) => price > 0 && price >= bid && price <= ask)).toBe(true);
  expect(trades.every(({ at }, i) => at > open - 1 && at >= (trades[i - 1]?.at ?? 0))).toBe(true);
  expect(new Set(trades.map(({ id }) => id)).size).toBe(trades.length);
  const last = trades.at(-1)!;
  const quoted = spx.chainAt(last.at);
  const row = symbolsOf(quoted).indexOf(last.symbol);
  expect([last.bid, last.ask]).toEqual([quoted.columns.bid[row], quoted.columns.ask[row]]);
});

test('the tape hides its sides as a real one does: quotes tell four of five, legs of spreads nothing', () => {
  const trades = spx.tradesBetween(sessionOn('2026-11-17').open, sessionOn('2026-11-18').close);
  const accuracy = (only: typeof trades): number => {
    const told = only.filter(({ price, bid, ask }) => Math.abs(price - 0.5 * (bid + ask)) > 0.006);
    const right = told.filter(({ price, bid, ask, hiddenDealerSide }) => {
      return Math.sign(price - 0.5 * (bid + ask)) === -hiddenDealerSide;
    });
    return right.length / told.length;
  };
  const complex = trades.filter(({ isComplex }) => isComplex);
  expect(complex.length / trades.length).toBeCloseTo(0.15, 1);
  expect(accuracy(complex)).toBeCloseTo(0.5, 1);
  const simple = accuracy(trades.filter(({ isComplex, isAuction }) => !isComplex && !isAuction));
  expect(simple).toBeGreaterThan(0.8);
  expect(simple).toBeLessThan(0.95);
  expect(new Set(trades.map(({ hiddenCustomer }) => hiddenCustomer)).size).toBe(5);
});

test('trades come in bursts, and more of them at the ends of the session', () => {
  const { open, close } = sessionOn('2026-11-18');
  const times = spx.tradesBetween(open - 1, close).map(({ at }) => at - open);
  const counts = (width: number): number[] => {
    const found = Array.from({ length: Math.floor((390 * MINUTE) / width) }, () => 0);
    for (const time of times) if (time < found.length * width) found[Math.floor(time / width)]!++;
    return found;
  };
  const halves = counts(30 * MINUTE);
  expect(halves[0]! / halves[6]!).toBeGreaterThan(1.3);
  expect(halves[12]! / halves[6]!).toBeGreaterThan(1.1);
  // A Poisson process has the variance of its mean; in the flat middle of the day only clustering adds to it.
  const middle = counts(10_000).slice(900, 1500);
  const average = middle.reduce((sum, count) => sum + count, 0) / middle.length;
  const variance = middle.reduce((sum, count) => sum + (count - average) ** 2, 0) / middle.length;
  expect(variance / average).toBeGreaterThan(1.2);
});

test('FINRA’s file sums the prints of its day, ends in a count, and is not published on holidays', () => {
  const spy = syntheticMarket('SPY');
  const { open, close } = sessionOn('2026-11-18');
  const prints = spy.printsBetween(open - 1, close);
  const lines = spy.shortVolumeOf('2026-11-18')!.split('\n');
  expect(lines[0]).toBe('Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market');
  expect(lines.slice(1, 4).map((line) => line.split('|')[1])).toEqual(['IWM', 'QQQ', 'SPY']);
  expect(lines.slice(4)).toEqual(['3', '']);
  const [date, , short, exempt, total, venues] = lines[3]!.split('|');
  expect([date, venues]).toEqual(['20261118', 'B,Q,N']);
  expect(total).toBe(prints.reduce((sum, { size }) => sum + size, 0).toFixed(6));
  expect(Number(short) / Number(total)).toBeGreaterThan(0.3);
  expect(Number(short) / Number(total)).toBeLessThan(0.6);
  expect(Number.isInteger(Number(exempt))).toBe(true);
  for (const { at, price, venue } of prints) {
    expect([venue, price]).toEqual(['D', spy.spotAt(at)]);
  }
  expect(spx.shortVolumeOf('2026-11-18')).toBe(spy.shortVolumeOf('2026-11-18'));
  expect(spx.shortVolumeOf('2026-11-26')).toBeNull();
});

test('daily closes are those of the chains, on trading days only', () => {
  const rows = spx.dailyCloses('2026-11-21', '2026-12-01');
  expect(rows.map(({ date }) => date)).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-25',
    '2026-11-27',
    '2026-11-30',
    '2026-12-01',
  ]);
  for (const { date, open, close } of rows) {
    expect(open).toBe(spx.spotAt(sessionOn(date).open));
    expect(close).toBe(spx.chainAt(sessionOn(date).close).spot);
  }
});
