import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { type StickinessSample, skewStickiness } from '#src/analytics/domain/regime/skew-stickiness.ts';
import { SKEW_STICKINESS } from '#src/analytics/domain/regime/skew-stickiness-schema.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';

function samples(ratio: number, count: number, noise: number): StickinessSample[] {
  const random = randomStream(`stickiness ${ratio} ${count}`);
  return Array.from({ length: count }, () => {
    const logReturn = 0.01 * random.normal();
    const skew = -0.3 - 0.1 * random.uniform();
    return { logReturn, skew, volatilityChange: ratio * skew * logReturn + noise * random.normal() };
  });
}

test('without noise the estimate is the ratio the samples were made with', () => {
  for (const ratio of [0, 1, 1.5, 2]) expect(skewStickiness(samples(ratio, 60, 0)).ssr).toBeCloseTo(ratio, 9);
});

test('noise draws the estimate to the prior, more observations away from it', () => {
  const few = skewStickiness(samples(0.5, 20, 0.01));
  const many = skewStickiness(samples(0.5, 2000, 0.01));
  expect(few.weight).toBeLessThan(0.5);
  expect(many.weight).toBeGreaterThan(0.9);
  expect(Math.abs(many.ssr - 0.5)).toBeLessThan(0.25);
  expect(Math.abs(few.ssr - 1.5)).toBeLessThan(Math.abs((few.raw ?? 0) - 1.5));
});

test('too few observations and a market that did not move leave the prior', () => {
  expect(skewStickiness([])).toMatchObject({ status: 'too_few_observations', ssr: 1.5, raw: null });
  const still = Array.from({ length: 9 }, () => ({ logReturn: 0, skew: -0.3, volatilityChange: 0.01 }));
  expect(skewStickiness(still)).toMatchObject({ status: 'no_moves', ssr: 1.5, standard_error: null });
});

test('whatever the samples, the answer fits its schema in finite numbers', () => {
  const value = fc.oneof(fc.double({ min: -1, max: 1 }), fc.constantFrom(Number.NaN, Infinity));
  const sample = fc.record({ logReturn: value, skew: value, volatilityChange: value });
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 12 }), (given) => {
      expect([...Value.Errors(SKEW_STICKINESS, skewStickiness(given))]).toEqual([]);
    }),
  );
});
