import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  durrlemanG,
  durrlemanSlope,
  leastVariance,
  type RawSvi,
  sviDerivatives,
  sviTotalVariance,
} from '#src/analytics/domain/surface/svi.ts';
import { certifySvi } from '#src/analytics/domain/surface/svi-certificate.ts';
import {
  jumpWingsToRaw,
  naturalToRaw,
  rawToJumpWings,
  rawToNatural,
  repairJumpWings,
} from '#src/analytics/domain/surface/svi-forms.ts';
import { missBy, type OracleCase } from '#test/analytics/oracle.ts';

const cases: readonly OracleCase[] = JSON.parse(
  readFileSync(new URL('../../../vectors/analytics/surface.json', import.meta.url), 'utf8'),
).cases;
const groupOf = (group: string) => cases.filter((item) => item.group === group).map((item) => [item.id, item] as const);

/** Axel Vogt's smile: free of calendar arbitrage with itself, but with negative density on the right. */
const vogt: RawSvi = { a: -0.041, b: 0.1331, rho: 0.306, m: 0.3586, sigma: 0.4153 };

/** Smiles with positive variance and wings within Lee's bound; some with butterfly arbitrage. */
const smiles: fc.Arbitrary<RawSvi> = fc
  .record({
    floor: fc.double({ min: 1e-5, max: 0.2, noNaN: true }),
    wing: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    rho: fc.double({ min: -0.95, max: 0.95, noNaN: true }),
    m: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    sigma: fc.double({ min: 0.005, max: 1, noNaN: true }),
  })
  .map(({ floor, wing, rho, m, sigma }) => {
    const b = (2 * wing) / (1 + Math.abs(rho));
    return { a: floor - b * sigma * Math.sqrt(1 - rho * rho), b, rho, m, sigma };
  });

test.each(groupOf('svi_jw'))('%s: jump wings as published', (_, item) => {
  const wings = rawToJumpWings(item.inputs, item.inputs.t)!;
  const name = item.function.split('.')[1] as keyof typeof wings;
  expect(missBy(wings[name], item.expected, item)).toBeLessThanOrEqual(1);
});

test.each(groupOf('svi_g'))('%s: total variance and g', (_, item) => {
  const point = sviDerivatives(item.inputs, item.inputs.k);
  expect(missBy(point.w, item.expected.w, item)).toBeLessThanOrEqual(1);
  expect(missBy(durrlemanG(item.inputs.k, point), item.expected.g, item)).toBeLessThanOrEqual(1);
});

test.each(groupOf('svi_fix'))('%s: the repair as published', (_, item) => {
  const wings = repairJumpWings({ ...item.inputs, c: 1, vtilde: 0.01 })!;
  expect(missBy(wings.c, item.expected.c, item)).toBeLessThanOrEqual(1);
  expect(missBy(wings.vtilde, item.expected.vtilde, item)).toBeLessThanOrEqual(1);
});

test.each(groupOf('svi_slice'))('%s: total variance', (_, item) => {
  expect(missBy(sviTotalVariance(item.inputs, item.inputs.k), item.expected, item)).toBeLessThanOrEqual(1);
});

describe('Vogt’s smile', () => {
  test('has g below zero exactly between the published ends', () => {
    const g = (k: number) => durrlemanG(k, sviDerivatives(vogt, k));
    for (const [end, side] of [
      [0.64240788, 1],
      [1.25691299, -1],
    ] as const) {
      expect(g(end - side * 2e-8)).toBeGreaterThan(0);
      expect(g(end + side * 2e-8)).toBeLessThan(0);
    }
    for (let k = -10; k <= 10; k += 0.001) expect(g(k) < 0).toBe(k > 0.64240788 && k < 1.25691299);
  });

  test('fails its certificate at the published minimum', () => {
    const certificate = certifySvi(vogt);
    expect(certificate.holds).toBe(false);
    expect(certificate.leastG).toBeCloseTo(-0.0328636, 7);
    expect(certificate.leastGAt).toBeCloseTo(0.87926, 5);
  });

  test('holds once repaired, with variance, slope and put wing kept', () => {
    const wings = rawToJumpWings(vogt, 1)!;
    const repaired = jumpWingsToRaw(repairJumpWings(wings)!, 1)!;
    expect(certifySvi(repaired).holds).toBe(true);
    const after = rawToJumpWings(repaired, 1)!;
    for (const name of ['v', 'psi', 'p'] as const) expect(after[name]).toBeCloseTo(wings[name], 12);
  });
});

