import { inverseNormalCdf } from './normal.ts';

/** Nodes above zero, in standard deviations, and weights that sum to one with those below and the one at zero. */
const HALF = [
  [0.7991290683245481, 0.2324622936097323],
  [1.6067100690287297, 0.08941779539984439],
  [2.432436827009758, 0.017365774492137616],
  [3.289082424398767, 0.0015673575035499558],
  [4.1962077112690155, 5.642146405189015e-5],
  [5.190093591304782, 5.975419597920582e-7],
  [6.3639478888298395, 8.589649899633293e-10],
] as const;

/**
 * The 15 nodes of Gauss-Hermite for the standard normal law, ascending: exact for polynomials up to degree 29.
 *
 * @see M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, table 25.10
 */
export const normalNodes: readonly (readonly [node: number, weight: number])[] = [
  ...HALF.map(([z, w]) => [-z, w] as const).toReversed(),
  [0, 0.3182595182595182],
  ...HALF,
];

/** Equiprobable standard normal points: enough that a decile errs by under a hundredth of a deviation. */
const POINTS = Float64Array.from({ length: 401 }, (_, j) => inverseNormalCdf((j + 0.5) / 401));

/** Quantiles of f(Z) from its values at the 15 nodes, linear between them; f need not be monotone. */
export function quantilesOf(values: readonly number[], quantiles: readonly number[]): number[] {
  let k = 0;
  const sorted = POINTS.map((z) => {
    while (k < normalNodes.length - 2 && z > normalNodes[k + 1]![0]) k++;
    const [from, to] = [normalNodes[k]![0], normalNodes[k + 1]![0]];
    return values[k]! + ((z - from) / (to - from)) * (values[k + 1]! - values[k]!);
  }).toSorted();
  return quantiles.map((q) => sorted[Math.min(Math.max(Math.round(q * sorted.length - 0.5), 0), sorted.length - 1)]!);
}
