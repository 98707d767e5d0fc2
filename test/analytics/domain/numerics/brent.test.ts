import { expect, test } from 'vitest';
import { brent } from '#src/analytics/domain/numerics/brent.ts';
import { scanRoots } from '#src/analytics/domain/numerics/scan-roots.ts';

const grid = (from: number, to: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));

function scan(f: (x: number) => number, points: Float64Array) {
  return scanRoots({ f, points, values: points.map(f), tolerance: 1e-12 });
}

test('brent finds the roots of the QuantLib solver tests within a dozen evaluations', () => {
  for (const [f, to] of [
    [(x: number) => x * x - 1, 2],
    [(x: number) => Math.atan(x - 1), 2.5],
  ] as const) {
    const found = brent(f, 0, to, 1e-8);
    expect(found).toMatchObject({ status: 'ok', rising: true });
    expect(Math.abs((found.status === 'ok' ? found.root : 0) - 1)).toBeLessThan(1e-8);
    expect(found.status === 'ok' && found.evaluations).toBeLessThan(13);
  }
});

test('brent refuses a bracket without a sign change and a function that is not finite', () => {
  expect(brent((x) => (x - 1) ** 2, 0, 2, 1e-9)).toEqual({ status: 'no_bracket' });
  expect(brent(() => Number.NaN, 0, 2, 1e-9)).toEqual({ status: 'not_finite' });
  expect(brent((x) => (x === 1 ? Number.NaN : x - 1.2), 0, 2, 1e-9).status).not.toBe('no_bracket');
});

test('brent stops at an exact zero, at the end of a bracket or inside it', () => {
  expect(brent((x) => x, 0, 1, 1e-9)).toMatchObject({ root: 0, evaluations: 2 });
  expect(brent((x) => x - 0.5, 0, 1, 1e-9)).toMatchObject({ root: 0.5, evaluations: 3 });
});

test('a scan finds all three roots of a cubic with their directions', () => {
  const { roots, tangents } = scan((x) => (x - 1) * (x - 2) * (x - 4), grid(0, 5, 200));
  expect(roots.map(({ root }) => Math.round(root * 1e9) / 1e9)).toEqual([1, 2, 4]);
  expect(roots.map(({ rising }) => rising)).toEqual([true, false, true]);
  expect(tangents).toEqual([]);
});

test('a scan reports a double root as a tangent, on the grid and off it', () => {
  for (const count of [200, 201]) {
    const { roots, tangents } = scan((x) => (x - 1) ** 2, grid(0, 2, count));
    expect(roots).toEqual([]);
    expect(tangents).toHaveLength(1);
    expect(tangents[0]).toBeCloseTo(1, 3);
  }
});

test('a scan finds two roots that both lie between two points of the grid', () => {
  const { roots } = scan((x) => (x - 1) * (x - 1.004), grid(0, 2, 190));
  expect(roots).toHaveLength(2);
  expect(roots[0]?.root).toBeCloseTo(1, 9);
  expect(roots[1]?.root).toBeCloseTo(1.004, 9);
});
