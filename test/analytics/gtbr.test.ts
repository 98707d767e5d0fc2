import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { bsmGreeks } from '#src/analytics/domain/black-scholes.ts';
import { gammaThetaBurn } from '#src/analytics/domain/gtbr.ts';
import { GTBR } from '#src/analytics/domain/gtbr-schema.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';
import { fixtureRealised, metricCase } from '#test/analytics/metric-oracle.ts';
import { fixtureBook, missBy } from '#test/analytics/oracle.ts';

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
  expect(gammaThetaBurn({ book, realisedVolatility: 0.1, returns }).burn_used).toBeNull();
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
