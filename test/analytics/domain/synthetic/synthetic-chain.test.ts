import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { businessYears } from '#src/analytics/domain/calendar/clocks.ts';
import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import { type MarketSymbol, marketSymbols, markets } from '#src/analytics/domain/chain/symbols.ts';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { black76Price, bsmPrice } from '#src/analytics/domain/pricing/black-scholes.ts';
import { openSyntheticMarket, type SyntheticMarketOptions } from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';
import { sliceVariance, surfacesOn } from '#src/analytics/domain/synthetic/synthetic-surface.ts';
import { syntheticRate, underlyings } from '#src/analytics/domain/synthetic/underlyings.ts';
import { seed, symbolsOf, syntheticMarket } from '#test/analytics/synthetic.ts';

const MINUTE = 60_000;
const noon = Date.parse('2026-11-18T17:00:20.250Z');
const spx = syntheticMarket('SPX');

test('the same seed and instant give the same chain to the last bit, from a fresh start and in any order', () => {
  const instants = [
    '2026-11-18T17:00:20.250Z',
    '2024-02-29T20:59:59.999Z',
    '2025-07-03T17:00:00Z',
    '2026-11-18T14:30:00Z',
  ];
  const chains = instants.map((instant) => spx.chainAt(Date.parse(instant)));
  for (const i of [2, 0]) {
    expect(openSyntheticMarket({ seed, symbol: 'SPX' }).chainAt(Date.parse(instants[i]!))).toEqual(chains[i]);
  }
  expect(syntheticMarket('SPX', { path: openMarketPath({ seed: 22 }), seed: 22 }).chainAt(noon)).not.toEqual(chains[0]);
});

test.for([
  ['mid-session', '2026-11-18T17:00:20.250Z'],
  ['overnight', '2026-11-19T03:00:00Z'],
] as const)('nothing depends on what comes after it: %s', ([, instant]) => {
  const at = Date.parse(instant);
  const other = openSyntheticMarket({ seed, symbol: 'SPX', fork: { at, seed: 99 } });
  const dayBefore = at - 86_400_000;
  expect(other.chainAt(at)).toEqual(spx.chainAt(at));
  expect(other.truePositionsAt(at)).toEqual(spx.truePositionsAt(at));
  expect(other.tradesBetween(at - 10 * MINUTE, at)).toEqual(spx.tradesBetween(at - 10 * MINUTE, at));
  expect(other.tradesBetween(dayBefore, dayBefore + 10 * MINUTE)).toEqual(
    spx.tradesBetween(dayBefore, dayBefore + 10 * MINUTE),
  );
  expect(other.printsBetween(dayBefore, at)).toEqual(spx.printsBetween(dayBefore, at));
  expect(other.dailyCloses('2026-01-01', '2026-11-17')).toEqual(spx.dailyCloses('2026-01-01', '2026-11-17'));
  // And the fork is one: what follows is another market.
  const tomorrow = Date.parse('2026-11-19T18:00:00Z');
  expect(other.spotAt(tomorrow)).not.toBe(spx.spotAt(tomorrow));
  expect(other.chainAt(Date.parse('2026-11-20T18:00:00Z')).columns.openInterest).not.toEqual(
    spx.chainAt(Date.parse('2026-11-20T18:00:00Z')).columns.openInterest,
  );
});

test.for(marketSymbols)(
  'a chain of %s is of its market: it says synthetic, is of size, and can be analysed',
  (symbol) => {
    const chain = syntheticMarket(symbol).chainAt(noon);
    expect(isSynthetic(chain)).toBe(true);
    expect(chain).toMatchObject({ symbol, source: 'synthetic', asOf: new Date(noon).toISOString() });
    expect(chain.contracts).toBeGreaterThan(1500);
    expect(chain.contracts).toBeLessThan(3000);
    const answer = analyzeChain(chain, { advUsd: markets[symbol].advUsd });
    expect([...Value.Errors(CHAIN_ANALYTICS, answer)]).toEqual([]);
    expect(answer.quality.coverage).toBeGreaterThan(0.99);
    for (const { years, rate, dividend } of answer.expiries) {
      if (years < 0.1) continue;
      expect(Math.abs(rate - syntheticRate)).toBeLessThan(0.002);
      expect(Math.abs(dividend - underlyings[symbol].dividend)).toBeLessThan(0.002);
    }
  },
);

test('a chain grows to the size that is asked for', () => {
  const { contracts } = syntheticMarket('SPX', { contracts: 20_000 }).chainAt(noon);
  expect(contracts).toBeGreaterThan(15_000);
  expect(contracts).toBeLessThan(25_000);
});

