import { dot, largest, perpendicular, solveSquare } from './dense.ts';

/** One linear equality: row·x = value. */
export interface Equality {
  readonly row: readonly number[];
  readonly value: number;
}

/** Points within bounds that meet every equality. Bounds are finite. */
export interface BoxPolytope {
  readonly equalities: readonly Equality[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

export interface Vertex {
  readonly x: readonly number[];
  /** The variables the equalities determine; all others are at a bound. Their columns are independent. */
  readonly basis: readonly number[];
}

/** Largest miss of a bound or an equality (of rows scaled to a largest entry of one) that counts as rounding. */
const FEASIBLE = 1e-9;

/**
 * All vertices of the polytope, by trying each set of bounds: a bounded polytope has a point exactly if it has a vertex,
 * and a linear function is extreme at one, so this answers both questions without a simplex method. For up to six
 * variables: at most 240 candidates.
 */
export function boxVertices({ equalities, lower, upper }: BoxPolytope): Vertex[] {
  const n = lower.length;
  const scaled = equalities.map(scaleEquality);
  const independent = independentRows(scaled);
  const vertices: Vertex[] = [];
  for (const basis of choose(n, independent.length)) {
    const others = Array.from({ length: n }, (_, i) => i).filter((i) => !basis.includes(i));
    for (let sides = 0; sides < 1 << others.length; sides++) {
      const x = Array.from({ length: n }, () => 0);
      for (const [bit, i] of others.entries()) x[i] = (sides >> bit) & 1 ? upper[i]! : lower[i]!;
      const matrix = independent.map(({ row }) => basis.map((i) => row[i]!));
      const right = independent.map(({ row, value }) => value - dot(row, x));
      const solved = solveSquare(matrix, right);
      // A dependent set of columns stays dependent whatever the bounds.
      if (solved === null) break;
      for (const [j, i] of basis.entries()) x[i] = snap(solved[j]!, lower[i]!, upper[i]!);
      if (isFeasible(x, scaled, lower, upper)) vertices.push({ x, basis });
    }
  }
  return vertices;
}

/** The equality with its largest coefficient one; a row of zeros stays as it is. */
export function scaleEquality({ row, value }: Equality): Equality {
  const scale = largest(row) || 1;
  return { row: row.map((entry) => entry / scale), value: value / scale };
}

/** The first rows that do not depend on those before them. */
export function independentRows(equalities: readonly Equality[]): Equality[] {
  const span: number[][] = [];
  return equalities.filter(({ row }) => {
    const rest = largest(row) > 0 ? perpendicular(row, span) : null;
    if (rest !== null) span.push(rest);
    return rest !== null;
  });
}

function isFeasible(
  x: readonly number[],
  equalities: readonly Equality[],
  lower: readonly number[],
  upper: readonly number[],
): boolean {
  const within = x.every((value, i) => value >= lower[i]! && value <= upper[i]!);
  return within && equalities.every(({ row, value }) => Math.abs(dot(row, x) - value) <= FEASIBLE);
}

function snap(value: number, lower: number, upper: number): number {
  if (Math.abs(value - lower) <= FEASIBLE) return lower;
  return Math.abs(value - upper) <= FEASIBLE ? upper : value;
}

function choose(n: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const sets: number[][] = [];
  for (let i = from; i <= n - size; i++) {
    for (const rest of choose(n, size - 1, i + 1)) sets.push([i, ...rest]);
  }
  return sets;
}

/** Least and largest value of a linear function over the polytope of these vertices, of which there is at least one. */
export function extent(vertices: readonly Vertex[], row: readonly number[]): { low: number; high: number } {
  const values = vertices.map(({ x }) => dot(row, x));
  return { low: Math.min(...values), high: Math.max(...values) };
}
