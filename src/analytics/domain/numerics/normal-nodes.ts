import { inverseNormalCdf } from './normal.ts';

/** Distance of the nodes, in standard deviations, and how many of them are on each side of zero. */
const STEP = 0.25;
const SIDE = 20;

const DENSITIES = Array.from({ length: 2 * SIDE + 1 }, (_, i) => Math.exp(-0.5 * (STEP * (i - SIDE)) ** 2));
const TOTAL = DENSITIES.reduce((sum, density) => sum + density, 0);

/**
 * 41 nodes for the standard normal law, ascending, a quarter of a deviation apart, with weights that sum to one: the
 * trapezoidal rule, which for a smooth function errs under 1e-3, and for a step by no more than half a node's weight. The
 * few nodes of Gauss-Hermite are too far apart for steps: docs/decisions/010.
 */
export const normalNodes: readonly (readonly [node: number, weight: number])[] = DENSITIES.map(
  (density, i) => [STEP * (i - SIDE), density / TOTAL] as const,
);

/** Equiprobable standard normal points: enough that a decile errs by under a hundredth of a deviation. */
const POINTS = Float64Array.from({ length: 401 }, (_, j) => inverseNormalCdf((j + 0.5) / 401));

/** Quantiles of f(Z) from its values at the nodes, linear between them; f need not be monotone. */
export function quantilesOf(values: readonly number[], quantiles: readonly number[]): number[] {
  let k = 0;
  const sorted = POINTS.map((z) => {
    while (k < normalNodes.length - 2 && z > normalNodes[k + 1]![0]) k++;
    const [from, to] = [normalNodes[k]![0], normalNodes[k + 1]![0]];
    return values[k]! + ((z - from) / (to - from)) * (values[k + 1]! - values[k]!);
  }).toSorted();
  return quantiles.map((q) => sorted[Math.min(Math.max(Math.round(q * sorted.length - 0.5), 0), sorted.length - 1)]!);
}
