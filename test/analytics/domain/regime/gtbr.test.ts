import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { byGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import { bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import { gammaThetaBurn } from '#src/analytics/domain/regime/gtbr.ts';
import { GTBR, type Gtbr } from '#src/analytics/domain/regime/gtbr-schema.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';
import { fixtureRealised, metricCase } from '#test/analytics/metric-oracle.ts';
import { fixtureBook, missBy } from '#test/analytics/oracle.ts';
import { syntheticMarket } from '#test/analytics/synthetic.ts';
import figureTask from '#workers/analytics/figure-market.thread.ts';

const book = fixtureBook();
const found = gammaThetaBurn({ book, realisedVolatility: fixtureRealised });

test.each([
  ['gtbr', found.gtbr],
  ['breakeven_move_pts_1d', found.breakeven_move_pts_1d],
] as const)('%s of the fixture is that of the definition', (name, value) => {
  expect(missBy(value ?? 0, metricCase(name).expected, metricCase(name))).toBeLessThanOrEqual(1);
});

test('a book of one volatility breaks even where realised is implied, and then carries nothing', () => {
  const flat = { ...book, volatility: book.volatility.map(() => 0.2) };
  const even = gammaThetaBurn({ book: flat, realisedVolatility: 0.2 });
  expect(even.gtbr).toBeCloseTo(1, 12);
  expect(Math.abs(even.net_carry_per_day ?? 1)).toBeLessThan(1e-6);
  expect(even.state).toBe('balanced');
  expect(gammaThetaBurn({ book: flat, realisedVolatility: 0.25 }).state).toBe('harvesting');
  expect(gammaThetaBurn({ book: flat, realisedVolatility: 0.15 }).state).toBe('burning');
});

test('the carry is half of dollar gamma times the gap of variances, contract by contract', () => {
  let carry = 0;
  for (let i = 0; i < book.contracts; i++) {
    const { years, rate, dividend } = book.expiries[book.expiry[i]!]!;
    const volatility = book.volatility[i]!;
    const own = {
      isCall: book.isCall[i] === 1,
      spot: 6000,
      strike: book.strike[i]!,
      years,
      volatility,
      rate,
      dividend,
    };
    const dollars = book.position[i]! * 100 * bsmGreeks(own).gamma * 6000 ** 2;
    carry += (0.5 * dollars * (fixtureRealised ** 2 - volatility ** 2)) / 252;
  }
  expect(found.net_carry_per_day! / carry).toBeCloseTo(1, 9);
});

test('the range stands around the opening, and a move beyond it with short gamma is a breach', () => {
  const short = { ...book, position: book.openInterest.map((n) => -n) };
  const at = (open: number | null, given = short) => gammaThetaBurn({ book: given, realisedVolatility: 0.1, open });
  expect(at(5990).range).toMatchObject({ anchor: 'open', lower: 5990 - found.breakeven_move_pts_1d! });
  expect(at(null).range?.anchor).toBe('spot');
  expect([at(5940).breach, at(5990).breach, at(null).breach]).toEqual([true, false, null]);
  expect(at(5940, { ...book, position: book.openInterest.slice() }).breach).toBe(false);
});

test('moves of the implied size burn exactly the elapsed share', () => {
  const step = found.sigma_gamma! / Math.sqrt(252 * 390);
  const returns = Array.from({ length: 195 }, (_, i) => (i % 2 === 0 ? step : -step));
  const half = gammaThetaBurn({ book, realisedVolatility: 0.1, returns, elapsed: 0.5 });
  expect(half.burn_used).toBeCloseTo(1, 9);
  const burn = (input: object) => {
    const { burn_used, burn_status } = gammaThetaBurn({ book, realisedVolatility: 0.1, ...input });
    expect(burn_used === null).toBe(burn_status !== 'ok');
    return burn_status;
  };
  expect([burn({ returns, elapsed: 0.5 }), burn({ returns }), burn({ elapsed: 0.5 })]).toEqual([
    'ok',
    'no_session',
    'no_prices',
  ]);
  expect(burn({ returns, elapsed: 0.5, book: { ...book, position: new Float64Array(book.contracts) } })).toBe(
    'no_gamma',
  );
});

test('the burn of a market is that of the moves since its opening, by the part of the session that has passed', () => {
  const at = Date.parse('2025-11-20T17:45:00Z');
  const chain = syntheticMarket('SPX', { contracts: 200 }).chainAt(at);
  const session = sessionOf('2025-11-20');
  const facts = { chain, advUsd: 4e11, realisedVolatility: null, open: null, flow: null, session };
  const spots = [chain.spot * Math.exp(0.01), chain.spot * Math.exp(-0.01)];
  const { gtbr } = marketFigures({ ...facts, spots }).generations['1']!;
  // 195 of 390 minutes
  const expected = (0.02 ** 2 + 0.01 ** 2) / ((gtbr.sigma_gamma! ** 2 * 0.5) / 252);
  expect(gtbr).toMatchObject({ burn_status: 'ok', burn_used: expect.closeTo(expected, 9) });
  const none = marketFigures({ ...facts, spots, session: null }).generations['1']!;
  expect(none.gtbr).toMatchObject({ burn_status: 'no_session', burn_used: null });
  const task = { symbol: 'SPX', at, seed: 21, contracts: 200, advUsd: 4e11, chain } as const;
  const figured = figureTask({ ...task, past: { rawShares: byGeneration(() => []), moves: [] } });
  if ('failure' in figured) throw new Error(figured.failure.message);
  const answer = JSON.parse(figured.answers.get('gtbr:2') ?? '') as { data: Gtbr };
  expect(answer.data.burn_status).toBe('ok');
  // a made-up market pays its theta within a factor of a few
  expect(answer.data.burn_used! > 0.1 && answer.data.burn_used! < 10).toBe(true);
});

test('every figure is finite or null on any book', () => {
  fc.assert(
    fc.property(anyBook, fc.constantFrom(null, 0, 0.2), fc.constantFrom(0, 0.3, 2), (given, realised, elapsed) => {
      const answer = gammaThetaBurn({
        book: given,
        realisedVolatility: realised,
        open: 1000,
        returns: [0.01],
        elapsed,
      });
      expect([...Value.Errors(GTBR, answer)]).toEqual([]);
      expect(answer.status === 'ok').toBe(answer.gtbr !== null);
    }),
  );
});
