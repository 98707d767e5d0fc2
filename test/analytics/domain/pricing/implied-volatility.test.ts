import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { black76Price } from '#src/analytics/domain/pricing/black-scholes.ts';
import { impliedVolatility, normalisedVolatility } from '#src/analytics/domain/pricing/implied-volatility.ts';
import { missBy, oracleCases } from '#test/analytics/oracle.ts';

const vectors: { rows: [number, number, string, number][] } = JSON.parse(
  readFileSync(new URL('../../../vectors/analytics/implied-volatility.json', import.meta.url), 'utf8'),
);

test.each(oracleCases('implied_vol'))('%s: the volatility is that of 50 digits', (_, item) => {
  const { type, forward, strike, T, price } = item.inputs;
  const sigma = impliedVolatility({ price, forward, strike, years: T, isCall: type === 'call' });
  expect(missBy(Number(sigma), item.expected, item)).toBeLessThanOrEqual(1);
});

const reasons = ['at_or_below_intrinsic', 'at_or_above_bound', 'at_or_below_intrinsic', 'expired'];

test.each(oracleCases('implied_vol_reject').map(([id, item], i) => [id, reasons[i], item] as const))(
  '%s: the price is refused as %s',
  (_, reason, { inputs }) => {
    const { type, forward, strike, T, price } = inputs;
    expect(impliedVolatility({ price, forward, strike, years: T, isCall: type === 'call' })).toBe(reason);
  },
);

test('prices from 1e-299 to the bound give the deviation to six times the attainable accuracy', () => {
  for (const [x, price, expected, attainable] of vectors.rows) {
    const miss = Math.abs(normalisedVolatility(price, x) / Number(expected) - 1);
    expect(miss / Math.max(attainable, Number.EPSILON), `x = ${x}, s = ${expected}`).toBeLessThan(6);
  }
});

test('a price without a volatility is refused with its reason, never answered with a number', () => {
  const base = { price: 5, forward: 100, strike: 100, years: 1, isCall: true };
  const reason = (change: Partial<typeof base>) => impliedVolatility({ ...base, ...change });
  expect(reason({ price: Number.NaN })).toBe('not_finite');
  expect(reason({ price: Infinity })).toBe('not_finite');
  expect(reason({ forward: -1 })).toBe('not_finite');
  expect(reason({ strike: 0 })).toBe('not_finite');
  expect(reason({ years: Number.NaN })).toBe('not_finite');
  expect(reason({ years: -1 })).toBe('expired');
  expect(reason({ price: 0 })).toBe('at_or_below_intrinsic');
  expect(reason({ price: 10, strike: 90 })).toBe('at_or_below_intrinsic');
  expect(reason({ price: 100 })).toBe('at_or_above_bound');
  expect(reason({ price: 120, strike: 120, isCall: false })).toBe('at_or_above_bound');
});

test('the volatility of a Black price is the one it was made with', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -0.6, max: 0.6, noNaN: true }),
      fc.double({ min: 0.03, max: 2, noNaN: true }),
      fc.double({ min: 0.003, max: 3, noNaN: true }),
      (moneyness, volatility, years) => {
        const strike = 100 * Math.exp(moneyness);
        const isCall = strike >= 100;
        const deviation = volatility * Math.sqrt(years);
        fc.pre(Math.abs(moneyness) < 7 * deviation);
        const price = black76Price({ isCall, forward: 100, strike, deviation, discount: 1 });
        const found = impliedVolatility({ price, forward: 100, strike, years, isCall });
        const d1 = -moneyness / deviation + 0.5 * deviation;
        const vega = 100 * Math.exp(-0.5 * d1 * d1) * 0.3989;
        // The price itself carries rounding of both its terms, each up to the forward.
        const room =
          8e-15 + (1e-15 * 100 * Math.exp(-0.5 * d1 * d1)) / (vega * deviation) + (2e-16 * price) / (vega * deviation);
        expect(Math.abs(Number(found) / volatility - 1)).toBeLessThan(20 * room + 1e-13);
      },
    ),
  );
});