const instants = ['2020-03-20T13:30:00Z', '2023-09-14T19:31:07Z', '2025-11-28T17:58:00Z', '2026-11-18T20:59:58Z'];

test.for(instants)('quotes hold the model between bid and ask, on the tick, at %s', (instant) => {
  for (const symbol of ['SPX', 'SPY'] as const) {
    const chain = syntheticMarket(symbol).chainAt(Date.parse(instant));
    const { strike, bid, ask, quotedIv, isCall, expiry } = chain.columns;
    const { dividend, ticks } = underlyings[symbol];
    for (let i = 0; i < chain.contracts; i++) {
      const { years } = chain.expiries[expiry[i]!]!;
      const discount = Math.exp(-syntheticRate * years);
      const forward = chain.spot * Math.exp((syntheticRate - dividend) * years);
      const deviation = quotedIv[i]! * Math.sqrt(years);
      const price = black76Price({ isCall: isCall[i] === 1, forward, strike: strike[i]!, deviation, discount });
      const inside = bid[i]! >= 0 && bid[i]! <= price + 1e-9 && ask[i]! > price && ask[i]! > bid[i]!;
      const isOnTick = [bid[i]!, ask[i]!].every((quote) => {
        const steps = quote / (quote < 3 ? ticks[0] : ticks[1]);
        return Math.abs(steps - Math.round(steps)) < 1e-6;
      });
      // Where there is a bid, rounding moves the mid by half a tick at most.
      const near = bid[i] === 0 || Math.abs(0.5 * (bid[i]! + ask[i]!) - price) <= 0.5 * ticks[1] + 1e-9;
      expect(inside && isOnTick && near, `${symbol} ${strike[i]}: ${bid[i]} / ${ask[i]} for ${price}`).toBe(true);
    }
  }
});

test.for(instants)('no trader earns by spreads and butterflies at the quotes of %s', (instant) => {
  const { columns, contracts } = spx.chainAt(Date.parse(instant));
  const { strike, bid, ask, isCall, expiry } = columns;
  for (let i = 0; i + 4 < contracts; i++) {
    const [low, middle, high] = [i, i + 2, i + 4] as const;
    if (expiry[low] !== expiry[high]) continue;
    const w = isCall[low] === 1 ? 1 : -1;
    const [dear, cheap] = w === 1 ? [low, middle] : [middle, low];
    expect(ask[dear]! - bid[cheap]!).toBeGreaterThanOrEqual(0);
    const weight = (strike[high]! - strike[middle]!) / (strike[high]! - strike[low]!);
    const butterfly = weight * ask[low]! + (1 - weight) * ask[high]! - bid[middle]!;
    expect(butterfly).toBeGreaterThan(0);
  }
});

test('total variance at a moneyness rises from expiry to expiry', () => {
  let compared = 0;
  for (const instant of instants) {
    const { columns, contracts, expiries, spot } = spx.chainAt(Date.parse(instant));
    let before: { k: number; w: number }[] = [];
    for (const [e, { years }] of expiries.entries()) {
      const slice: { k: number; w: number }[] = [];
      for (let i = 0; i < contracts; i += 2) {
        if (columns.expiry[i] !== e) continue;
        const k = Math.log(columns.strike[i]! / spot) - (syntheticRate - underlyings.SPX.dividend) * years;
        slice.push({ k, w: columns.quotedIv[i]! ** 2 * years });
      }
      for (const { k, w } of slice) {
        const next = before.findIndex((point) => point.k >= k);
        const [a, b] = [before[next - 1], before[next]];
        // Between strikes as near as these a straight line is the smile, to a hundredth of what a session adds.
        if (!a || !b || b.k - a.k > 0.005) continue;
        expect(w).toBeGreaterThan(a.w + ((b.w - a.w) * (k - a.k)) / (b.k - a.k));
        compared++;
      }
      before = slice;
    }
  }
  expect(compared).toBeGreaterThan(1000);
});

test('volatilities are those of the surface, which lives on the business clock', () => {
  for (const instant of instants) {
    const at = Date.parse(instant);
    const { columns, contracts, expiries, spot } = spx.chainAt(at);
    const surface = surfacesOn(spx.path, underlyings.SPX)(spx.path.pointAt(at));
    for (let i = 0; i < contracts; i += 50) {
      const { years, settlesAt } = expiries[columns.expiry[i]!]!;
      const slice = surface.sliceAt(businessYears(at, Date.parse(settlesAt)));
      const k = Math.log(columns.strike[i]! / spot) - (syntheticRate - underlyings.SPX.dividend) * years;
      expect(columns.quotedIv[i]! / Math.sqrt(sliceVariance(slice, k) / years)).toBeCloseTo(1, 8);
    }
  }
});

