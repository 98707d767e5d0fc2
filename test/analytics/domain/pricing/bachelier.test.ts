import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BachelierOption, bachelierGreeks, bachelierPrice } from '#src/analytics/domain/pricing/bachelier.ts';
import { bachelierVolatility, lognormalToNormal } from '#src/analytics/domain/pricing/bachelier-volatility.ts';
import { black76Price, bsmGreeks } from '#src/analytics/domain/pricing/black-scholes.ts';
import { missBy, oracleCases } from '#test/analytics/oracle.ts';

const prices = oracleCases('bachelier').filter(([, { inputs }]) => !('spot' in inputs));
const greekCases = oracleCases('bachelier').filter(([, { inputs }]) => 'spot' in inputs);

test.each(prices)('%s: the price is that of QuantLib', (_, item) => {
  const { type, forward, strike, stdDev, discount } = item.inputs;
  const price = bachelierPrice({ isCall: type === 'call', forward, strike, deviation: stdDev, discount });
  expect(missBy(price, item.expected, item)).toBeLessThanOrEqual(1);
});

test.each(greekCases)('%s: delta, gamma and vega are those of QuantLib', (_, item) => {
  const { type, forward, strike, stdDev, discount, spot, T } = item.inputs;
  const rate = -Math.log(discount) / T;
  const dividend = rate - Math.log(forward / spot) / T;
  const normalVolatility = stdDev / Math.sqrt(T);
  const greeks = bachelierGreeks({ isCall: type === 'call', spot, strike, years: T, normalVolatility, rate, dividend });
  for (const name of ['delta', 'gamma', 'vega'] as const) {
    expect(missBy(greeks[name], item.expected[name], item), name).toBeLessThanOrEqual(1);
  }
});

test.each(oracleCases('bachelier_iv'))('%s: the volatility is that of the price', (_, item) => {
  const { type, forward, strike, T, price, discount } = item.inputs;
  const found = bachelierVolatility({ price: price / discount, forward, strike, years: T, isCall: type === 'call' });
  expect(missBy(Number(found), item.expected, item)).toBeLessThanOrEqual(1);
});

const options = fc
  .record({
    spot: fc.double({ min: 50, max: 200, noNaN: true }),
    distance: fc.double({ min: -3, max: 3, noNaN: true }),
    years: fc.double({ min: 0.002, max: 2, noNaN: true }),
    normalVolatility: fc.double({ min: 5, max: 60, noNaN: true }),
    rate: fc.double({ min: -0.02, max: 0.08, noNaN: true }),
    dividend: fc.double({ min: 0, max: 0.05, noNaN: true }),
    isCall: fc.boolean(),
  })
  .map(({ distance, ...rest }) => ({
    ...rest,
    strike: rest.spot + distance * rest.normalVolatility * Math.sqrt(rest.years),
  }));

test('every Greek is the slope of the price, or of another Greek, by central differences', () => {
  fc.assert(
    fc.property(options, (one) => {
      const at = (change: Partial<BachelierOption>) => bachelierGreeks({ ...one, ...change });
      const sd = one.normalVolatility * Math.sqrt(one.years);
      const h = {
        spot: 1e-4 * sd,
        normalVolatility: 1e-5 * one.normalVolatility,
        years: 1e-6 * one.years,
        rate: 1e-6,
        dividend: 1e-6,
      };
      const slope = (of: 'price' | 'delta' | 'gamma' | 'vega' | 'volga', by: keyof typeof h) =>
        (at({ [by]: one[by] + h[by] })[of] - at({ [by]: one[by] - h[by] })[of]) / (2 * h[by]);
      const greeks = at({});
      const close = (value: number, expected: number, scale: number) =>
        expect(Math.abs(value - expected)).toBeLessThan(2e-5 * Math.abs(expected) + 4e-6 * scale);
      const { normalVolatility: sigma, years } = one;
      const root = Math.sqrt(years);
      close(slope('price', 'spot'), greeks.delta, 1);
      close(slope('delta', 'spot'), greeks.gamma, 1 / sd);
      close(slope('gamma', 'spot'), greeks.speed, 1 / sd ** 2);
      close(slope('price', 'normalVolatility'), greeks.vega, root);
      close(slope('delta', 'normalVolatility'), greeks.vanna, 1 / sigma);
      close(slope('vega', 'normalVolatility'), greeks.volga, root / sigma);
      close(slope('gamma', 'normalVolatility'), greeks.zomma, 1 / sd / sigma);
      close(slope('volga', 'normalVolatility'), greeks.ultima, root / sigma ** 2);
      close(-slope('price', 'years'), greeks.theta, sd / years + one.spot);
      close(-slope('delta', 'years'), greeks.charm, 1 / years);
      close(-slope('gamma', 'years'), greeks.color, 1 / sd / years);
      close(slope('price', 'rate'), greeks.rho, one.spot);
      close(slope('price', 'dividend'), greeks.dividendRho, one.spot);
    }),
  );
});

