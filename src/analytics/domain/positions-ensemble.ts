import { type DealerPositions, statesError } from './dealer-positions.ts';

/**
 * The inverse-variance mean of generations, row by row. All must be of one book and one table of buckets, and the prior
 * must have been given today's volume wherever the inventory has today's trades.
 *
 * Generation 1 takes no part: a convention states no error, and whatever error one made up for it, it knows nothing that
 * the prior of generation 2 does not know already. Null where no generation states an error.
 *
 * `ignorance` is the variance that generation 3 has of a row before any trade (`flowFrame`): its precision counts
 * only beyond that. To know merely that a position lies within its bound is no measurement of zero; without this an
 * empty tape would draw the prior towards zero and claim to have narrowed it.
 *
 * A row's common parts are of different factors, one a generation; they are kept as one of the same size. For rows
 * whose coefficients have one sign (gamma's have) that never understates the variance of a sum.
 */
export function ensemblePositions(
  generations: readonly DealerPositions[],
  ignorance?: Float64Array,
): DealerPositions | null {
  const members = generations.filter(statesError);
  const [first] = members;
  if (!first) return null;
  const rows = first.mean.length;
  const mean = new Float64Array(rows);
  const loading = new Float64Array(rows);
  const variance = new Float64Array(rows);
  const weights = new Float64Array(members.length);
  for (let i = 0; i < rows; i++) {
    weigh(members, i, ignorance?.[i] ?? Infinity, weights);
    let common = 0;
    for (let m = 0; m < members.length; m++) {
      const member = members[m]!;
      const weight = weights[m]!;
      mean[i]! += weight * member.mean[i]!;
      common += (weight * member.loading[i]!) ** 2;
      variance[i]! += weight * weight * member.variance[i]!;
    }
    loading[i] = Math.sqrt(common);
  }
  return {
    generation: 'ensemble',
    mean,
    bucket: first.bucket,
    loading,
    variance,
    coverage: most(members.map(({ coverage }) => coverage)),
    censoredShare: most(members.map(({ censoredShare }) => censoredShare)),
  };
}

/** What any of them covers, the mean covers. */
function most(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

/** Weights of one row, summing to one. A row that some generation knows exactly is that generation's. */
function weigh(members: readonly DealerPositions[], row: number, ignorance: number, weights: Float64Array): void {
  let sum = 0;
  let exact = 0;
  for (let m = 0; m < members.length; m++) {
    const { generation, loading, variance } = members[m]!;
    const total = loading[row]! ** 2 + variance[row]!;
    if (total === 0) {
      exact++;
      weights[m] = Infinity;
      continue;
    }
    const precision = 1 / total - (generation === 3 ? 1 / ignorance : 0);
    // Within rounding of the two, nothing was learnt.
    const weight = precision > 1e-9 / ignorance ? precision : 0;
    weights[m] = weight;
    sum += weight;
  }
  for (let m = 0; m < weights.length; m++) {
    const weight = weights[m]!;
    if (exact > 0) weights[m] = weight === Infinity ? 1 / exact : 0;
    else weights[m] = sum > 0 ? weight / sum : 1 / members.length;
  }
}