test('property: derivatives are those of the values', () => {
  fc.assert(
    fc.property(smiles, fc.double({ min: -2, max: 2, noNaN: true }), (raw, x) => {
      const k = raw.m + x * raw.sigma;
      const h = 1e-4 * raw.sigma;
      const [low, here, high] = [sviDerivatives(raw, k - h), sviDerivatives(raw, k), sviDerivatives(raw, k + h)];
      const scale = raw.b / raw.sigma;
      expect((high.w - low.w) / (2 * h)).toBeCloseTo(here.first, 6);
      expect((high.first - low.first) / (2 * h) / scale).toBeCloseTo(here.second / scale, 6);
      expect(((high.second - low.second) / (2 * h) / scale) * raw.sigma).toBeCloseTo(
        (here.third / scale) * raw.sigma,
        6,
      );
      const slope = (durrlemanG(k + h, high) - durrlemanG(k - h, low)) / (2 * h);
      const exact = durrlemanSlope(k, here);
      expect(Math.abs(slope - exact)).toBeLessThan(1e-4 * (1 + Math.abs(exact)) * (1 + (raw.b / here.w) ** 2));
    }),
    { numRuns: 500, endOnFailure: true },
  );
});

test('property: natural and jump-wing parameters go back to the same smile', () => {
  fc.assert(
    fc.property(smiles, fc.double({ min: 0.002, max: 3, noNaN: true }), (raw, years) => {
      const again = naturalToRaw(rawToNatural(raw));
      const wings = rawToJumpWings(raw, years)!;
      const back = jumpWingsToRaw(wings, years);
      for (const k of [-1, -0.1, 0, 0.05, 0.7]) {
        const w = sviTotalVariance(raw, k);
        expect(Math.abs(sviTotalVariance(again, k) - w)).toBeLessThan(1e-12 * (1 + raw.b));
        // Where the least variance is at the money the width of the bend is not told.
        if (back && wings.v - wings.vtilde > 1e-3 * wings.v) {
          expect(Math.abs(sviTotalVariance(back, k) - w)).toBeLessThan(1e-7 * (1 + w));
        }
      }
      expect(back !== null || wings.v - wings.vtilde < 1e-9 * wings.v).toBe(true);
    }),
    { numRuns: 500, endOnFailure: true },
  );
});

test('property: no point of a dense grid is below the certificate’s least g', () => {
  let failing = 0;
  fc.assert(
    fc.property(smiles, (raw) => {
      const { leastG, holds } = certifySvi(raw);
      if (!holds) failing++;
      let dense = Infinity;
      for (let i = -1500; i <= 1500; i++) {
        const k = raw.m + raw.sigma * Math.sinh(i / 200);
        dense = Math.min(dense, durrlemanG(k, sviDerivatives(raw, k)));
      }
      expect(dense).toBeGreaterThan(leastG - 1e-9 * (1 + Math.abs(leastG)));
    }),
    { numRuns: 400, endOnFailure: true },
  );
  expect(failing).toBeGreaterThan(10);
});

test('a smile that touches zero, or is steeper than Lee’s bound, does not hold', () => {
  const narrow = Math.sqrt(1 - vogt.rho * vogt.rho);
  const touching = { ...vogt, a: -vogt.b * vogt.sigma * narrow };
  expect(leastVariance(touching)).toBeCloseTo(0, 15);
  expect(certifySvi({ ...touching, a: touching.a - 1e-9 })).toMatchObject({ holds: false, leastG: -Infinity });
  expect(certifySvi({ a: 4, b: 1.6, rho: 0.3, m: 0, sigma: 4 }).holds).toBe(false);
  expect(certifySvi({ a: 4, b: 1.5, rho: 0.3, m: 0, sigma: 4 }).holds).toBe(true);
});
