import { leastSquares } from './least-squares.ts';
import { studentQuantile, studentTwoSidedP } from './student-t.ts';

/** One coefficient with the error that holds under heteroskedastic, autocorrelated residuals. */
export interface HacCoefficient {
  readonly value: number;
  readonly standard_error: number;
  /** Null where the standard error is zero: a perfect fit has no t. */
  readonly t: number | null;
  /** Two-sided, Student's t with n − k degrees of freedom; null like t. */
  readonly p: number | null;
  readonly lower: number;
  readonly upper: number;
}

export interface HacFit {
  readonly coefficients: readonly HacCoefficient[];
  readonly lag: number;
  readonly observations: number;
  /** 1 − residual over total sum of squares about the mean; null for a constant response. */
  readonly r_squared: number | null;
}

/** Lag of Newey & West (1994), the usual rule for the Bartlett kernel: ⌊4(n/100)^(2/9)⌋. */
export function automaticLag(observations: number): number {
  return Math.floor(4 * (observations / 100) ** (2 / 9));
}

/**
 * Ordinary least squares with Newey-West standard errors: Bartlett weights 1 − l/(lag+1), scaled by n/(n − k) for the
 * size of the sample. A lag of zero leaves White's estimate. Null where the regressors depend on one another or there
 * are not more rows than regressors.
 *
 * @param rows the regressors in order of time, a constant among them if one is wanted
 * @param level of the intervals, 0 to 1
 * @see W. K. Newey, K. D. West, Econometrica 55 (1987) and Rev. Econ. Stud. 61 (1994)
 */
export function neweyWest(
  rows: readonly (readonly number[])[],
  response: readonly number[],
  { lag = automaticLag(rows.length), level = 0.95 }: { lag?: number; level?: number } = {},
): HacFit | null {
  const fit = leastSquares(rows, response);
  if (fit === null) return null;
  const n = rows.length;
  const k = fit.coefficients.length;
  const used = Math.min(lag, n - 1);
  const meat = scoreVariance(rows, fit.residuals, used);
  const half = studentQuantile(level, n - k);
  const coefficients = Array.from(fit.coefficients, (value, i) => {
    const variance = (quadratic(fit.inverse[i]!, meat) * n) / (n - k);
    const error = Math.sqrt(Math.max(0, variance));
    const t = error > 0 ? value / error : null;
    return {
      value,
      standard_error: error,
      t,
      p: t === null ? null : studentTwoSidedP(t, n - k),
      lower: value - half * error,
      upper: value + half * error,
    };
  });
  return { coefficients, lag: used, observations: n, r_squared: rSquared(response, fit.residuals) };
}

/** Σ_l weight_l Σ_t (s_t s_{t−l}ᵀ + s_{t−l} s_tᵀ) of the scores s_t = x_t·e_t. */
function scoreVariance(
  rows: readonly (readonly number[])[],
  residuals: Float64Array,
  lag: number,
): readonly Float64Array[] {
  const scores = rows.map((row, t) => row.map((x) => x * residuals[t]!));
  const k = rows[0]!.length;
  const sum = Array.from({ length: k }, () => new Float64Array(k));
  for (let l = 0; l <= lag; l++) {
    // Each product below is added with its transpose, so lag zero counts half.
    const weight = l === 0 ? 0.5 : 1 - l / (lag + 1);
    for (let t = l; t < scores.length; t++) {
      for (let i = 0; i < k; i++) {
        for (let j = 0; j < k; j++) {
          sum[i]![j]! += weight * (scores[t]![i]! * scores[t - l]![j]! + scores[t - l]![i]! * scores[t]![j]!);
        }
      }
    }
  }
  return sum;
}

function quadratic(vector: Float64Array, matrix: readonly Float64Array[]): number {
  let sum = 0;
  for (const [i, row] of matrix.entries()) {
    for (const [j, value] of row.entries()) sum += vector[i]! * value * vector[j]!;
  }
  return sum;
}

function rSquared(response: readonly number[], residuals: Float64Array): number | null {
  const mean = response.reduce((sum, y) => sum + y, 0) / response.length;
  const total = response.reduce((sum, y) => sum + (y - mean) ** 2, 0);
  return total > 0 ? 1 - residuals.reduce((sum, e) => sum + e * e, 0) / total : null;
}
