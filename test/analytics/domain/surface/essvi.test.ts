import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { type EssviSlice, essviToRaw, essviTotalVariance } from '#src/analytics/domain/surface/essvi.ts';
import {
  isButterflyFree,
  isCalendarFree,
  leastCalendarGap,
  steepestPsi,
} from '#src/analytics/domain/surface/essvi-arbitrage.ts';
import { essviAt, type TimedSlice } from '#src/analytics/domain/surface/essvi-between.ts';
import { FREE, mingoneFree, mingoneSlices } from '#src/analytics/domain/surface/essvi-mingone.ts';
import { durrlemanG, sviDerivatives, sviTotalVariance } from '#src/analytics/domain/surface/svi.ts';
import { missBy, type OracleCase } from '#test/analytics/oracle.ts';

const cases: readonly OracleCase[] = JSON.parse(
  readFileSync(new URL('../../../vectors/analytics/surface.json', import.meta.url), 'utf8'),
).cases;
const groupOf = (group: string) => cases.filter((item) => item.group === group).map((item) => [item.id, item] as const);

/** Free numbers of a surface as markets have them, and of quite others. */
function randomFree(random: ReturnType<typeof randomStream>, spread: number): Float64Array {
  const count = 2 + Math.floor(random.uniform() * 6);
  return Float64Array.from({ length: count * FREE }, (_, j) => {
    if (j % FREE === 0) return -0.7 + 0.4 * spread * random.normal();
    return j % FREE === 1 ? -5 + spread * random.normal() : 1.5 * spread * random.normal();
  });
}

/** Log-moneynesses around the bend of a slice and far out on both sides. */
function points(slice: EssviSlice, count: number): number[] {
  const { m, sigma } = essviToRaw(slice);
  return Array.from({ length: count }, (_, i) => m + sigma * Math.sinh(-9 + (18 * i) / (count - 1)));
}

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);
const leastG = (slice: EssviSlice, count: number) =>
  least(points(slice, count).map((k) => durrlemanG(k, sviDerivatives(essviToRaw(slice), k))));

test.each(groupOf('essvi'))('%s: total variance, also as raw SVI', (_, item) => {
  expect(missBy(essviTotalVariance(item.inputs, item.inputs.k), item.expected, item)).toBeLessThanOrEqual(1);
  expect(missBy(sviTotalVariance(essviToRaw(item.inputs), item.inputs.k), item.expected, item)).toBeLessThanOrEqual(1);
});

test.each(groupOf('essvi_arb'))('%s: no arbitrage', (_, { inputs, expected }) => {
  const found = inputs.slice1 ? isCalendarFree(inputs.slice1, inputs.slice2) : isButterflyFree(inputs);
  expect(found).toBe(expected);
});

test('2,000 random surfaces of the map have no arbitrage on dense grids', () => {
  const random = randomStream('mingone');
  for (let run = 0; run < 2000; run++) {
    const slices = mingoneSlices(randomFree(random, run % 2 === 0 ? 0.5 : 2));
    for (const [i, slice] of slices.entries()) {
      expect(isButterflyFree(slice)).toBe(true);
      expect(leastG(slice, 61)).toBeGreaterThanOrEqual(-1e-12);
      const before = slices[i - 1];
      if (!before) continue;
      const gaps = points(before, 61).map((k) => essviTotalVariance(slice, k) - essviTotalVariance(before, k));
      expect(least(gaps)).toBeGreaterThanOrEqual(0);
    }
  }
});

test('the map goes back to its free numbers', () => {
  const random = randomStream('back');
  for (let run = 0; run < 500; run++) {
    const free = randomFree(random, 0.5);
    const slices = mingoneSlices(free);
    const again = mingoneSlices(mingoneFree(slices));
    for (const [i, { theta, rho, psi }] of slices.entries()) {
      // Off the bounds, to which the way back keeps a distance.
      if (free.some((x, j) => j % FREE === 2 && Math.abs(x) > 3.5)) continue;
      expect(again[i]!.rho).toBeCloseTo(rho, 12);
      expect(again[i]!.theta / theta).toBeCloseTo(1, 1);
      expect(again[i]!.psi / psi).toBeCloseTo(1, 1);
    }
  }
});