test('call minus put is the discounted forward minus the discounted strike', () => {
  fc.assert(
    fc.property(options, (one) => {
      const gap = bachelierGreeks({ ...one, isCall: true }).price - bachelierGreeks({ ...one, isCall: false }).price;
      const parity = one.spot * Math.exp(-one.dividend * one.years) - one.strike * Math.exp(-one.rate * one.years);
      expect(Math.abs(gap - parity)).toBeLessThan(1e-12 * (one.spot + Math.abs(one.strike)));
    }),
  );
});

test('the volatility of a price gives the price back to its last digits, 35 deviations out and next to the money', () => {
  const distance = fc.oneof(
    fc.double({ min: -35, max: 35, noNaN: true }),
    fc.double({ min: -1e-9, max: 1e-9, noNaN: true }),
    fc.constant(0),
  );
  fc.assert(
    fc.property(distance, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (d, deviation) => {
      // From strike 0 the distance is exact, so that the price is known to its last digits.
      const strike = d * deviation;
      const price = bachelierPrice({ isCall: strike > 0, forward: 0, strike, deviation, discount: 1 });
      const found = bachelierVolatility({ price, forward: 0, strike, years: 1, isCall: strike > 0 });
      // Near d = 0 a price says no less of its volatility than its own rounding.
      expect(Math.abs(Number(found) / deviation - 1)).toBeLessThan(2e-14);
    }),
    { numRuns: 2000 },
  );
});

test('error: a price at or under intrinsic value, no time left and what is not finite have a reason, not a number', () => {
  const base = { price: 1, forward: 100, strike: 90, years: 1, isCall: true };
  expect(bachelierVolatility({ ...base, price: 10 })).toBe('at_or_below_intrinsic');
  expect(bachelierVolatility({ ...base, price: -1, isCall: false })).toBe('at_or_below_intrinsic');
  expect(bachelierVolatility({ ...base, price: 11, years: 0 })).toBe('expired');
  expect(bachelierVolatility({ ...base, price: Infinity })).toBe('not_finite');
  expect(bachelierVolatility({ ...base, price: 11, years: Number.NaN })).toBe('not_finite');
});

test('a converted volatility gives the Black price where the deviation is small', () => {
  const near = { d: fc.double({ min: -4, max: 4, noNaN: true }), s: fc.double({ min: 1e-4, max: 0.1, noNaN: true }) };
  fc.assert(
    fc.property(near.d, near.s, (d, s) => {
      const quote = { forward: 6000, strike: 6000 * Math.exp(-d * s), years: 1, volatility: s };
      const isCall = d < 0;
      const black = black76Price({ isCall, ...quote, deviation: s, discount: 1 });
      const exact = bachelierVolatility({ price: black, ...quote, isCall });
      expect(Math.abs(lognormalToNormal(quote) / Number(exact) - 1)).toBeLessThan(
        0.01 * s ** 4 + 1e-12 / Math.max(s, 1e-3),
      );
    }),
  );
});

test('at a small deviation delta and gamma are those of Black to first order in it', () => {
  const at = { spot: 6000, rate: 0.04, dividend: 0.01, years: 1 / 365 };
  for (const strike of [5950, 6000, 6050]) {
    const forward = 6000 * Math.exp(0.03 / 365);
    const normalVolatility = lognormalToNormal({ forward, strike, years: at.years, volatility: 0.15 });
    const normal = bachelierGreeks({ ...at, strike, normalVolatility, isCall: true });
    const black = bsmGreeks({ ...at, strike, volatility: 0.15, isCall: true });
    expect(Math.abs(normal.delta - black.delta)).toBeLessThan(0.005);
    expect(Math.abs(normal.gamma / black.gamma - 1)).toBeLessThan(0.02);
  }
});
