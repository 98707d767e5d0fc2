/** An ordinary least-squares fit. */
export interface LeastSquares {
  readonly coefficients: Float64Array;
  readonly residuals: Float64Array;
  /** (XᵀX)⁻¹, row by row. */
  readonly inverse: readonly Float64Array[];
}

/** A column whose part off the columns before it is smaller than this share of its length depends on them. */
const DEPENDENT = 1e-11;

/**
 * Least squares by Householder reflections of columns scaled to length one. Null where columns depend on one another or
 * there are not more rows than columns.
 *
 * @param rows the regressors, a constant among them if one is wanted; all finite
 * @see G. H. Golub, "Numerical methods for solving linear least squares problems", Numer. Math. 7 (1965)
 */
export function leastSquares(rows: readonly (readonly number[])[], response: readonly number[]): LeastSquares | null {
  const n = rows.length;
  const k = rows[0]?.length ?? 0;
  if (k === 0 || n <= k || response.length !== n) return null;
  const scale = Float64Array.from({ length: k }, (_, j) => Math.sqrt(rows.reduce((sum, row) => sum + row[j]! ** 2, 0)));
  if (scale.some((length) => !(length > 0))) return null;
  const columns = Array.from({ length: k }, (_, j) => Float64Array.from(rows, (row) => row[j]! / scale[j]!));
  const target = Float64Array.from(response);
  for (let j = 0; j < k; j++) {
    const column = columns[j]!;
    const length = tailLength(column, j);
    if (length < DEPENDENT) return null;
    const pivot = column[j]! > 0 ? -length : length;
    const mirror = Float64Array.from(column);
    mirror[j]! -= pivot;
    for (const other of [...columns.slice(j), target]) reflect(other, mirror, j);
  }
  const coefficients = new Float64Array(k);
  backSubstitute(columns, target, coefficients);
  const inverse = invertNormal(columns, k);
  for (let i = 0; i < k; i++) {
    coefficients[i]! /= scale[i]!;
    for (let j = 0; j < k; j++) inverse[i]![j]! /= scale[i]! * scale[j]!;
  }
  const residuals = Float64Array.from(rows, (row, i) => {
    return response[i]! - row.reduce((sum, x, j) => sum + x * coefficients[j]!, 0);
  });
  return { coefficients, residuals, inverse };
}

function tailLength(column: Float64Array, from: number): number {
  let squares = 0;
  for (let i = from; i < column.length; i++) squares += column[i]! ** 2;
  return Math.sqrt(squares);
}

function reflect(vector: Float64Array, mirror: Float64Array, from: number): void {
  let product = 0;
  let squares = 0;
  for (let i = from; i < vector.length; i++) {
    product += vector[i]! * mirror[i]!;
    squares += mirror[i]! ** 2;
  }
  const factor = (2 * product) / squares;
  for (let i = from; i < vector.length; i++) vector[i]! -= factor * mirror[i]!;
}

/** Solves R·x = target for the triangle that the reflections left in the columns. */
function backSubstitute(columns: readonly Float64Array[], target: Float64Array, x: Float64Array): void {
  for (let i = x.length - 1; i >= 0; i--) {
    let rest = target[i]!;
    for (let j = i + 1; j < x.length; j++) rest -= columns[j]![i]! * x[j]!;
    x[i] = rest / columns[i]![i]!;
  }
}

/** (RᵀR)⁻¹ = R⁻¹·R⁻ᵀ. */
function invertNormal(columns: readonly Float64Array[], k: number): Float64Array[] {
  const triangle = Array.from({ length: k }, (_, j) => {
    const column = new Float64Array(k);
    backSubstitute(
      columns,
      Float64Array.from({ length: k }, (__, i) => (i === j ? 1 : 0)),
      column,
    );
    return column;
  });
  return Array.from({ length: k }, (_, i) => {
    return Float64Array.from({ length: k }, (__, j) =>
      triangle.reduce((sum, column) => sum + column[i]! * column[j]!, 0),
    );
  });
}
