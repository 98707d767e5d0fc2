import { bucketCount, type DealerPositions } from './dealer-positions.ts';

/** Value and variance of a sum of positions for each of several groups of rows. */
export interface GroupMoments {
  readonly value: Float64Array;
  readonly variance: Float64Array;
}

/**
 * Computes the moments that `estimate` gives for the whole book, for each group in one pass: `group` numbers the rows
 * from 0.
 */
export function groupMoments(
  positions: DealerPositions,
  perContract: Float64Array,
  group: Uint32Array,
  groups: number,
): GroupMoments {
  const { mean, bucket, loading, variance: own } = positions;
  const buckets = bucketCount(bucket);
  const factors = new Float64Array(groups * buckets);
  const value = new Float64Array(groups);
  const variance = new Float64Array(groups);
  for (let i = 0; i < mean.length; i++) {
    const g = group[i]!;
    const c = perContract[i]!;
    value[g]! += c * mean[i]!;
    variance[g]! += c * c * own[i]!;
    factors[g * buckets + bucket[i]!]! += c * loading[i]!;
  }
  for (let g = 0; g < groups; g++) {
    for (let b = 0; b < buckets; b++) variance[g]! += factors[g * buckets + b]! ** 2;
  }
  return { value, variance };
}

/** The strikes of a book, ascending, and the place of each row among them. */
export function strikeGroups(strike: Float64Array): { readonly strikes: Float64Array; readonly group: Uint32Array } {
  const strikes = strike.toSorted().filter((level, i, sorted) => level !== sorted[i - 1]);
  const place = new Map(Array.from(strikes, (level, index) => [level, index]));
  return { strikes, group: Uint32Array.from(strike, (level) => place.get(level)!) };
}
