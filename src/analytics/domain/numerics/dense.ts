/** Small dense matrices: rows of numbers. For sizes up to about ten; no blocking, no reuse of memory. */
export type Matrix = readonly (readonly number[])[];

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

export function times(matrix: Matrix, vector: readonly number[]): number[] {
  return matrix.map((row) => dot(row, vector));
}

export function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The solution of a square system by elimination with row pivots; null where a pivot is below 1e-12 of the matrix. */
export function solveSquare(matrix: Matrix, right: readonly number[]): number[] | null {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const least = 1e-12 * largest(matrix.map((row) => largest(row)));
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let i = column + 1; i < n; i++) {
      if (Math.abs(rows[i]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = i;
    }
    if (!(Math.abs(rows[pivot]![column]!) > least)) return null;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let i = column + 1; i < n; i++) subtract(rows[i]!, rows[column]!, rows[i]![column]! / rows[column]![column]!);
  }
  const solution: number[] = Array.from({ length: n }, () => 0);
  for (let i = n - 1; i >= 0; i--) {
    solution[i] = (rows[i]![n]! - dot(rows[i]!.slice(i + 1, n), solution.slice(i + 1))) / rows[i]![i]!;
  }
  return solution;
}

function subtract(row: number[], other: readonly number[], factor: number): void {
  for (let j = 0; j < row.length; j++) row[j]! -= factor * other[j]!;
}

/** Orthonormal vectors that span what is orthogonal to the rows; `rank` is how many of the rows are independent. */
export function nullSpace(rows: Matrix, size: number): { readonly basis: Matrix; readonly rank: number } {
  const span: number[][] = [];
  for (const row of rows) {
    const rest = perpendicular(row, span);
    if (rest !== null) span.push(rest);
  }
  const basis: number[][] = [];
  while (span.length + basis.length < size) {
    // The unit vector that is farthest from what is spanned keeps the basis well conditioned.
    const units = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => (i === j ? 1 : 0)));
    const left = units.map((unit) => remainder(unit, [...span, ...basis]));
    const best = left.reduce((most, vector) => (dot(vector, vector) > dot(most, most) ? vector : most));
    basis.push(normalise(remainder(best, [...span, ...basis])));
  }
  return { basis, rank: span.length };
}

/** The row's part off the others, of length one; null where that part is rounding. */
export function perpendicular(row: readonly number[], others: Matrix): number[] | null {
  const rest = remainder(row, others);
  return Math.sqrt(dot(rest, rest)) > 1e-10 * Math.sqrt(dot(row, row)) ? normalise(remainder(rest, others)) : null;
}

function remainder(vector: readonly number[], others: Matrix): number[] {
  const rest = [...vector];
  for (const other of others) subtract(rest, other, dot(rest, other));
  return rest;
}

function normalise(vector: readonly number[]): number[] {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}
