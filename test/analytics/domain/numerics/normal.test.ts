import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { erfc, erfcx } from '#src/analytics/domain/numerics/erfcx.ts';
import { inverseNormalCdf, normalCdf } from '#src/analytics/domain/numerics/normal.ts';

const vectors: { rows: [number, number, number | null, number | null][]; inverse: [number, number][] } = JSON.parse(
  readFileSync(new URL('../../../vectors/analytics/normal.json', import.meta.url), 'utf8'),
);

function relative(value: number, expected: number): number {
  return value === expected ? 0 : Math.abs(value / expected - 1);
}

test('erfc, erfcx and the normal law agree with mpmath to 1e-15 from -26 to 1e4', () => {
  for (const [x, complement, scaled, cdf] of vectors.rows) {
    expect(relative(erfc(x), complement), `erfc(${x})`).toBeLessThan(1e-15);
    if (scaled !== null) expect(relative(erfcx(x), scaled), `erfcx(${x})`).toBeLessThan(1e-15);
    if (cdf !== null) expect(relative(normalCdf(x), cdf), `cdf(${x})`).toBeLessThan(1e-15);
  }
});

test('the inverse normal law agrees with mpmath to 1e-15 from 1e-300 to 0.999999', () => {
  for (const [p, z] of vectors.inverse) {
    expect(Math.abs(inverseNormalCdf(p) - z) / Math.max(Math.abs(z), 1e-3), `p = ${p}`).toBeLessThan(1e-15);
  }
});

test('the ends of the range are infinite and what lies outside is not a number', () => {
  expect([inverseNormalCdf(0), inverseNormalCdf(1)]).toEqual([-Infinity, Infinity]);
  expect([inverseNormalCdf(-0.1), inverseNormalCdf(1.1), normalCdf(Number.NaN)]).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
  expect([normalCdf(-Infinity), normalCdf(Infinity), normalCdf(0)]).toEqual([0, 1, 0.5]);
});
