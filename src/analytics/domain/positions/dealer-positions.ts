import type { Static } from 'typebox';
import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import type { ESTIMATE, GENERATION } from './estimate-schema.ts';

/** Static convention, conditional prior, trade-flow inventory, and the mean of those that state an error. */
export type Generation = Static<typeof GENERATION>;

/** An exposure with its error. */
export type Estimate = Static<typeof ESTIMATE>;

/**
 * Signed contracts of the dealers per row of a book, with their error: row i is mean + loading·z(bucket) + own noise,
 * where all rows of a bucket share one standard normal z and the own noises are independent.
 */
export interface DealerPositions {
  readonly generation: Generation;
  /** Contracts, above zero where dealers are long. */
  readonly mean: Float64Array;
  /** The common factor of each row. */
  readonly bucket: Uint16Array;
  /** Contracts per standard deviation of that factor. */
  readonly loading: Float64Array;
  /** Own variance, contracts². */
  readonly variance: Float64Array;
  /** Share of open interest the generation knows something of, 0 to 1; null without open interest. */
  readonly coverage: number | null;
  /** Share of open interest in contracts listed before the tape begins, 0 to 1; null where no tape is used. */
  readonly censoredShare: number | null;
}

/** Checks whether positions state an error at all: the static convention does not. */
export function statesError({ generation }: Pick<DealerPositions, 'generation'>): boolean {
  return generation !== 1;
}

/**
 * The exposure Σ c·n in the unit of `perContract`, with variance Σ over buckets (Σ c·loading)² + Σ c²·variance.
 * Generation 1 has neither sd nor probability.
 */
export function estimate(positions: DealerPositions, perContract: Float64Array): Estimate {
  const { mean, bucket, loading, variance } = positions;
  const factors = new Float64Array(bucketCount(bucket));
  let value = 0;
  let own = 0;
  for (let i = 0; i < mean.length; i++) {
    const c = perContract[i]!;
    value += c * mean[i]!;
    factors[bucket[i]!]! += c * loading[i]!;
    own += c * c * variance[i]!;
  }
  for (const factor of factors) own += factor * factor;
  return describe(positions, value, own);
}

/** Value and variance as an {@link Estimate}: an exact value is above zero with probability 1 or 0, a zero with ½. */
export function describe(positions: DealerPositions, value: number, variance: number): Estimate {
  const { generation, coverage, censoredShare } = positions;
  const sd = statesError(positions) ? Math.sqrt(variance) : null;
  return {
    value,
    sd,
    p_positive: sd === null ? null : normalCdf(sd > 0 ? value / sd : value === 0 ? 0 : value * Infinity),
    generation,
    coverage,
    censored_share: censoredShare,
  };
}

/** One more than the largest bucket number. */
export function bucketCount(bucket: Uint16Array): number {
  let most = -1;
  for (let i = 0; i < bucket.length; i++) most = Math.max(most, bucket[i]!);
  return most + 1;
}

/** Generations of dealer positions, by which an answer is requested. */
export const generationNames = ['1', '2', '3', 'ensemble'] as const;
export type GenerationName = (typeof generationNames)[number];

/** One value for each generation. */
export type ByGeneration<T> = Readonly<Record<GenerationName, T>>;

/** Makes the value of each generation. */
export function byGeneration<T>(valueOf: (name: GenerationName) => T): ByGeneration<T> {
  return { '1': valueOf('1'), '2': valueOf('2'), '3': valueOf('3'), ensemble: valueOf('ensemble') };
}

/** The generation of a name, as answers state it. */
export function generationOf(name: GenerationName): Generation {
  return name === 'ensemble' ? name : (Number(name) as 1 | 2 | 3);
}
