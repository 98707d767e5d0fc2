import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bivariateNormal } from '#src/analytics/domain/numerics/bivariate-normal.ts';
import { gaussLegendre } from '#src/analytics/domain/numerics/gauss-legendre.ts';
import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { bjerksundStensland } from '#src/analytics/domain/pricing/american-approximation.ts';
import { bsmPrice, type EuropeanOption } from '#src/analytics/domain/pricing/black-scholes.ts';
import { americanPrice } from '#test/analytics/american.ts';
import { missBy, type OracleCase, oracleCases } from '#test/analytics/oracle.ts';

function optionOf({ type, spot, strike, T, sigma, r, q }: OracleCase['inputs']): EuropeanOption {
  return { isCall: type === 'call', spot, strike, years: T, volatility: sigma, rate: r, dividend: q };
}

test.each(oracleCases('american_hp'))('%s: the price is that of QuantLib in high precision', (_, item) => {
  for (const setting of ['fast', 'accurate'] as const) {
    expect(missBy(Number(americanPrice(optionOf(item.inputs), setting)), item.expected, item)).toBeLessThanOrEqual(1);
  }
  expect(Number(americanPrice(optionOf(item.inputs), 'accurate'))).toBeCloseTo(item.expected, 8);
});

test.each(oracleCases('american_exact'))('%s: the early-exercise premium is the published one', (_, item) => {
  const option = optionOf(item.inputs);
  for (const setting of ['fast', 'accurate'] as const) {
    const premium = Number(americanPrice(option, setting)) - bsmPrice(option);
    expect(missBy(premium, item.expected, item)).toBeLessThanOrEqual(1);
  }
  // The source prints nine digits.
  expect(Number(americanPrice(option, 'accurate')) - bsmPrice(option)).toBeCloseTo(0.106952703, 8);
});

// These are published for other approximations: how far each is known to be from the true price bounds ours.
test.each([
  ...oracleCases('american_baw').map(([id, item]) => [id, item, 0.04] as const),
  ...oracleCases('american_ju').map(([id, item]) => [id, item, 0.075] as const),
  ...oracleCases('american_bs').map(([id, item]) => [id, item, 0.04] as const),
])('%s: the true price is near the published approximation', (_, item, distance) => {
  const price = Number(americanPrice(optionOf(item.inputs), 'accurate'));
  expect(Math.abs(price - item.expected)).toBeLessThan(distance);
});

test.each(oracleCases('american_bs'))('%s: two flat steps are worth more than the published one', (_, item) => {
  const two = bjerksundStensland(optionOf(item.inputs));
  expect(two).toBeGreaterThan(item.expected);
  expect(two).toBeLessThan(Number(americanPrice(optionOf(item.inputs))));
});

const markets = {
  spot: fc.constant(100),
  strike: fc.double({ min: 60, max: 160, noNaN: true }),
  years: fc.double({ min: 0.003, max: 2.5, noNaN: true }),
  volatility: fc.double({ min: 0.05, max: 0.8, noNaN: true }),
};
const options = fc.record({
  ...markets,
  isCall: fc.boolean(),
  rate: fc.double({ min: 0.001, max: 0.09, noNaN: true }),
  dividend: fc.double({ min: 0.001, max: 0.09, noNaN: true }),
});

test('the fast setting is within 1e-6 of the strike of the accurate one, also next to the boundary', () => {
  fc.assert(
    fc.property(options, (one) => {
      const gap = Number(americanPrice(one)) - Number(americanPrice(one, 'accurate'));
      expect(Math.abs(gap)).toBeLessThan(1e-6 * Math.max(one.spot, one.strike));
    }),
    { numRuns: 400 },
  );
});

test('an American option is worth at least the European, its intrinsic value and the two-step boundary', () => {
  fc.assert(
    fc.property(options, (one) => {
      const price = Number(americanPrice(one));
      const intrinsic = Math.max((one.isCall ? 1 : -1) * (one.spot - one.strike), 0);
      expect(price).toBeGreaterThanOrEqual(bsmPrice(one));
      expect(price).toBeGreaterThanOrEqual(intrinsic);
      const bound = bjerksundStensland(one);
      if (!Number.isNaN(bound)) expect(price).toBeGreaterThanOrEqual(bound - 4e-4);
      expect(price).toBeLessThan(one.isCall ? one.spot : one.strike);
    }),
    { numRuns: 400 },
  );
});

test('a call is the put of the mirrored market', () => {
  fc.assert(
    fc.property(options, (one) => {
      const { isCall, spot, strike, rate, dividend } = one;
      const mirrored = { ...one, isCall: !isCall, spot: strike, strike: spot, rate: dividend, dividend: rate };
      expect(Number(americanPrice(mirrored))).toBeCloseTo(Number(americanPrice(one)), 9);
      expect(bjerksundStensland(mirrored)).toBeCloseTo(bjerksundStensland(one), 6);
    }),
    { numRuns: 100 },
  );
});