test('a fund is its index times a constant, less its fee, to the cent', () => {
  const pairs = [
    ['SPX', 'SPY'],
    ['NDX', 'QQQ'],
    ['RUT', 'IWM'],
  ] as const;
  for (const [index, fund] of pairs) {
    const { ratio, carry } = underlyings[fund];
    const factors = [noon, noon + 61_000, noon + 5 * MINUTE].map(
      (at) => syntheticMarket(fund).spotAt(at) / syntheticMarket(index).spotAt(at),
    );
    for (const factor of factors) expect(Math.abs(factor / factors[0]! - 1)).toBeLessThan(6e-5);
    expect(factors[0]).toBeLessThan(ratio);
    expect(factors[0]).toBeGreaterThan(ratio * Math.exp(-carry * 10));
  }
});

test('after the close the chain is that of the close, without what has just settled', () => {
  const { close } = sessionOn('2026-11-18');
  const chain = spx.chainAt(close + 9 * 3_600_000);
  expect(chain).toEqual(spx.chainAt(close));
  expect(chain.asOf).toBe(new Date(close).toISOString());
  expect(chain.expiries[0]).toMatchObject({ root: 'SPXW', date: '2026-11-19' });
  expect(spx.chainAt(close - 1).expiries[0]).toMatchObject({ root: 'SPXW', date: '2026-11-18' });
});

test('the monthly of an index settles at the opening of the third Friday, the weekly lives till the close', () => {
  const roots = (at: number): string[] =>
    spx
      .chainAt(at)
      .expiries.filter(({ date }) => date === '2026-11-20')
      .map(({ root }) => root);
  expect(roots(sessionOn('2026-11-19').close)).toEqual(['SPX', 'SPXW']);
  expect(roots(sessionOn('2026-11-20').open)).toEqual(['SPXW']);
});

test('dealers are long of calls and short of puts out of the money, and not of everything alike', () => {
  const chain = spx.chainAt(noon);
  const positions = spx.truePositionsAt(noon);
  const sums = { calls: 0, puts: 0, disagreeing: 0, held: 0 };
  for (const [i, symbol] of symbolsOf(chain).entries()) {
    const position = positions.get(symbol)!;
    const isCall = chain.columns.isCall[i] === 1;
    sums[isCall ? 'calls' : 'puts'] += position;
    sums.held += Math.abs(position);
    if (position > 0 !== isCall) sums.disagreeing += Math.abs(position);
  }
  expect(positions.size).toBe(chain.contracts);
  expect(sums.calls).toBeGreaterThan(0);
  expect(sums.puts).toBeLessThan(0);
  expect(sums.disagreeing / sums.held).toBeGreaterThan(0.02);
});

test('round strikes and puts below the money have the open interest', () => {
  const { columns, contracts, spot } = spx.chainAt(noon);
  const sums = { round: 0, rounds: 0, other: 0, others: 0, putsBelow: 0, putsAbove: 0 };
  for (let i = 0; i < contracts; i++) {
    const strike = columns.strike[i]!;
    const interest = columns.openInterest[i]!;
    if (columns.isCall[i] === 0) sums[strike < spot ? 'putsBelow' : 'putsAbove'] += interest;
    if (Math.abs(strike / spot - 1) > 0.05) continue;
    sums[strike % 100 === 0 ? 'round' : 'other'] += interest;
    sums[strike % 100 === 0 ? 'rounds' : 'others']++;
  }
  expect(sums.round / sums.rounds).toBeGreaterThan((1.3 * sums.other) / sums.others);
  expect(sums.putsBelow).toBeGreaterThan(2 * sums.putsAbove);
});

test('funds take the American price that is passed in, indices never do', () => {
  const american: SyntheticMarketOptions['american'] = (option) => bsmPrice(option) * 1.05;
  const asks = (symbol: MarketSymbol, options: Partial<SyntheticMarketOptions>) =>
    syntheticMarket(symbol, options).chainAt(noon).columns.ask;
  const [european, exercised] = [asks('SPY', {}), asks('SPY', { american })];
  expect(exercised.every((ask, i) => ask >= european[i]!)).toBe(true);
  expect(exercised.some((ask, i) => ask > 1.03 * european[i]!)).toBe(true);
  expect(asks('SPX', { american })).toEqual(asks('SPX', {}));
});
