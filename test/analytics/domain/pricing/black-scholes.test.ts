import fc from 'fast-check';
import { expect, test } from 'vitest';
import { black76Price, bsmGreeks, bsmPrice, type EuropeanOption } from '#src/analytics/domain/pricing/black-scholes.ts';
import { missBy, oracleCases } from '#test/analytics/oracle.ts';

interface Inputs {
  readonly type: string;
  readonly spot: number;
  readonly strike: number;
  readonly T: number;
  readonly sigma: number;
  readonly r: number;
  readonly q: number;
}

function option({ type, spot, strike, T, sigma, r, q }: Inputs): EuropeanOption {
  return { isCall: type === 'call', spot, strike, years: T, volatility: sigma, rate: r, dividend: q };
}

test.each(oracleCases('bsm_price'))('%s: the price is the published one', (_, item) => {
  expect(missBy(bsmPrice(option(item.inputs)), item.expected, item)).toBeLessThanOrEqual(1);
});

test.each(oracleCases('bsm_greek'))('%s: the Greek is the published one', (_, item) => {
  const name = item.function.split('.')[1] ?? '';
  const greeks: Record<string, number> = { ...bsmGreeks(option(item.inputs)) };
  expect(missBy(greeks[name] ?? Number.NaN, item.expected, item)).toBeLessThanOrEqual(1);
});

test.each(oracleCases('bsm_greek_hp'))('%s: price and every Greek agree with 50 digits', (_, item) => {
  const greeks: Record<string, number> = { ...bsmGreeks(option(item.inputs)) };
  for (const [name, expected] of Object.entries<number>(item.expected)) {
    expect(missBy(greeks[name] ?? Number.NaN, expected, item), name).toBeLessThanOrEqual(1);
  }
});

test.each(oracleCases('black76'))('%s: the Black price is that of QuantLib', (_, { inputs, ...item }) => {
  const { type, forward, strike, stdDev, discount } = inputs;
  const price = black76Price({ isCall: type === 'call', forward, strike, deviation: stdDev, discount });
  expect(missBy(price, item.expected, { inputs, ...item })).toBeLessThanOrEqual(1);
});

const options = fc
  .record({
    spot: fc.double({ min: 50, max: 200, noNaN: true }),
    moneyness: fc.double({ min: -0.4, max: 0.4, noNaN: true }),
    years: fc.double({ min: 0.02, max: 2, noNaN: true }),
    volatility: fc.double({ min: 0.08, max: 0.8, noNaN: true }),
    rate: fc.double({ min: -0.02, max: 0.08, noNaN: true }),
    dividend: fc.double({ min: 0, max: 0.05, noNaN: true }),
  })
  .map(({ moneyness, ...rest }) => ({ ...rest, strike: rest.spot * Math.exp(moneyness) }));

test('call minus put is the discounted forward minus the discounted strike', () => {
  fc.assert(
    fc.property(options, (one) => {
      const gap = bsmPrice({ ...one, isCall: true }) - bsmPrice({ ...one, isCall: false });
      const parity = one.spot * Math.exp(-one.dividend * one.years) - one.strike * Math.exp(-one.rate * one.years);
      expect(Math.abs(gap - parity)).toBeLessThan(1e-12 * (one.spot + one.strike));
    }),
  );
});

test('every Greek is the slope of the price, or of another Greek, by central differences', () => {
  fc.assert(
    fc.property(options, fc.boolean(), (one, isCall) => {
      const at = (change: Partial<EuropeanOption>) => bsmGreeks({ ...one, isCall, ...change });
      const h = { spot: 1e-4 * one.spot, volatility: 1e-5, years: 1e-6 * one.years, rate: 1e-6, dividend: 1e-6 };
      const slope = (of: 'price' | 'delta' | 'gamma' | 'vega' | 'volga', by: keyof typeof h) =>
        (at({ [by]: one[by] + h[by] })[of] - at({ [by]: one[by] - h[by] })[of]) / (2 * h[by]);
      const greeks = at({});
      const close = (value: number, expected: number, scale: number) =>
        expect(Math.abs(value - expected)).toBeLessThan(2e-5 * Math.abs(expected) + 2e-6 * scale);
      close(slope('price', 'spot'), greeks.delta, 1);
      close(slope('delta', 'spot'), greeks.gamma, 1 / one.spot);
      close(slope('gamma', 'spot'), greeks.speed, 1 / one.spot ** 2 / one.volatility ** 2 / one.years);
      close(slope('price', 'volatility'), greeks.vega, one.spot);
      close(slope('delta', 'volatility'), greeks.vanna, 1);
      close(slope('vega', 'volatility'), greeks.volga, one.spot);
      close(slope('gamma', 'volatility'), greeks.zomma, 1 / one.spot / one.volatility ** 2);
      close(-slope('price', 'years'), greeks.theta, one.spot / one.years);
      close(-slope('delta', 'years'), greeks.charm, 1 / one.years);
      close(-slope('gamma', 'years'), greeks.color, 1 / one.spot / one.volatility / one.years ** 1.5);
      close(slope('volga', 'volatility'), greeks.ultima, one.spot / one.volatility ** 2);
      close(slope('price', 'rate'), greeks.rho, one.spot);
      close(slope('price', 'dividend'), greeks.dividendRho, one.spot);
    }),
  );
});
