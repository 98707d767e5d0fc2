/** Points within (−1, 1), ascending, and their weights, which sum to 2. */
export interface Quadrature {
  readonly points: Float64Array;
  readonly weights: Float64Array;
}

/** Gauss-Legendre rule of `count` points (1 to some hundreds) by Newton's method on the Legendre polynomial. */
export function gaussLegendre(count: number): Quadrature {
  const points = new Float64Array(count);
  const weights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let x = -Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let round = 0; round < 100; round++) {
      let [before, value] = [0, 1];
      for (let n = 1; n <= count; n++) [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n];
      slope = (count * (x * value - before)) / (x * x - 1);
      const step = value / slope;
      x -= step;
      if (Math.abs(step) < 1e-16) break;
    }
    points[i] = x;
    weights[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return { points, weights };
}
