import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastSquares } from '#src/analytics/domain/statistics/least-squares.ts';
import { automaticLag, neweyWest } from '#src/analytics/domain/statistics/newey-west.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';

test('a line through small integers is exact', () => {
  // x = 1..4, y = 2, 3, 5, 6: slope 7/5, intercept 1/2, residuals 1/10·(1, −3, 3, −1).
  const fit = leastSquares(
    [1, 2, 3, 4].map((x) => [1, x]),
    [2, 3, 5, 6],
  )!;
  expect([...fit.coefficients]).toEqual([expect.closeTo(0.5, 13), expect.closeTo(1.4, 13)]);
  expect([...fit.residuals]).toEqual([0.1, -0.3, 0.3, -0.1].map((e) => expect.closeTo(e, 13)));
  // XᵀX = [4 10; 10 30], determinant 20.
  expect(fit.inverse.map((row) => [...row])).toEqual([
    [expect.closeTo(1.5, 13), expect.closeTo(-0.5, 13)],
    [expect.closeTo(-0.5, 13), expect.closeTo(0.2, 13)],
  ]);
});

/** NIST StRD, Longley: employment on six collinear series; certified by 500-digit arithmetic. */
const longley = [
  [60323, 83.0, 234289, 2356, 1590, 107608, 1947],
  [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
  [60171, 88.2, 258054, 3682, 1616, 109773, 1949],
  [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
  [63221, 96.2, 328975, 2099, 3099, 112075, 1951],
  [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
  [64989, 99.0, 365385, 1870, 3547, 115094, 1953],
  [63761, 100.0, 363112, 3578, 3350, 116219, 1954],
  [66019, 101.2, 397469, 2904, 3048, 117388, 1955],
  [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
  [68169, 108.4, 442769, 2936, 2798, 120445, 1957],
  [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
  [68655, 112.6, 482704, 3813, 2552, 123366, 1959],
  [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
  [69331, 115.7, 518173, 4806, 2572, 127852, 1961],
  [70551, 116.9, 554894, 4007, 2827, 130081, 1962],
];
const certified = [
  -3482258.63459582, 15.0618722713733, -0.035819179292591, -2.02022980381683, -1.03322686717359, -0.0511041056535807,
  1829.15146461355,
];
const certifiedErrors = [
  890420.383607373, 84.9149257747669, 0.0334910077722432, 0.488399681651699, 0.214274163161675, 0.22607320006937,
  455.478499142212,
];

test('the Longley regression has its certified coefficients and errors to ten digits', () => {
  const fit = leastSquares(
    longley.map(([, ...x]) => [1, ...x]),
    longley.map(([y]) => y!),
  )!;
  const variance = fit.residuals.reduce((sum, e) => sum + e * e, 0) / (16 - 7);
  for (const [i, value] of certified.entries()) {
    expect(Math.abs(fit.coefficients[i]! / value - 1)).toBeLessThan(1e-10);
    expect(Math.abs(Math.sqrt(variance * fit.inverse[i]![i]!) / certifiedErrors[i]! - 1)).toBeLessThan(1e-10);
  }
});

/*
 * By hand, for the line above with lag 1 (weight of the first lag ½):
 * scores s_t = e_t·(1, x_t) = (.1, .1), (−.3, −.6), (.3, .9), (−.1, −.4).
 * Γ0 = Σ s sᵀ = [.20  .50; .50  1.34]
 * Γ1 = Σ s_t s_{t−1}ᵀ = (−.3,−.6)(.1,.1)ᵀ + (.3,.9)(−.3,−.6)ᵀ + (−.1,−.4)(.3,.9)ᵀ
 *    = [−.03 −.03; −.06 −.06] + [−.09 −.18; −.27 −.54] + [−.03 −.09; −.12 −.36] = [−.15 −.30; −.45 −.96]
 * S = Γ0 + ½(Γ1 + Γ1ᵀ) = [.05  .125; .125  .38]
 * (XᵀX)⁻¹ = [1.5 −.5; −.5 .2]; slope: (−.5, .2) S (−.5, .2)ᵀ = .0125 − .025 + .0152 = .0027
 * intercept: (1.5, −.5) S (1.5, −.5)ᵀ = .1125 − .1875 + .095 = .02; both times n/(n − k) = 2.
 */
test('Newey-West errors of a case computed by hand', () => {
  const fit = neweyWest(
    [1, 2, 3, 4].map((x) => [1, x]),
    [2, 3, 5, 6],
    { lag: 1 },
  )!;
  const [intercept, slope] = fit.coefficients;
  expect(intercept!.standard_error).toBeCloseTo(Math.sqrt(0.04), 12);
  expect(slope!.standard_error).toBeCloseTo(Math.sqrt(0.0054), 12);
  expect(slope!.t).toBeCloseTo(1.4 / Math.sqrt(0.0054), 9);
  expect(fit.r_squared).toBeCloseTo(1 - 0.2 / 10, 12);
  // White's errors are those of lag zero: (−.5, .2) Γ0 (−.5, .2)ᵀ = .05 − .1 + .0536 = .0036, twice.
  const white = neweyWest(
    [1, 2, 3, 4].map((x) => [1, x]),
    [2, 3, 5, 6],
    { lag: 0 },
  )!;
  expect(white.coefficients[1]!.standard_error).toBeCloseTo(Math.sqrt(0.0072), 12);
});

test('the interval covers the slope about as often as it says where residuals remember', () => {
  let [robust, naive] = [0, 0];
  for (let run = 0; run < 150; run++) {
    const random = randomStream(`hac ${run}`);
    let [x, e] = [0, 0];
    const rows: number[][] = [];
    const y: number[] = [];
    for (let t = 0; t < 250; t++) {
      x = 0.7 * x + random.normal();
      e = 0.7 * e + random.normal();
      rows.push([1, x]);
      y.push(2 + 0.5 * x + e);
    }
    const slope = neweyWest(rows, y, { lag: 8 })!.coefficients[1]!;
    const white = neweyWest(rows, y, { lag: 0 })!.coefficients[1]!;
    if (slope.lower <= 0.5 && slope.upper >= 0.5) robust++;
    if (white.lower <= 0.5 && white.upper >= 0.5) naive++;
  }
  expect(robust / 150).toBeGreaterThan(0.86);
  expect(naive).toBeLessThan(robust);
});

test('the automatic lag is 4(n/100)^(2/9)', () => {
  expect([20, 100, 252, 1000].map(automaticLag)).toEqual([2, 4, 4, 6]);
});

test('a scale of the response scales value and error and leaves t and p', () => {
  const figure = fc.integer({ min: -5000, max: 5000 }).map((value) => value / 1000);
  const point = fc.tuple(figure, figure);
  fc.assert(
    fc.property(fc.array(point, { minLength: 6, maxLength: 30 }), (points) => {
      const spread = Math.max(...points.map(([x]) => x)) - Math.min(...points.map(([x]) => x));
      fc.pre(spread > 0.1);
      const rows = points.map(([x]) => [1, x]);
      const one = neweyWest(
        rows,
        points.map(([, y]) => y),
      )!.coefficients[1]!;
      const two = neweyWest(
        rows,
        points.map(([, y]) => 1024 * y),
      )!.coefficients[1]!;
      expect(two.value).toBeCloseTo(1024 * one.value, 6);
      expect([two.t, two.p]).toEqual([one.t, one.p]);
    }),
  );
});

test('a regressor that depends on the others, a constant one beside the constant, or too few rows have no fit', () => {
  expect(
    neweyWest(
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
      [1, 2, 3],
    ),
  ).toBe(null);
  expect(
    neweyWest(
      [1, 2, 3, 4].map((x) => [1, x, 1 + 3 * x]),
      [1, 2, 4, 3],
    ),
  ).toBe(null);
  expect(
    neweyWest(
      [
        [1, 2],
        [1, 3],
      ],
      [1, 2],
    ),
  ).toBe(null);
  expect(neweyWest([], [])).toBe(null);
});

test('a perfect fit has an error of zero or of rounding, never NaN', () => {
  const fit = neweyWest(
    [1, 2, 3, 4].map((x) => [1, x]),
    [0, 0, 0, 0],
  )!;
  expect(fit.coefficients[1]).toMatchObject({ value: 0, standard_error: 0, t: null, p: null });
  expect(fit.r_squared).toBe(null);
});