test('the price agrees with a binomial tree, for rates and yields of any sign that have one boundary', () => {
  const one = { spot: 100, strike: 100, years: 1, volatility: 0.2 };
  const carries = [
    [0.05, 0],
    [0.05, 0.09],
    [0.03, -0.04],
    [-0.01, 0.02],
    [0.09, 0.001],
  ] as const;
  for (const [rate, dividend] of carries) {
    for (const isCall of [true, false]) {
      for (const strike of [90, 100, 115]) {
        const option = { ...one, strike, isCall, rate, dividend };
        expect(Math.abs(Number(americanPrice(option, 'accurate')) - tree(option, 600))).toBeLessThan(0.012);
      }
    }
  }
});

/** Cox, Ross and Rubinstein's tree, mean of two neighbouring sizes. */
function tree(option: EuropeanOption, steps: number): number {
  return 0.5 * (treeOf(option, steps) + treeOf(option, steps + 1));
}

function treeOf({ isCall, spot, strike, years, volatility, rate, dividend }: EuropeanOption, steps: number): number {
  const dt = years / steps;
  const up = Math.exp(volatility * Math.sqrt(dt));
  const p = (Math.exp((rate - dividend) * dt) - 1 / up) / (up - 1 / up);
  const discount = Math.exp(-rate * dt);
  const w = isCall ? 1 : -1;
  const payoff = (n: number, j: number): number => Math.max(w * (spot * up ** (2 * j - n) - strike), 0);
  const values = Array.from({ length: steps + 1 }, (_, j) => payoff(steps, j));
  for (let n = steps - 1; n >= 0; n--) {
    for (let j = 0; j <= n; j++) {
      values[j] = Math.max(discount * (p * values[j + 1]! + (1 - p) * values[j]!), payoff(n, j));
    }
  }
  return values[0]!;
}

test('without an incentive to exercise the price is the European one', () => {
  const base = { spot: 100, strike: 110, years: 1, volatility: 0.2 };
  for (const [isCall, rate, dividend] of [
    [true, 0.05, 0],
    [true, 0.05, -0.01],
    [false, 0, 0.02],
    [false, -0.01, 0.01],
  ] as const) {
    const option = { ...base, isCall, rate, dividend };
    expect(americanPrice(option)).toBe(bsmPrice(option));
    expect(bjerksundStensland(option)).toBe(bsmPrice(option));
  }
});

test('the price is a number within its bounds for any sane sizes of spot, strike, time, volatility and carry', () => {
  const size = (low: number, high: number) =>
    fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);
  const carry = fc.oneof(fc.constant(0), fc.double({ min: -1, max: 1, noNaN: true }), size(1e-9, 1e-3));
  const wild = fc.record({
    isCall: fc.boolean(),
    spot: size(1e-3, 1e6),
    strike: size(1e-3, 1e6),
    years: size(1e-6, 30),
    volatility: size(1e-4, 1e3),
    rate: carry,
    dividend: carry,
  });
  fc.assert(
    fc.property(wild, (one) => {
      const price = americanPrice(one);
      if (price === 'two_boundaries') return;
      expect(price).toBeGreaterThanOrEqual(Math.max((one.isCall ? 1 : -1) * (one.spot - one.strike), 0));
      // Below zero a rate or yield lets a European option be worth more than what it is on.
      const most = (one.isCall ? one.spot : one.strike) * Math.exp(30 * Math.max(-one.rate, -one.dividend, 0));
      expect(price).toBeLessThanOrEqual(most * 1.001);
    }),
    { numRuns: 1000 },
  );
});

test('error: two boundaries and senseless inputs have a reason, not a price', () => {
  const base = { spot: 100, strike: 100, years: 1, volatility: 0.2, rate: -0.01, dividend: -0.03, isCall: false };
  expect(americanPrice(base)).toBe('two_boundaries');
  expect(americanPrice({ ...base, isCall: true, rate: -0.03, dividend: -0.01 })).toBe('two_boundaries');
  expect(americanPrice({ ...base, rate: 0.01, volatility: 0 })).toBe('not_finite');
  expect(americanPrice({ ...base, rate: Number.NaN })).toBe('not_finite');
  expect(americanPrice({ ...base, spot: Infinity })).toBe('not_finite');
});

test('the quadrature is exact for polynomials up to twice its size', () => {
  const { points, weights } = gaussLegendre(9);
  for (let power = 0; power < 18; power++) {
    const sum = points.reduce((total, x, k) => total + weights[k]! * x ** power, 0);
    expect(sum).toBeCloseTo(power % 2 === 0 ? 2 / (power + 1) : 0, 14);
  }
});

test('the bivariate law has its known values: quadrants, one margin gone, and the mirror of the correlation', () => {
  for (const correlation of [-0.786, -0.3, 0.5, 0.786]) {
    const law = bivariateNormal(correlation);
    const mirrored = bivariateNormal(-correlation);
    expect(law(0, 0)).toBeCloseTo(0.25 + Math.asin(correlation) / (2 * Math.PI), 9);
    for (const h of [-3, -0.4, 0.7, 2]) {
      expect(law(h, 40)).toBeCloseTo(normalCdf(h), 12);
      for (const k of [-2, 0.3, 1.5]) expect(law(h, k) + mirrored(h, -k)).toBeCloseTo(normalCdf(h), 8);
    }
  }
});
