import '#test/helpers/property-seed.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketOf,
  countOf,
  mergeSketches,
  quantilesOf,
  SHORTEST,
  SKETCH_ERROR,
  type Sketch,
} from '#src/jobs/history/sketch.ts';

function sketchOf(times: readonly number[]): Sketch {
  return mergeSketches(times.map((time) => ({ [bucketOf(time)]: 1 })));
}

/** From nothing to a year, as many short as long ones. */
const time = fc.oneof(
  fc.constant(0),
  fc.double({ min: -9, max: 17.3, noNaN: true }).map((power) => Math.exp(power)),
);
const times = fc.array(time, { minLength: 1, maxLength: 200 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('a quantile is off by at most four per cent, or a millisecond', () => {
  expect(SKETCH_ERROR).toBeLessThan(0.04);
  fc.assert(
    fc.property(times, fc.array(share, { minLength: 1, maxLength: 5 }), (all, shares) => {
      const asked = shares.toSorted((a, b) => a - b);
      const sorted = all.toSorted((a, b) => a - b);
      for (const [place, found] of quantilesOf(sketchOf(all), asked).entries()) {
        const exact = sorted[Math.max(1, Math.ceil((asked[place] ?? 0) * all.length)) - 1] ?? 0;
        expect(Math.abs((found ?? Number.NaN) - exact)).toBeLessThanOrEqual(
          Math.max(SHORTEST, exact * (SKETCH_ERROR + 1e-9)),
        );
      }
    }),
  );
});

test('sketches that are added up are the sketch of all, in whatever order and grouping', () => {
  fc.assert(
    fc.property(fc.array(times, { maxLength: 6 }), (parts) => {
      const whole = sketchOf(parts.flat());
      expect(mergeSketches(parts.map(sketchOf))).toEqual(whole);
      expect(mergeSketches(parts.toReversed().map(sketchOf))).toEqual(whole);
      const paired = parts.reduce<Sketch>((sum, part) => mergeSketches([sum, sketchOf(part)]), {});
      expect(paired).toEqual(whole);
      expect(countOf(whole)).toBe(parts.flat().length);
    }),
  );
});

test('of nothing there is no quantile', () => {
  expect(quantilesOf({}, [0.5, 0.99])).toEqual([null, null]);
});
