import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyBook } from '#src/analytics/domain/book/book.ts';
import { applyTrades } from '#src/analytics/domain/positions/apply-trades.ts';
import { startFlowDay } from '#src/analytics/domain/positions/flow-days.ts';
import { flowMoments } from '#src/analytics/domain/positions/flow-state.ts';
import { bookSymbols, flowPositions, reconciledFlow } from '#src/analytics/domain/positions/positions-flow.ts';
import { nextTick, publishedRule, signTrade } from '#src/analytics/domain/positions/sign-trade.ts';
import { bookOf, call, certain, later, nextDay, put, start, trade } from '#test/analytics/flow-fixture.ts';
import { missBy, type OracleCase } from '#test/analytics/oracle.ts';
import { opening, tradeMarkets } from '#test/analytics/trade-market.ts';

const file = new URL('../../../vectors/analytics/positions.json', import.meta.url);
const { cases }: { cases: readonly OracleCase[] } = JSON.parse(readFileSync(file, 'utf8'));
const oracle = cases.find((item) => item.function === 'gen3')!;

test('the dealers’ change and its sd over the trades of the definition, each without a price before it', () => {
  const { trades, dealer_change, sd } = oracle.expected;
  const given = trades.map(([price, bid, ask, size, complex]: any[], i: number) =>
    trade({ id: String(i), contract: `SPXW261120C0${6000 + i}000`, price, bid, ask, size, complex }),
  );
  const { contracts } = applyTrades(start({}), given, { asOf: opening });
  const found = Object.values(contracts)
    .map(({ sums }) => flowMoments(sums, 0))
    .reduce((a, b) => ({ mean: a.mean + b.mean, variance: a.variance + b.variance }));
  expect(missBy(found.mean, dealer_change, oracle)).toBeLessThanOrEqual(1);
  expect(missBy(Math.sqrt(found.variance), sd, oracle)).toBeLessThanOrEqual(1);
});

test('a trade at the mid goes by the change of price, with the smaller λ', () => {
  expect(signTrade(trade({ price: 10.1 }), 1)).toBeCloseTo(0.18, 12);
  expect(signTrade(trade({ price: 10.1 }), -1)).toBeCloseTo(-0.18, 12);
  expect(signTrade(trade({ price: 10.1 }), 0)).toBe(0);
  expect([nextTick(0, null, 5), nextTick(1, 5, 4), nextTick(-1, 4, 4), nextTick(-1, 4, 5)]).toEqual([0, -1, -1, 1]);
  const trades = [trade({ price: 10 }), trade({ id: '2', time: opening + 1, price: 10.1 })];
  const { contracts } = applyTrades(start({}), trades, { asOf: opening + 1 });
  expect(contracts[call]?.sums.net).toBeCloseTo(6.6 - 1.8, 9);
});

test('λ by kind of trade: quote, without a quote, locked, beyond the quote, auction, cross, complex', () => {
  expect(publishedRule).toEqual({ quote: 0.6599999999999999, tick: 0.17999999999999994, negotiated: 0.3, complex: 0 });
  expect(signTrade(trade(), 0)).toBeCloseTo(0.66, 12);
  expect(signTrade(trade({ price: 10.15 }), 0)).toBeCloseTo(0.33, 9);
  expect(signTrade(trade({ price: 9 }), 0)).toBeCloseTo(-0.66, 12);
  expect(signTrade(trade({ bid: null, ask: null }), 1)).toBeCloseTo(0.18, 12);
  expect(signTrade(trade({ bid: 10, ask: 10 }), 0)).toBeCloseTo(0.66, 12);
  expect(signTrade(trade({ bid: 10.2, ask: 10.2 }), 0)).toBe(0);
  expect(signTrade(trade({ auction: true }), 0)).toBeCloseTo(0.3, 12);
  expect(signTrade(trade({ cross: true, price: 10.1 }), -1)).toBeCloseTo(-0.18, 12);
  expect(signTrade(trade({ complex: true, auction: true }), 1)).toBe(0);
});

test('with certain signs the inventory is the truth, in any order and in any number of calls', () => {
  fc.assert(
    fc.property(tradeMarkets, fc.nat(60), ({ tape, dealers }, cut) => {
      const asOf = Infinity;
      const whole = applyTrades(start({}), tape, { asOf, rule: certain });
      const turned = applyTrades(start({}), tape.toReversed(), { asOf, rule: certain });
      const first = applyTrades(start({}), tape.slice(cut), { asOf, rule: certain });
      const parts = applyTrades(first, tape.slice(0, cut), { asOf, rule: certain });
      for (const state of [whole, turned, parts]) {
        for (const [contract, { sums }] of Object.entries(state.contracts)) {
          expect(flowMoments(sums, 0)).toEqual({ mean: dealers.get(contract) ?? 0, variance: 0 });
          expect(flowMoments(sums, 0.3).mean).toBeCloseTo(dealers.get(contract) ?? 0, 6);
        }
      }
    }),
  );
});

