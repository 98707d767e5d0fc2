import { solveCholesky } from './cholesky.ts';

/** Normal equations at a point: lower triangle of JᵀJ in row order, and Jᵀr. */
export interface NormalEquations {
  readonly hessian: Float64Array;
  readonly gradient: Float64Array;
}

export interface Residuals {
  readonly size: number;
  /** Half the sum of squares at `x`; writes the normal equations there. Infinity refuses the point. */
  evaluate(x: Float64Array, normal: NormalEquations): number;
}

export interface LeastSquaresFit {
  readonly x: Float64Array;
  readonly cost: number;
  readonly iterations: number;
}

/** Limits that end a search. */
export interface Stopping {
  /** Relative to the cost. */
  readonly tolerance: number;
  /** In the unit of the cost. */
  readonly negligible?: number;
  /** Evaluations at most. */
  readonly limit: number;
}

/** Below it a direction says nothing, and only the damping holds it. */
const FLOOR = 1e-10;

/**
 * Levenberg-Marquardt from `start`, which must not be refused: each step lowers the cost, until a step gains less than
 * `tolerance` of it and `negligible` together, or `limit` evaluations are spent. The damping grows with Marquardt's scale and shrinks by Nielsen's
 * rule.
 *
 * @see K. Madsen, H. B. Nielsen and O. Tingleff, Methods for Non-Linear Least Squares Problems (2004), section 3.2
 */
export function levenbergMarquardt(
  problem: Residuals,
  start: Float64Array,
  { tolerance, negligible = 0, limit }: Stopping,
): LeastSquaresFit {
  const { size } = problem;
  let x = start.slice();
  let trial = new Float64Array(size);
  let here = normalEquations(size);
  let there = normalEquations(size);
  const matrix = new Float64Array(size * size);
  const step = new Float64Array(size);
  let cost = problem.evaluate(x, here);
  let lambda = 1e-3;
  let growth = 2;
  let iterations = 1;
  for (; iterations < limit; iterations++) {
    const solved = damped(here, { matrix, step, lambda, size });
    let promised = 0;
    for (let i = 0; i < size; i++) {
      trial[i] = x[i]! + step[i]!;
      promised += step[i]! * (lambda * Math.max(here.hessian[i * size + i]!, FLOOR) * step[i]! - here.gradient[i]!);
    }
    const next = solved ? problem.evaluate(trial, there) : Infinity;
    if (next < cost) {
      const gain = cost - next;
      const ratio = gain / (0.5 * promised);
      lambda *= Math.max(1 / 5, 1 - (2 * ratio - 1) ** 3);
      growth = 2;
      [x, trial] = [trial, x];
      [here, there] = [there, here];
      const settled = gain <= tolerance * cost + negligible;
      cost = next;
      if (settled) break;
      continue;
    }
    // A step that promises nothing measurable ends the search: the point is a minimum to working precision.
    if (solved && promised <= 2 * (tolerance * cost + negligible)) break;
    lambda *= growth;
    growth *= 2;
    if (!(lambda < 1e12)) break;
  }
  return { x, cost, iterations };
}

/** Half the sum of squares at a point. */
export function costAt(problem: Residuals, x: Float64Array): number {
  return problem.evaluate(x, normalEquations(problem.size));
}

function normalEquations(size: number): NormalEquations {
  return { hessian: new Float64Array(size * size), gradient: new Float64Array(size) };
}

interface Damped {
  readonly matrix: Float64Array;
  readonly step: Float64Array;
  readonly lambda: number;
  readonly size: number;
}

/** Writes the step of the damped normal equations; false where rounding leaves them without one. */
function damped({ hessian, gradient }: NormalEquations, { matrix, step, lambda, size }: Damped): boolean {
  matrix.set(hessian);
  for (let i = 0; i < size; i++) {
    const diagonal = i * size + i;
    matrix[diagonal] = hessian[diagonal]! + lambda * Math.max(hessian[diagonal]!, FLOOR);
    step[i] = -gradient[i]!;
  }
  return solveCholesky(matrix, step, size);
}
