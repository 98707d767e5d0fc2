import { dot, type Matrix } from '#src/analytics/domain/numerics/dense.ts';
import { symmetricEigen } from '#src/analytics/domain/numerics/symmetric-eigen.ts';
import { AppError } from '#src/lib/errors.ts';

/** Correlations of return series. */
export type Correlation =
  | {
      readonly status: 'ok';
      /** Positive semi-definite, diagonal one. */
      readonly matrix: Matrix;
      /** Weight of the identity, 0 to 1: what the noise of a short sample asks for. */
      readonly shrinkage: number;
      /** Times at which every series has a return. */
      readonly observations: number;
    }
  | { readonly status: 'too_few_observations' | 'constant_series'; readonly observations: number };

const MIN_OBSERVATIONS = 20;

/**
 * Correlation of series on the times at which all have a value (so that the sample matrix is semi-definite), shrunk to
 * the identity by Ledoit and Wolf's weight on the standardised series.
 *
 * @param series one a symbol, aligned in time, null where a symbol has no return
 * @see O. Ledoit, M. Wolf, "A well-conditioned estimator for large-dimensional covariance matrices", JMVA 88 (2004)
 */
export function shrunkCorrelation(series: readonly (readonly (number | null)[])[]): Correlation {
  const length = Math.min(...series.map((values) => values.length));
  const times = Array.from({ length }, (_, t) => t).filter((t) => series.every((values) => values[t] !== null));
  const observations = times.length;
  if (observations < MIN_OBSERVATIONS) return { status: 'too_few_observations', observations };
  const standard = series.map((values) => standardise(times.map((t) => values[t]!)));
  if (!standard.every((values) => values !== null)) return { status: 'constant_series', observations };
  const sample = standard.map((a) => standard.map((b) => dot(a, b) / observations));
  // With a unit diagonal the target is the identity itself, and only entries off the diagonal count.
  let distance = 0;
  let noise = 0;
  for (const [i, a] of standard.entries()) {
    for (const [j, b] of standard.entries()) {
      if (i === j) continue;
      const entry = sample[i]![j]!;
      distance += entry * entry;
      noise += a.reduce((sum, value, t) => sum + (value * b[t]! - entry) ** 2, 0) / observations ** 2;
    }
  }
  const shrinkage = distance > 0 ? Math.min(1, noise / distance) : 1;
  const matrix = sample.map((row, i) => row.map((value, j) => (i === j ? 1 : (1 - shrinkage) * value)));
  return { status: 'ok', matrix, shrinkage, observations };
}

function standardise(values: readonly number[]): number[] | null {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const centred = values.map((value) => value - mean);
  const deviation = Math.sqrt(dot(centred, centred) / values.length);
  return deviation > 1e-12 * Math.abs(mean) ? centred.map((value) => value / deviation) : null;
}

/**
 * Checks a correlation matrix that a caller sends.
 *
 * @throws AppError `invalid_request` unless it is square of that size, symmetric, one on the diagonal and positive
 *   semi-definite
 */
export function assertCorrelation(matrix: Matrix, size: number): void {
  const refuse = (what: string): never => {
    throw new AppError('invalid_request', `expected a correlation matrix ${what}; send another one, or none`, {
      matrix,
    });
  };
  if (matrix.length !== size || matrix.some((row) => row.length !== size)) refuse(`of ${size} rows and columns`);
  for (const [i, row] of matrix.entries()) {
    if (row[i] !== 1) refuse('with ones on its diagonal');
    for (const [j, value] of row.entries()) {
      if (!(Math.abs(value) <= 1)) refuse('with entries from -1 to 1');
      if (value !== matrix[j]![i]) refuse('that is symmetric');
    }
  }
  const least = Math.min(...symmetricEigen(matrix).map(({ value }) => value));
  if (least < -1e-10) refuse(`that is positive semi-definite, got a least eigenvalue of ${least.toPrecision(3)}`);
}
