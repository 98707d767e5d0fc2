import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { exposureCoefficients, exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { estimate } from '#src/analytics/domain/positions/dealer-positions.ts';
import { ESTIMATE } from '#src/analytics/domain/positions/estimate-schema.ts';
import { priorPositions } from '#src/analytics/domain/positions/positions-prior.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';
import { starterPrior } from '#src/analytics/domain/positions/prior-table.ts';
import { bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import { clipNormal } from '#src/analytics/domain/statistics/clip-normal.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { definition, fixtureBook, missBy } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

const book = fixtureBook();
const coefficients = exposureCoefficients(book);
const deltas = coefficients.dex.map((value) => value / (book.multiplier * book.spot));

test('generation 1 gives the exposures of the definitions, and states no error', () => {
  const gex = estimate(staticPositions(book), coefficients.gex);
  const vex = estimate(staticPositions(book), coefficients.vex);
  expect(missBy(gex.value, definition('gex_1pct').expected, definition('gex_1pct'))).toBeLessThanOrEqual(1);
  expect(missBy(vex.value, definition('vex_1pt').expected, definition('vex_1pt'))).toBeLessThanOrEqual(1);
  expect(gex).toMatchObject({ sd: null, p_positive: null, generation: 1, coverage: 1, censored_share: null });
  expect([...Value.Errors(ESTIMATE, gex)]).toEqual([]);
});

test('exposures are the sums of coefficients times positions, in every book', () => {
  fc.assert(
    fc.property(books, (random) => {
      const sums = exposures(random);
      const each = exposureCoefficients(random);
      const { mean } = staticPositions(random);
      for (const name of ['dex', 'gex', 'vex', 'cex'] as const) {
        const gross = each[name].reduce((sum, c, i) => sum + Math.abs(c * mean[i]!), 1);
        const sum = each[name].reduce((total, c, i) => total + c * mean[i]!, 0);
        // Near expiry d1 is a rounded difference over a deviation of 0.001, which its square's exponential magnifies.
        expect(Math.abs(sum - sums[name]) / gross, name).toBeLessThan(1e-9);
      }
    }),
  );
});

test('the starter table: out of the money, in the money, the last day, and a fund’s lottery calls', () => {
  const shares = (kind: 'index' | 'etf') => {
    const { mean } = priorPositions(book, { kind, delta: deltas });
    return (date: number, strike: number, isCall: boolean) => {
      const i = Array.from(book.strike.keys()).find(
        (row) => book.strike[row] === strike && book.expiry[row] === date && (book.isCall[row] === 1) === isCall,
      )!;
      return mean[i]! / book.openInterest[i]!;
    };
  };
  const index = shares('index');
  expect(index(2, 5700, false)).toBeCloseTo(-0.8, 12);
  expect(index(2, 6300, true)).toBeCloseTo(0.55, 12);
  expect(index(2, 6300, false)).toBeCloseTo(-0.2, 12);
  expect(index(2, 5700, true)).toBeCloseTo(0.1375, 12);
  expect(index(0, 5900, false)).toBeCloseTo(-0.12, 12);
  expect(index(0, 6100, true)).toBeCloseTo(0.0825, 12);
  expect(shares('etf')(0, 6300, true)).toBeCloseTo(-0.3, 12);
  expect(shares('etf')(2, 6300, true)).toBeCloseTo(0.55, 12);
});

test('the sd of generation 2 is that of its definition: within a bucket errors add, between buckets squares do', () => {
  const positions = priorPositions(book, { kind: 'index', delta: deltas });
  const { sd, value, p_positive } = estimate(positions, coefficients.gex);
  const gross = new Map<string, number>();
  for (let i = 0; i < book.contracts; i++) {
    const { years, rate, dividend } = book.expiries[book.expiry[i]!]!;
    const isCall = book.isCall[i] === 1;
    const { spot, multiplier } = book;
    const option = { isCall, spot, strike: book.strike[i]!, years, volatility: book.volatility[i]!, rate, dividend };
    const { gamma, delta } = bsmGreeks(option);
    const rank = (edges: readonly number[], x: number) => edges.filter((edge) => x >= edge).length;
    const key = `${isCall} ${rank([0.1, 0.25, 0.5], Math.abs(delta))} ${rank([1, 7, 45], years * 365)}`;
    const dollars = book.openInterest[i]! * gamma * multiplier * spot * spot * 0.01;
    gross.set(key, (gross.get(key) ?? 0) + dollars);
  }
  const expected = starterPrior.sd * Math.hypot(...gross.values());
  expect(sd! / expected).toBeCloseTo(1, 9);
  expect(p_positive! > 0.5).toBe(value > 0);
});

test('a day’s flow moves generation 2 by the interest that changed, never beyond the open interest', () => {
  fc.assert(
    fc.property(books, fc.double({ min: -1, max: 1, noNaN: true }), fc.integer(), (random, netShare, seed) => {
      const stream = randomStream(String(seed));
      const each = exposureCoefficients(random);
      const delta = each.dex.map((value) => value / (random.multiplier * random.spot));
      const flow = {
        previousOpenInterest: random.openInterest.map((interest) => Math.round(interest * 2 * stream.uniform())),
        netShare: new Float64Array(random.contracts).fill(netShare),
        netShareSd: new Float64Array(random.contracts).fill(0.2),
      };
      const { mean, variance } = priorPositions(random, { kind: 'index', delta, flow });
      for (let i = 0; i < random.contracts; i++) {
        const before = priorPositions({ ...random, openInterest: flow.previousOpenInterest }, { kind: 'index', delta });
        const change = Math.abs(random.openInterest[i]! - flow.previousOpenInterest[i]!);
        const free = before.mean[i]! + change * netShare;
        expect(Math.abs(mean[i]!)).toBeLessThanOrEqual(random.openInterest[i]!);
        if (Math.abs(free) <= random.openInterest[i]!) expect(mean[i]).toBeCloseTo(free, 6);
        expect(variance[i]).toBeCloseTo((0.2 * change) ** 2, 4);
      }
    }),
    { numRuns: 50 },
  );
});

test('dealers who buy while interest falls gain inventory', () => {
  const delta = deltas;
  const flow = {
    previousOpenInterest: book.openInterest.map((interest) => interest + 100),
    netShare: new Float64Array(book.contracts).fill(0.5),
    netShareSd: new Float64Array(book.contracts),
  };
  const idle = priorPositions(book, { kind: 'index', delta, flow: { ...flow, netShare: flow.netShareSd } });
  const moved = priorPositions(book, { kind: 'index', delta, flow });
  expect(moved.mean[41]! - idle.mean[41]!).toBeCloseTo(50, 9);
});

test('an estimate without error has probability 1, ½ or 0', () => {
  const one = (mean: number) => ({
    generation: 3 as const,
    mean: Float64Array.of(mean),
    bucket: Uint16Array.of(7),
    loading: Float64Array.of(0),
    variance: Float64Array.of(0),
    coverage: 1,
    censoredShare: 0,
  });
  const found = [2, 0, -2].map((mean) => estimate(one(mean), Float64Array.of(3)).p_positive);
  expect(found).toEqual([1, 0.5, 0]);
});

test('the moments of a clipped normal are those of its draws, inside the bound', () => {
  const stream = randomStream('clip');
  const draws = Array.from({ length: 40_000 }, () => stream.normal());
  for (const [mean, sd, bound] of [
    [80, 118, 100],
    [0, 30, 100],
    [99, 5, 100],
    [-300, 20, 100],
    [-90, 400, 100],
  ] as const) {
    const found = clipNormal(mean, sd * sd, bound);
    const clipped = draws.map((z) => Math.min(Math.max(mean + sd * z, -bound), bound));
    const average = clipped.reduce((sum, x) => sum + x, 0) / clipped.length;
    const spread = clipped.reduce((sum, x) => sum + (x - average) ** 2, 0) / clipped.length;
    expect(Math.abs(found.mean - average)).toBeLessThan(2);
    expect(Math.abs(Math.sqrt(found.variance) - Math.sqrt(spread))).toBeLessThan(1);
    expect(Math.abs(found.mean)).toBeLessThanOrEqual(bound);
  }
  expect(clipNormal(120, 0, 100)).toEqual({ mean: 100, variance: 0 });
  expect(clipNormal(5, 0, 0)).toEqual({ mean: 0, variance: 0 });
});
