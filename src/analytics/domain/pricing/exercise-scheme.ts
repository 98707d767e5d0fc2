import { gaussLegendre } from '#src/analytics/domain/numerics/gauss-legendre.ts';

/**
 * Discretisation of the exercise boundary, independent of the option: nodes, quadratures, and how the boundary at every
 * quadrature point follows from the one at the nodes. It holds the scratch space too: threads must not share it.
 */
export interface ExerciseScheme {
  /** Nodes without the one at expiry. */
  readonly nodes: number;
  /** √(time of a node / time of the option): Chebyshev's extrema on (0, 1], from the longest time down. */
  readonly root: Float64Array;
  /** Points per node of the integrals in the equation of the boundary. */
  readonly inner: number;
  /** √(time from the node back to the point / time of the node), and the quadrature's weight in that variable. */
  readonly innerRoot: Float64Array;
  readonly innerWeight: Float64Array;
  /** By node, point and node: the weight of a node's value in the interpolated one. */
  readonly innerMatrix: Float64Array;
  /** The same for the one integral that is the price. */
  readonly outer: number;
  readonly outerRoot: Float64Array;
  readonly outerWeight: Float64Array;
  readonly outerMatrix: Float64Array;
  /** Iterations end when no node moves by more, in ln B. */
  readonly tolerance: number;
  /** ln²(B/B(0)) at the nodes. */
  readonly h: Float64Array;
  /** ln B at the nodes. */
  readonly level: Float64Array;
}

interface Sizes {
  readonly nodes: number;
  readonly inner: number;
  readonly outer: number;
  readonly tolerance: number;
}

/** The tables for so many nodes, points per inner integral and points of the price. */
export function exerciseScheme({ nodes, inner, outer, tolerance }: Sizes): ExerciseScheme {
  const extrema = Float64Array.from({ length: nodes + 1 }, (_, i) => Math.cos((i * Math.PI) / nodes));
  const root = extrema.slice(0, nodes).map((z) => 0.5 * (1 + z));
  const innerRule = angularRule(inner);
  const outerRule = angularRule(outer);
  const rowsOf = (scale: number, cosines: Float64Array) =>
    Array.from(cosines, (cosine) => interpolationRow(extrema, 2 * scale * cosine - 1)).flat();
  return {
    nodes,
    root,
    inner,
    innerRoot: innerRule.sines,
    innerWeight: innerRule.weights,
    innerMatrix: Float64Array.from(Array.from(root, (scale) => rowsOf(scale, innerRule.cosines)).flat()),
    outer,
    outerRoot: outerRule.sines,
    outerWeight: outerRule.weights,
    outerMatrix: Float64Array.from(rowsOf(1, outerRule.cosines)),
    tolerance,
    h: new Float64Array(nodes),
    level: new Float64Array(nodes),
  };
}

/**
 * With time back to the node = time of the node·sin²θ, the root of that time and the root of the time left to expiry,
 * sin θ and cos θ, are both smooth: the boundary depends on the latter. In the source's variable it has a square root.
 */
function angularRule(count: number) {
  const { points, weights } = gaussLegendre(count);
  const angles = points.map((x) => 0.25 * Math.PI * (1 + x));
  const cosines = angles.map(Math.cos);
  return { sines: angles.map(Math.sin), cosines, weights: weights.map((w, k) => 0.25 * Math.PI * w * cosines[k]!) };
}

/** Small and quick: prices within about 3e-7 of the strike. */
export const fastScheme = exerciseScheme({ nodes: 8, inner: 10, outer: 24, tolerance: 1e-6 });

/** Barycentric weights of the nodes at z; the last node, at expiry, has the value zero and is left out. */
function interpolationRow(extrema: Float64Array, z: number): number[] {
  const last = extrema.length - 1;
  const exact = extrema.indexOf(z);
  if (exact >= 0) return Array.from({ length: last }, (_, j) => (j === exact ? 1 : 0));
  const terms = Array.from(extrema, (x, j) => ((j % 2 === 0 ? 1 : -1) * (j === 0 || j === last ? 0.5 : 1)) / (z - x));
  const sum = terms.reduce((total, term) => total + term, 0);
  return terms.slice(0, last).map((term) => term / sum);
}
