import { bucketCount, type DealerPositions, estimate, statesError } from './dealer-positions.ts';

export interface EnsembleOptions {
  /** Amount that one contract held long adds to net gamma, per row: the figure whose errors decide the weights. */
  readonly gammaPerContract: Float64Array;
  /** Variance that generation 3 has of each row before any trade (`flowFrame`), contracts². */
  readonly ignorance?: Float64Array | undefined;
}

/**
 * The inverse-variance mean of generations, combined at the figure: each generation has one weight for the whole book,
 * by the variance of its net gamma. So every figure that is a sum over positions (GEX, DEX, VEX, CEX, each strike and
 * expiry) lies between those of the members, and strikes still add up to the total. Weights row by row would be
 * sharper where the errors of rows are independent, but sums of such rows can lie outside both members
 * (docs/decisions/013).
 *
 * All must be of one book and one table of buckets, and the prior must have been given today's volume wherever the
 * inventory has today's trades. Generation 1 takes no part: a convention states no error. Null where no generation
 * states one.
 *
 * With `ignorance` the precision of generation 3 counts only beyond that of an empty tape: to know merely that a
 * position lies within its bound is no measurement of zero.
 *
 * A row's common parts are of different factors, one a generation; they are kept as one of the same size. For rows
 * whose coefficients have one sign (gamma's have) that never understates the variance of a sum.
 */
export function ensemblePositions(
  generations: readonly DealerPositions[],
  { gammaPerContract, ignorance }: EnsembleOptions,
): DealerPositions | null {
  const members = generations.filter(statesError);
  const [first] = members;
  if (!first) return null;
  const weights = weightsOf(members, gammaPerContract, ignorance);
  const rows = first.mean.length;
  const mean = new Float64Array(rows);
  const loading = new Float64Array(rows);
  const variance = new Float64Array(rows);
  for (const [m, member] of members.entries()) {
    const weight = weights[m]!;
    for (let i = 0; i < rows; i++) {
      mean[i]! += weight * member.mean[i]!;
      loading[i]! += (weight * member.loading[i]!) ** 2;
      variance[i]! += weight * weight * member.variance[i]!;
    }
  }
  return {
    generation: 'ensemble',
    mean,
    bucket: first.bucket,
    loading: loading.map(Math.sqrt),
    variance,
    coverage: most(members.map(({ coverage }) => coverage)),
    censoredShare: most(members.map(({ censoredShare }) => censoredShare)),
  };
}

/** Returns the largest share: the mean covers all that any of its members covers. */
function most(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

/** Precisions of net gamma over their sum. A generation that knows net gamma exactly takes all the weight. */
function weightsOf(
  members: readonly DealerPositions[],
  gamma: Float64Array,
  ignorance: Float64Array | undefined,
): number[] {
  const variances = members.map((member) => (estimate(member, gamma).sd ?? 0) ** 2);
  const exact = variances.filter((variance) => variance === 0).length;
  if (exact > 0) return variances.map((variance) => (variance === 0 ? 1 / exact : 0));
  const precisions = members.map((member, m) => {
    const own = 1 / variances[m]!;
    if (member.generation !== 3 || ignorance === undefined) return own;
    const nothing = 1 / varianceBefore(member, gamma, ignorance);
    // Within rounding of the two, nothing was learnt.
    return own - nothing > 1e-9 * nothing ? own - nothing : 0;
  });
  const sum = precisions.reduce((total, precision) => total + precision, 0);
  return precisions.map((precision) => (sum > 0 ? precision / sum : 1 / members.length));
}

/** Variance of net gamma where nothing but the bound of each row is known; common to its bucket, as what is unseen. */
function varianceBefore({ bucket }: DealerPositions, gamma: Float64Array, ignorance: Float64Array): number {
  const factors = new Float64Array(bucketCount(bucket));
  for (let i = 0; i < gamma.length; i++) factors[bucket[i]!]! += gamma[i]! * Math.sqrt(ignorance[i]!);
  return factors.reduce((sum, factor) => sum + factor * factor, 0);
}
