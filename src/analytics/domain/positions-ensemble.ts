import { type DealerPositions, statesError } from './dealer-positions.ts';

/**
 * The inverse-variance mean of generations, row by row. All must be of one book and one table of buckets.
 *
 * Generation 1 takes no part: a convention states no error, and whatever error one made up for it, it knows nothing that
 * the prior of generation 2 does not know already. Null where no generation states an error.
 *
 * A row's common parts are of different factors, one a generation; they are kept as one of the same size. For rows
 * whose coefficients have one sign (gamma's have) that never understates the variance of a sum.
 */
export function ensemblePositions(generations: readonly DealerPositions[]): DealerPositions | null {
  const members = generations.filter(statesError);
  const [first] = members;
  if (!first) return null;
  const rows = first.mean.length;
  const mean = new Float64Array(rows);
  const loading = new Float64Array(rows);
  const variance = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const totals = members.map((member) => member.loading[i]! ** 2 + member.variance[i]!);
    // A row that some generation knows exactly is that generation's.
    const exact = totals.includes(0);
    const weights = totals.map((total) => (exact ? Number(total === 0) : 1 / total));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    let common = 0;
    for (const [m, member] of members.entries()) {
      const weight = weights[m]! / sum;
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
