import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { cashAtHit, exitProbability, hitProbability } from '#src/analytics/domain/pricing/hit-probability.ts';
import { metricCases } from '#test/analytics/metric-oracle.ts';
import { missBy } from '#test/analytics/oracle.ts';

test.each(metricCases('barrier_hit'))('%s: the probability of hitting a barrier', (_, item) => {
  const { spot, barrier, log_drift: drift, sigma: volatility, T: years } = item.inputs;
  expect(missBy(hitProbability({ spot, barrier, drift, volatility, years }), item.expected, item)).toBeLessThanOrEqual(
    1,
  );
});

test.each(metricCases('cash_at_hit'))('%s: the published value of cash at the hit', (_, item) => {
  const { spot, barrier, r, q, sigma: volatility, T: years, cash } = item.inputs;
  const value = cashAtHit({ spot, barrier, rate: r, dividend: q, volatility, years, cash });
  expect(missBy(value, item.expected, item)).toBeLessThanOrEqual(1);
});

const spot = 100;
const level = fc.double({ min: 80, max: 125, noNaN: true });
const volatility = fc.double({ min: 0.01, max: 2, noNaN: true });
const years = fc.double({ min: 1e-6, max: 3, noNaN: true });
const drift = fc.double({ min: -2, max: 2, noNaN: true });

test('without rates cash at the hit is the probability under its drift times the cash', () => {
  fc.assert(
    fc.property(level, volatility, years, (barrier, sigma, time) => {
      const toward = (barrier > spot ? -0.5 : 0.5) * sigma * sigma;
      const p = hitProbability({ spot, barrier, volatility: sigma, years: time, drift: toward });
      const value = cashAtHit({ spot, barrier, volatility: sigma, years: time, rate: 0, dividend: 0, cash: 7 });
      expect(Math.abs(value - 7 * p)).toBeLessThan(1e-11);
    }),
  );
});

test('a probability lies within 0 and 1, grows with time and drift, and falls with distance', () => {
  fc.assert(
    fc.property(level, volatility, years, drift, (barrier, sigma, time, mu) => {
      const at = (more: object) =>
        hitProbability({ spot, barrier, volatility: sigma, years: time, drift: mu, ...more });
      const here = at({});
      expect(here >= 0 && here <= 1).toBe(true);
      expect(at({ years: 2 * time })).toBeGreaterThanOrEqual(here - 1e-13);
      expect(at({ drift: mu + 0.1 })).toBeGreaterThanOrEqual(here - 1e-13);
      expect(at({ barrier: spot * (barrier / spot) ** 1.5 })).toBeLessThanOrEqual(here + 1e-13);
    }),
  );
});

test('leaving a band is at least as likely as either end, at most as both, and the series meet', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 80, max: 99.9, noNaN: true }),
      fc.double({ min: 100.1, max: 125, noNaN: true }),
      volatility,
      years,
      (a, b, s, t) => {
        const p = exitProbability({ spot, lower: a, upper: b, volatility: s, years: t });
        const ends = [a, b].map((barrier) => hitProbability({ spot, barrier, volatility: s, years: t }));
        expect(p).toBeGreaterThanOrEqual(Math.max(...ends) - 1e-10);
        expect(p).toBeLessThanOrEqual(Math.min(ends[0]! + ends[1]!, 1) + 1e-10);
      },
    ),
  );
  // The two series hand over where the deviation is 0.4 of the width: 0.4·ln(1.2) here.
  const at = (sigma: number) => exitProbability({ spot: 100, lower: 95, upper: 114, volatility: sigma, years: 1 });
  const seam = 0.4 * Math.log(1.2);
  expect(Math.abs(at(seam * (1 + 1e-12)) - at(seam * (1 - 1e-12)))).toBeLessThan(1e-10);
});

test('a symmetric exit of small probability is four tails', () => {
  const p = exitProbability({ spot: 100, lower: 100 / 1.02, upper: 102, volatility: 0.1, years: 1 / 252 });
  expect(p).toBeCloseTo(4 * normalCdf(-Math.log(1.02) / (0.1 / Math.sqrt(252))), 12);
});

test('nothing random is certain: on the barrier, beyond it, or never', () => {
  expect(hitProbability({ spot, barrier: spot, volatility: 0, years: 0 })).toBe(1);
  expect(hitProbability({ spot, barrier: 101, volatility: 0.2, years: 0 })).toBe(0);
  expect(hitProbability({ spot, barrier: 101, volatility: 0, years: 1, drift: 1 })).toBe(1);
  expect(exitProbability({ spot, lower: 101, upper: 102, volatility: 0.2, years: 1 })).toBe(1);
  expect(exitProbability({ spot, lower: 99, upper: 102, volatility: 0.2, years: 0 })).toBe(0);
  expect(cashAtHit({ spot, barrier: spot, volatility: 0.2, years: 1, rate: 0.1, dividend: 0, cash: 3 })).toBe(3);
});
