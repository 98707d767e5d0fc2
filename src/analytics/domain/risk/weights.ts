import { AppError } from '#src/lib/errors.ts';

/**
 * Weights that sum to one, equal ones where the caller sends none. Below zero is a short position.
 *
 * @throws AppError `invalid_request` unless there is one finite weight a symbol and their sum is not zero
 */
export function normaliseWeights(weights: readonly number[] | undefined, count: number): number[] {
  if (weights === undefined) return Array.from({ length: count }, () => 1 / count);
  if (weights.length !== count) {
    throw wrong(`expected one weight a symbol (${count}), got ${weights.length}.`, weights);
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // A sum that is rounding beside its terms would blow the weights up to noise.
  const size = weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  if (!(Number.isFinite(size) && Math.abs(total) > 1e-9 * size)) {
    throw wrong(`expected finite weights whose sum is not zero, got ${weights.join(', ')}.`, weights);
  }
  return weights.map((weight) => weight / total);
}

function wrong(sentence: string, value: readonly number[]): AppError {
  const message = `weights: ${sentence}`;
  return new AppError('invalid_request', message, { errors: [{ field: 'weights', message, value }] });
}
