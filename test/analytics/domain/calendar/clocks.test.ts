import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  businessClock,
  businessYears,
  calendarYears,
  defaultClockWeights,
} from '#src/analytics/domain/calendar/clocks.ts';
import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { bsmGreeks, bsmPrice } from '#src/analytics/domain/pricing/black-scholes.ts';
import { impliedVolatility } from '#src/analytics/domain/pricing/implied-volatility.ts';

const MINUTE = 60_000;
const { overnight, weekend, holiday } = defaultClockWeights;
const YEAR = 252 * 390 + overnight * 252 * 1050 + weekend * 104 * 1440 + holiday * 9 * 1440;
const instant = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-12-31') });
const span = fc.integer({ min: 1, max: 3 * 365 * 86_400_000 });

test('an hour of session, a night, a weekend and a holiday weigh what they should', () => {
  const { open, close } = sessionOn('2026-11-18');
  expect(businessYears(open, open + 60 * MINUTE) * YEAR).toBeCloseTo(60, 9);
  expect(businessYears(close, sessionOn('2026-11-19').open) * YEAR).toBeCloseTo(1050 * overnight, 9);
  const friday = sessionOn('2026-11-20').close;
  expect(businessYears(friday, sessionOn('2026-11-23').open) * YEAR).toBeCloseTo(1050 * overnight + 2880 * weekend, 9);
  const thanksgiving = businessYears(sessionOn('2026-11-25').close, sessionOn('2026-11-27').open);
  expect(thanksgiving * YEAR).toBeCloseTo(1050 * overnight + 1440 * holiday, 9);
  const half = sessionOn('2026-11-27');
  expect(businessYears(half.open, half.close) * YEAR).toBeCloseTo(210, 9);
});

test('a year of the business clock is a year, within two percent', () => {
  for (let year = 2000; year < 2100; year++) {
    const years = businessYears(Date.parse(`${year}-01-01T05:00Z`), Date.parse(`${year + 1}-01-01T05:00Z`));
    expect(Math.abs(years - 1), String(year)).toBeLessThan(0.02);
  }
});

test('the night when clocks go forward has an hour less of weekend, the other an hour more', () => {
  const over = (friday: string, monday: string): number =>
    businessYears(sessionOn(friday).close, sessionOn(monday).open) * YEAR;
  const plain = over('2026-02-27', '2026-03-02');
  expect(over('2026-03-06', '2026-03-09') - plain).toBeCloseTo(-60 * weekend, 9);
  expect(over('2026-10-30', '2026-11-02') - plain).toBeCloseTo(60 * weekend, 9);
});

test('an event counts once, in the span that ends at or after it', () => {
  const at = sessionOn('2026-12-09').open + 270 * MINUTE;
  const clock = businessClock({ ...defaultClockWeights, events: [{ at, minutes: 120 }] });
  const gain = (from: number, to: number): number => (clock(from, to) - businessYears(from, to)) * YEAR;
  expect(gain(at - MINUTE, at)).toBeCloseTo(120, 9);
  expect(gain(at, at + MINUTE)).toBeCloseTo(0, 9);
  expect(gain(at + MINUTE, at - MINUTE)).toBeCloseTo(-120, 9);
});

test('error: a weight of zero would let the clock stand', () => {
  expect(() => businessClock({ ...defaultClockWeights, weekend: 0 })).toThrow('expected clock weights above zero');
  const event = { at: 0, minutes: -1 };
  expect(() => businessClock({ ...defaultClockWeights, events: [event] })).toThrow('expected events of zero minutes');
});

test.for([
  ['calendar', calendarYears],
  ['business', businessYears],
] as const)('property: the %s clock rises, and spans add up', ([, clock]) => {
  fc.assert(
    fc.property(instant, span, span, (from, first, second) => {
      const middle = from + first;
      const to = middle + second;
      expect(clock(from, middle)).toBeGreaterThan(0);
      expect(clock(from, middle) + clock(middle, to)).toBeCloseTo(clock(from, to), 10);
      expect(clock(to, from)).toBe(-clock(from, to));
    }),
  );
});

test('property: delta, gamma and vanna·σ do not depend on the clock that the volatility was implied in', () => {
  const cases = fc.record({
    from: instant,
    length: fc.integer({ min: 30 * MINUTE, max: 700 * 86_400_000 }),
    volatility: fc.double({ min: 0.08, max: 0.6, noNaN: true }),
    distance: fc.double({ min: -2, max: 2, noNaN: true }),
    isCall: fc.boolean(),
  });
  fc.assert(
    fc.property(cases, ({ from, length, volatility, distance, isCall }) => {
      const forward = 6000;
      const discount = 0.98;
      const [calendar, business] = [calendarYears, businessYears].map((clock) => clock(from, from + length));
      const strike = forward * Math.exp(distance * volatility * Math.sqrt(calendar!));
      const rateOf = (years: number): number => -Math.log(discount) / years;
      const option = { isCall, spot: forward * discount, strike, years: calendar!, volatility };
      const price = bsmPrice({ ...option, rate: rateOf(calendar!), dividend: 0 }) / discount;
      const greeks = [calendar!, business!].map((years) => {
        const implied = Number(impliedVolatility({ price, forward, strike, years, isCall }));
        const { delta, gamma, vanna } = bsmGreeks({
          ...option,
          years,
          volatility: implied,
          rate: rateOf(years),
          dividend: 0,
        });
        return { delta, gamma, vannaSigma: vanna * implied };
      });
      for (const field of ['delta', 'gamma', 'vannaSigma'] as const) {
        const [a, b] = greeks.map((one) => one[field]);
        expect(Math.abs(a! - b!), field).toBeLessThan(1e-7 * Math.abs(a!) + 1e-13);
      }
    }),
  );
});
