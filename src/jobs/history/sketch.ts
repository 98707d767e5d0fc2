/*
 * Counts of times by the range they fell into: buckets whose bounds grow by a fixed factor, so that adding up two sketches
 * bucket by bucket is the sketch of both. Whatever was put in, and however often sketches were added up, a quantile is off by
 * at most the share below, and by a millisecond where that is more.
 */

/** Upper bound of a bucket over its lower bound. */
export const GROWTH = 1.08;
/** Upper bound of bucket 0, in seconds: shorter times are not told apart. */
export const SHORTEST = 0.001;
/** Largest error of a quantile, as a share of it: a value is taken for the middle of its bucket. */
export const SKETCH_ERROR = (GROWTH - 1) / (GROWTH + 1);

/** Count of each bucket that is not empty, by its number. */
export type Sketch = Readonly<Record<string, number>>;

/** Number of the bucket of a time in seconds; the statement that fills the history counts the same way. */
export function bucketOf(seconds: number): number {
  return seconds <= SHORTEST ? 0 : Math.ceil(Math.log(seconds / SHORTEST) / Math.log(GROWTH));
}

/** The time in seconds that stands for all times of a bucket: as far from its lower bound as from its upper, in shares. */
function secondsOf(bucket: number): number {
  return bucket === 0 ? SHORTEST : (2 * SHORTEST * GROWTH ** bucket) / (GROWTH + 1);
}

/** The sketch of all that these are sketches of. */
export function mergeSketches(sketches: readonly Sketch[]): Sketch {
  const sum: Record<string, number> = {};
  for (const sketch of sketches)
    for (const [bucket, count] of Object.entries(sketch)) sum[bucket] = (sum[bucket] ?? 0) + count;
  return sum;
}

/** Number of times in a sketch. */
export function countOf(sketch: Sketch): number {
  return Object.values(sketch).reduce((sum, count) => sum + count, 0);
}

/**
 * Quantiles of a sketch, in seconds, in the order of `shares` (0 to 1, ascending): the smallest time that at least this
 * share of all times does not pass. Null for an empty sketch.
 */
export function quantilesOf(sketch: Sketch, shares: readonly number[]): readonly (number | null)[] {
  const total = countOf(sketch);
  if (total === 0) return shares.map(() => null);
  const buckets = Object.entries(sketch)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .toSorted(([a], [b]) => a - b);
  let place = 0;
  let below = buckets[0]?.[1] ?? 0;
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    while (below < rank && place < buckets.length - 1) below += buckets[++place]?.[1] ?? 0;
    return secondsOf(buckets[place]?.[0] ?? 0);
  });
}
