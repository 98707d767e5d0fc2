import { type RandomStream, randomStream } from './random.ts';

/** A statistic with its bootstrap interval. */
export interface BootstrapInterval {
  /** The statistic of the sample itself; null where it is undefined. */
  readonly value: number | null;
  /** Percentile bounds; null where the statistic is undefined on the sample or on most draws. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly draws: number;
  readonly block_length: number;
}

export interface BootstrapOptions {
  readonly seed: string;
  readonly draws?: number;
  /** Mean length of a block; the cube root of the number of rows unless set. */
  readonly blockLength?: number;
  readonly level?: number;
}

/**
 * Stationary bootstrap: blocks of geometric length from random starts, round the end of the sample, so that rows near
 * one another stay together and the resampled series is stationary. The same seed gives the same interval.
 *
 * @param rows in order of time
 * @param statistic of rows; null where it is undefined, and such draws are left out
 * @see D. N. Politis, J. P. Romano, "The stationary bootstrap", JASA 89 (1994)
 */
export function blockBootstrap<Row>(
  rows: readonly Row[],
  statistic: (rows: readonly Row[]) => number | null,
  options: BootstrapOptions,
): BootstrapInterval {
  const { seed, draws = 1000, blockLength = Math.max(1, Math.cbrt(rows.length)), level = 0.95 } = options;
  const value = rows.length === 0 ? null : statistic(rows);
  const empty = { value, lower: null, upper: null, draws: 0, block_length: blockLength };
  if (value === null) return empty;
  const random = randomStream(seed);
  const found: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const indices = stationaryIndices(rows.length, blockLength, random);
    const drawn = statistic(indices.map((i) => rows[i]!));
    if (drawn !== null) found.push(drawn);
  }
  if (found.length * 2 < draws) return empty;
  found.sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  return { ...empty, lower: quantile(found, tail), upper: quantile(found, 1 - tail), draws: found.length };
}

/** Indices of one resample of `size` rows. */
export function stationaryIndices(size: number, blockLength: number, random: RandomStream): number[] {
  const indices: number[] = [];
  let next = 0;
  for (let i = 0; i < size; i++) {
    const starts = i === 0 || random.uniform() * blockLength < 1;
    next = starts ? Math.floor(random.uniform() * size) : (next + 1) % size;
    indices.push(next);
  }
  return indices;
}

/** Quantile of sorted values, linear between neighbours. */
function quantile(sorted: readonly number[], p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!);
}
