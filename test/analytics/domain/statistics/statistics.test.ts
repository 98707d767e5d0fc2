import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockBootstrap, stationaryIndices } from '#src/analytics/domain/statistics/block-bootstrap.ts';
import { deflateP } from '#src/analytics/domain/statistics/deflated-p.ts';
import { autocorrelation } from '#src/analytics/domain/statistics/descriptive.ts';
import { permutationP } from '#src/analytics/domain/statistics/permutation.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { studentQuantile, studentTwoSidedP } from '#src/analytics/domain/statistics/student-t.ts';
import { wilson } from '#src/analytics/domain/statistics/wilson.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

// Newcombe (1998), table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('Wilson’s interval of %d in %d is the published one', (hits, trials, lower, upper) => {
  const found = wilson(hits, trials);
  expect(found.lower).toBeCloseTo(lower, 4);
  expect(found.upper).toBeCloseTo(upper, 4);
});

test('Wilson’s interval holds the rate, mirrors under exchange of hits and misses, and is null without a trial', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
      const hits = Math.round(share * trials);
      const { rate, lower, upper } = wilson(hits, trials);
      const mirror = wilson(trials - hits, trials);
      expect(lower! >= 0 && lower! <= rate! && rate! <= upper! && upper! <= 1).toBe(true);
      expect(mirror.lower).toBeCloseTo(1 - upper!, 12);
    }),
  );
  expect(wilson(0, 0)).toEqual({ hits: 0, trials: 0, rate: null, lower: null, upper: null });
});

