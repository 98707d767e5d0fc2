/**
 * Correction of the p-values of tests made together. `bonferroni` multiplies each by the number of tests and holds
 * under any dependence. `holm_sidak` steps down from the smallest, 1 − (1 − p)^(tests left), and is never weaker; it
 * holds for independent tests and, by Šidák's inequality, for two-sided normal ones however they are correlated.
 */
export type Deflation = 'bonferroni' | 'holm_sidak';

/**
 * P-values corrected for their number, in their order. A null (a test that could not be made) stays null and is not
 * counted. A corrected value is never below its p nor above 1, and keeps the order of the p-values.
 *
 * @see S. Holm, Scand. J. Statist. 6 (1979); Z. Šidák, JASA 62 (1967)
 */
export function deflateP(values: readonly (number | null)[], method: Deflation = 'holm_sidak'): (number | null)[] {
  const tests = values.filter((p) => p !== null).length;
  if (method === 'bonferroni') return values.map((p) => (p === null ? null : Math.min(1, p * tests)));
  const deflated: (number | null)[] = values.map(() => null);
  const order = [...values.entries()]
    .filter((entry): entry is [number, number] => entry[1] !== null)
    .toSorted((a, b) => a[1] - b[1]);
  let running = 0;
  for (const [rank, [index, p]] of order.entries()) {
    const left = tests - rank;
    running = Math.max(running, p, p >= 1 ? 1 : -Math.expm1(left * Math.log1p(-p)));
    deflated[index] = Math.min(1, running);
  }
  return deflated;
}