test('no position exceeds the contracts there can be: open interest, and what traded since', () => {
  fc.assert(
    fc.property(
      tradeMarkets,
      fc.array(fc.nat(300), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      ({ tape }, sizes, carried) => {
        const interest = Object.fromEntries([call, put, later].map((symbol, i) => [symbol, sizes[i]!]));
        const today = applyTrades(start({}), tape, { asOf: Infinity, rule: certain });
        const state = carried ? nextDay(today, interest) : today;
        const { book, options } = bookOf(interest);
        const { mean, variance, loading } = flowPositions(book, state, options);
        for (const [i, symbol] of options.symbols.entries()) {
          const bound = interest[symbol]! + (state.contracts[symbol]?.today.volume ?? 0);
          expect(Math.abs(mean[i]!)).toBeLessThanOrEqual(bound);
          expect(variance[i]! + loading[i]! ** 2).toBeLessThanOrEqual(bound * bound * (1 + 1e-9));
        }
      },
    ),
  );
});

test('inventory is carried to the next day, clipped to the new interest, and retired at settlement', () => {
  const trades = [
    trade({ price: 10, size: 60 }),
    trade({ id: '2', contract: put, price: 10, size: 60 }),
    trade({ id: '3', contract: later, price: 10, size: 60 }),
  ];
  const first = applyTrades(start({}), trades, { asOf: opening, rule: certain });
  const second = nextDay(first, { [call]: 60, [put]: 25, [later]: 60 });
  expect(second.contracts[call]).toMatchObject({
    sums: { net: 60 },
    unseen: 0,
    openInterest: 60,
    previousOpenInterest: 0,
  });
  expect(second.contracts[put]).toMatchObject({
    sums: { net: 25 },
    today: { volume: 0 },
    yesterday: { volume: 60, net: 60 },
  });
  // On the 20th the SPX monthly settles at the opening, the SPXW at the close.
  const third = nextDay(second, { [call]: 60, [put]: 25, [later]: 60 }, 2);
  expect(Object.keys(third.contracts)).toEqual([call, later]);
  expect(Object.keys(nextDay(third, { [call]: 60, [later]: 60 }, 3).contracts)).toEqual([later]);
  expect(structuredClone(third)).toEqual(JSON.parse(JSON.stringify(third)));
});

test('interest older than the tape is censored and wide; what was listed since is not', () => {
  const { book, options } = bookOf({ [call]: 300, [later]: 100 });
  const atFirst = flowPositions(book, start({ [call]: 300 }), options);
  expect(atFirst).toMatchObject({ coverage: 0, censoredShare: 1 });
  const state = nextDay(start({ [call]: 400 }), { [call]: 300, [later]: 100 });
  const positions = flowPositions(book, state, options);
  expect(positions).toMatchObject({ generation: 3, coverage: 0.25, censoredShare: 0.75 });
  expect(positions.mean).toEqual(Float64Array.of(0, 0));
  expect(positions.loading[0]!).toBeGreaterThan(100);
  expect(positions.loading[0]!).toBeLessThan(300 / Math.sqrt(3));
  expect([positions.loading[1], positions.variance[1]]).toEqual([0, 0]);
  // Of the 300 unseen at most 120 are left after a morning on which only 120 existed.
  const low = nextDay(state, { [call]: 120 }, 2);
  expect(low.contracts[call]?.unseen).toBe(120);
  expect(nextDay(low, { [later]: 300 }, 3).contracts[later]?.unseen).toBe(0);
});

test('after a missed day all interest counts as unseen again, and inventory is carried', () => {
  const state = applyTrades(start({}), [trade({ price: 10 })], { asOf: opening, rule: certain });
  const gap = startFlowDay(state, {
    date: '2026-11-20',
    previousDate: '2026-11-19',
    at: opening,
    openInterest: new Map([[call, 50]]),
  });
  expect(gap).toMatchObject({ since: '2026-11-20', contracts: { [call]: { sums: { net: 10 }, unseen: 50 } } });
});

test('a contract first met on its last day begins at 0, and what trades today counts beyond its interest', () => {
  const { book, options } = bookOf({ [call]: 0 });
  expect(flowPositions(book, start({}), options).mean[0]).toBe(0);
  const state = applyTrades(start({}), [trade({ size: 40 })], { asOf: opening, rule: certain });
  expect(flowPositions(book, state, options).mean[0]).toBe(-40);
});

test('a late trade is added, but the tick rule neither reads nor follows it', () => {
  const rising = [trade({ time: opening + 8, price: 10 }), trade({ id: '2', time: opening + 9, price: 10.2 })];
  const now = applyTrades(start({}), rising, { asOf: Infinity });
  const late = applyTrades(now, [trade({ id: '3', price: 10.1, size: 7 })], { asOf: Infinity });
  expect(now.contracts[call]?.tick).toBe(1);
  expect(late.contracts[call]).toMatchObject({
    sums: { net: now.contracts[call]?.sums.net },
    lastPrice: 10.2,
    lastTime: opening + 9,
    tick: 1,
  });
  expect(late.contracts[call]?.today.volume).toBe(27);
});

test('the day before, as generation 2 takes it: net share of the volume, and what is not known where none traded', () => {
  const first = applyTrades(start({ [put]: 10 }), [trade({ price: 10, size: 20 })], { asOf: opening });
  const { book, options } = bookOf({ [call]: 20, [put]: 15 });
  const flow = reconciledFlow(book, nextDay(first, { [call]: 20, [put]: 15 }), options.symbols);
  expect(Array.from(flow.previousOpenInterest)).toEqual([0, 10]);
  expect(flow.netShare[0]).toBeCloseTo(0.66, 12);
  expect(flow.netShareSd[0]).toBeCloseTo(Math.sqrt(1 - 0.66 ** 2), 12);
  expect(flow.netShareSd[1]).toBeCloseTo(Math.sqrt(1 / 3), 12);
});

test('rows are named by their expiry and strike, and a label of another form by nothing', () => {
  const expiries = ['SPXW 2026-11-20', 'E1'].map((label) => ({ label, years: 0.1, rate: 0, dividend: 0 }));
  const book = emptyBook({ spot: 1, multiplier: 100, expiries }, 2);
  book.strike.set([6000, 6000]);
  book.isCall.set([1, 1]);
  book.expiry.set([0, 1]);
  expect(bookSymbols(book)).toEqual([call, null]);
});
