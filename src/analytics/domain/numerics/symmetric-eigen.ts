import type { Matrix } from './dense.ts';

export interface EigenPair {
  readonly value: number;
  /** Eigenvector of length one. */
  readonly vector: readonly number[];
}

/**
 * Eigenvalues and orthonormal eigenvectors of a symmetric matrix by Jacobi rotations, in no particular order; accurate
 * to rounding of the largest one. For small matrices.
 *
 * @see G. H. Golub, C. F. Van Loan, Matrix Computations, section 8.5
 */
export function symmetricEigen(matrix: Matrix): EigenPair[] {
  const n = matrix.length;
  const a = matrix.map((row) => [...row]);
  const vectors = matrix.map((_, i) => matrix.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        off = Math.max(off, Math.abs(a[p]![q]!));
        rotate(a, vectors, p, q);
      }
    }
    if (off === 0) break;
  }
  return a.map((row, i) => ({ value: row[i]!, vector: vectors.map((entries) => entries[i]!) }));
}

function rotate(a: number[][], vectors: number[][], p: number, q: number): void {
  const entry = a[p]![q]!;
  if (Math.abs(entry) < 1e-300 || Math.abs(entry) < 1e-17 * Math.max(Math.abs(a[p]![p]!), Math.abs(a[q]![q]!))) {
    a[p]![q] = 0;
    a[q]![p] = 0;
    return;
  }
  const theta = (a[q]![q]! - a[p]![p]!) / (2 * entry);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  for (const row of a) turn(row, p, q, c, s);
  const [rowP, rowQ] = [[...a[p]!], [...a[q]!]];
  for (let j = 0; j < a.length; j++) {
    a[p]![j] = c * rowP[j]! - s * rowQ[j]!;
    a[q]![j] = s * rowP[j]! + c * rowQ[j]!;
  }
  for (const row of vectors) turn(row, p, q, c, s);
}

function turn(row: number[], p: number, q: number, c: number, s: number): void {
  const [x, y] = [row[p]!, row[q]!];
  row[p] = c * x - s * y;
  row[q] = s * x + c * y;
}