const slices = fc
  .record({
    theta: fc.double({ min: 1e-4, max: 0.2, noNaN: true }),
    rho: fc.double({ min: -0.95, max: 0.95, noNaN: true }),
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
  })
  .map(({ theta, rho, share }): EssviSlice => ({ theta, rho, psi: share * steepestPsi(theta, rho) }));

test('property: the calendar conditions hold exactly where the least gap is not below zero', () => {
  const seen = { falling: 0, rising: 0, refused: 0 };
  const after = fc.record({
    rise: fc.double({ min: 1, max: 3, noNaN: true }),
    turn: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
    grow: fc.double({ min: 0.8, max: 4, noNaN: true }),
  });
  fc.assert(
    fc.property(slices, after, (before, { rise, turn, grow }) => {
      const rho = Math.min(Math.max(before.rho + turn, -0.95), 0.95);
      const later = { theta: before.theta * rise, rho, psi: before.psi * grow };
      const gap = leastCalendarGap(before, later);
      const free = isCalendarFree(before, later);
      seen[free ? (grow > rise ? 'rising' : 'falling') : 'refused']++;
      if (free) expect(gap).toBeGreaterThanOrEqual(-1e-15);
      else expect(gap).toBeLessThan(1e-12);
      const dense = points(before, 200).map((k) => essviTotalVariance(later, k) - essviTotalVariance(before, k));
      expect(least(dense)).toBeGreaterThanOrEqual(gap - 1e-15);
    }),
    { numRuns: 2000, endOnFailure: true },
  );
  expect(least(Object.values(seen))).toBeGreaterThan(50);
});

test('with Φ above one the leans are compared by ψ: by φ, as often printed, these two would pass and cross', () => {
  const before = { theta: 0.0223239, rho: -0.107392, psi: 0.10245 };
  const after = { theta: 0.0328633, rho: -0.571473, psi: 0.284012 };
  const phi = after.psi / after.theta / (before.psi / before.theta);
  const rise = after.theta / before.theta;
  expect((before.rho - phi * after.rho) ** 2).toBeLessThan((rise - 1) * (rise * phi * phi - 1));
  expect(isCalendarFree(before, after)).toBe(false);
  expect(essviTotalVariance(after, 0.16862)).toBeLessThan(essviTotalVariance(before, 0.16862));
});

test('between, before and after the slices there is no arbitrage, and the slices themselves are met', () => {
  const random = randomStream('between');
  for (let run = 0; run < 60; run++) {
    const timed: TimedSlice[] = mingoneSlices(randomFree(random, run % 2 === 0 ? 0.5 : 1.5)).map((slice, i) => ({
      ...slice,
      years: 0.01 * (i + 1) ** 2,
    }));
    for (const slice of timed) {
      const met = essviAt(timed, slice.years);
      for (const name of ['theta', 'rho', 'psi'] as const) expect(met[name]).toBeCloseTo(slice[name], 12);
    }
    let before: EssviSlice | undefined;
    for (let years = 0.001; years < 2 * timed.at(-1)!.years; years *= 1.15) {
      const slice = essviAt(timed, years);
      expect(leastG(slice, 61)).toBeGreaterThanOrEqual(-1e-12);
      for (const k of before ? points(slice, 61) : []) {
        expect(essviTotalVariance(slice, k)).toBeGreaterThanOrEqual(essviTotalVariance(before!, k) * (1 - 1e-13));
      }
      before = slice;
    }
  }
});

test('before the first slice every k keeps its volatility', () => {
  const first = { theta: 0.002, rho: -0.5, psi: 0.05, years: 0.05 };
  for (const k of [-0.3, 0, 0.1]) {
    expect(essviTotalVariance(essviAt([first], 0.01), k) / 0.01).toBeCloseTo(essviTotalVariance(first, k) / 0.05, 12);
  }
});