// One degree of freedom is Cauchy, two have t/√(2 + t²); the others stand in every table of Student's t.
test('Student’s t agrees with its closed forms and the tables', () => {
  for (const t of [0.01, 0.5, 1, 3, 40]) {
    expect(studentTwoSidedP(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 13);
    expect(studentTwoSidedP(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 13);
  }
  expect(studentQuantile(0.95, 1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 9);
  expect(studentQuantile(0.95, 10)).toBeCloseTo(2.2281388519649, 10);
  expect(studentQuantile(0.99, 30)).toBeCloseTo(2.7499956535672, 10);
  expect(studentQuantile(0.95, 1e6)).toBeCloseTo(1.959966, 5);
  expect(studentTwoSidedP(0, 5)).toBe(1);
});

test('autocorrelation of 1..5 is 0.4 and −0.1, and undefined for a constant', () => {
  expect(autocorrelation([1, 2, 3, 4, 5], 1)).toBeCloseTo(0.4, 15);
  expect(autocorrelation([1, 2, 3, 4, 5], 2)).toBeCloseTo(-0.1, 15);
  expect([autocorrelation([3, 3, 3], 1), autocorrelation([1, 2], 2)]).toEqual([null, null]);
});

test('the stationary bootstrap gives one interval per seed, which covers a mean as often as it says', () => {
  const sample = (seed: string) => {
    const random = randomStream(seed);
    return Array.from({ length: 80 }, () => random.normal());
  };
  const interval = (seed: string) => blockBootstrap(sample(seed), mean, { seed, draws: 300, blockLength: 2 });
  expect(interval('a')).toEqual(interval('a'));
  const covered = Array.from({ length: 150 }, (_, i) => interval(`${i}`)).filter(
    ({ lower, upper }) => lower! <= 0 && upper! >= 0,
  );
  expect(covered.length / 150).toBeGreaterThan(0.87);
});

test('blocks go on to the next row, round the end, with the mean length asked for', () => {
  const random = randomStream('blocks');
  const indices = stationaryIndices(20_000, 10, random);
  const breaks = indices.filter((value, i) => i > 0 && value !== (indices[i - 1]! + 1) % 20_000).length;
  expect(20_000 / breaks).toBeGreaterThan(9);
  expect(20_000 / breaks).toBeLessThan(11);
});

test('longer blocks widen the interval of a series that remembers, where single draws are too sure', () => {
  const random = randomStream('memory');
  const series: number[] = [0];
  for (let i = 1; i < 400; i++) series.push(0.8 * series[i - 1]! + random.normal());
  const width = (blockLength: number) => {
    const { lower, upper } = blockBootstrap(series, mean, { seed: 'w', draws: 400, blockLength });
    return upper! - lower!;
  };
  expect(width(20)).toBeGreaterThan(1.8 * width(1));
});

test('a bootstrap of nothing, or of a statistic that is mostly undefined, has no bounds', () => {
  expect(blockBootstrap([], () => 1, { seed: 's' })).toMatchObject({ value: null, lower: null, upper: null });
  const rare = (rows: readonly number[]) => (rows[0] === 1 ? 1 : null);
  expect(blockBootstrap([1, 0, 0, 0, 0, 0], rare, { seed: 's' })).toMatchObject({ value: 1, lower: null });
});

const covariance = (x: readonly number[], y: readonly number[]) => {
  const [mx, my] = [mean(x), mean(y)];
  return x.reduce((sum, value, i) => sum + (value - mx) * (y[i]! - my), 0);
};

test('the permutation p of a perfect order is near its exact 2/4! and 2/9!, and the same for the same seed', () => {
  const exact = permutationP([1, 2, 3, 4], [1, 2, 3, 4], covariance, { seed: 'a', draws: 9999 });
  expect(exact).toBeGreaterThan(2 / 24 - 0.012);
  expect(exact).toBeLessThan(2 / 24 + 0.012);
  const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect(permutationP(nine, nine, covariance, { seed: 'b', draws: 999 })).toBeLessThan(0.005);
  expect(permutationP(nine, nine, covariance, { seed: 'b' })).toBe(permutationP(nine, nine, covariance, { seed: 'b' }));
});

test('a constant series is never significant, a p is never zero, and undefined draws only raise it', () => {
  expect(permutationP([1, 1, 1, 1], [1, 2, 3, 4], covariance, { seed: 'c' })).toBe(1);
  expect(permutationP([1, 2], [1, 2], covariance, { seed: 'c' })).toBe(null);
  let calls = 0;
  const once = () => (calls++ === 0 ? 1 : null);
  expect(permutationP([1, 2, 3], [1, 2, 3], once, { seed: 'c', draws: 9 })).toBe(1);
});

test('p-values under the null are uniform, and under shifts too for two series that remember', () => {
  const random = randomStream('null');
  const walk = () => {
    const out = [0];
    for (let i = 1; i < 60; i++) out.push(0.9 * out[i - 1]! + random.normal());
    return out;
  };
  const rejected = (scheme: 'shuffle' | 'shift') =>
    Array.from({ length: 200 }, (_, i) =>
      permutationP(walk(), walk(), covariance, { seed: `${i}`, draws: 39, scheme }),
    ).filter((p) => p! <= 0.05).length / 200;
  expect(rejected('shift')).toBeLessThan(0.12);
  // What the shift is for: shuffling rejects far too often.
  expect(rejected('shuffle')).toBeGreaterThan(0.3);
});

test('Bonferroni and Holm-Šidák of a worked example', () => {
  expect(deflateP([0.01, 0.04, 0.03], 'bonferroni')).toEqual([0.03, 0.12, 0.09].map((p) => expect.closeTo(p, 14)));
  const [first, last, second] = deflateP([0.01, 0.04, 0.03]);
  expect(first).toBeCloseTo(1 - 0.99 ** 3, 14);
  expect(second).toBeCloseTo(1 - 0.97 ** 2, 14);
  // 0.04 alone would stay 0.04, but a larger p never gets a smaller correction.
  expect(last).toBe(second);
});

test('a correction never lowers a p, never passes Bonferroni, keeps the order, and skips tests not made', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.option(p), { maxLength: 12 }), (values) => {
      const holm = deflateP(values);
      const bonferroni = deflateP(values, 'bonferroni');
      for (const [i, value] of values.entries()) {
        if (value === null) {
          expect([holm[i], bonferroni[i]]).toEqual([null, null]);
          continue;
        }
        expect(holm[i]! >= value && holm[i]! <= bonferroni[i]! + 1e-15).toBe(true);
        for (const [j, other] of values.entries()) {
          if (other !== null && other > value) expect(holm[j]! >= holm[i]!).toBe(true);
        }
      }
    }),
  );
  expect(deflateP([0.02, null])).toEqual([expect.closeTo(0.02, 15), null]);
});
