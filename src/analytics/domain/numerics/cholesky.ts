/**
 * Solves A·x = b for a symmetric positive definite A of `size` rows, given by its lower triangle in row order. A is
 * overwritten by its factor and b by x. False, with both spoilt, where A is not positive definite to working precision.
 *
 * @see G. Golub and C. Van Loan, Matrix Computations, section 4.2
 */
export function solveCholesky(matrix: Float64Array, vector: Float64Array, size: number): boolean {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    for (let j = 0; j <= i; j++) {
      const other = j * size;
      let sum = matrix[row + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!;
      if (j < i) matrix[row + j] = sum * matrix[other + j]!;
      else if (sum > 0) matrix[row + i] = 1 / Math.sqrt(sum);
      else return false;
    }
  }
  // The diagonal holds inverses: a division for each element would cost more than all the rest.
  for (let i = 0; i < size; i++) {
    let sum = vector[i]!;
    for (let k = 0; k < i; k++) sum -= matrix[i * size + k]! * vector[k]!;
    vector[i] = sum * matrix[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = vector[i]!;
    for (let k = i + 1; k < size; k++) sum -= matrix[k * size + i]! * vector[k]!;
    vector[i] = sum * matrix[i * size + i]!;
  }
  return true;
}
