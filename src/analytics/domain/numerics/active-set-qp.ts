import { type BoxPolytope, boxVertices, type Equality, independentRows, scaleEquality } from './box-vertices.ts';
import { dot, largest, type Matrix, nullSpace, solveSquare, times } from './dense.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

/** Minimise ½xᵀHx + cᵀx over a polytope; H symmetric and positive semi-definite, singular allowed. */
export interface QuadraticProgram extends BoxPolytope {
  readonly hessian: Matrix;
  readonly linear?: readonly number[];
}

export interface QuadraticSolution {
  /** `inaccurate` where the conditions below are not met to 1e-8; not seen with a semi-definite H. */
  readonly status: 'ok' | 'inaccurate';
  readonly x: readonly number[];
  readonly objective: number;
  /** Hx + c = Σ equality multiplier·row + lower − upper. An equality that others imply has multiplier 0. */
  readonly multipliers: {
    readonly equalities: readonly number[];
    readonly lower: readonly number[];
    readonly upper: readonly number[];
  };
  readonly active: readonly ('free' | 'lower' | 'upper' | 'fixed')[];
  /** Largest breach of stationarity and signs (in units of the gradient's scale), feasibility and complementarity. */
  readonly kkt_residual: number;
  /** True where no other point is as good, as far as second-order conditions show. */
  readonly unique: boolean;
  readonly iterations: number;
}

const MAX_STEPS = 500;

/**
 * Primal active-set method for up to six variables: from a vertex, minimise over the free variables within the
 * equalities, stop at the first bound in the way, and free a bound whose multiplier has the wrong sign, the lowest first
 * (Bland), so that a degenerate vertex does not cycle. The working constraints stay independent throughout. Null where
 * no point is feasible.
 *
 * @see J. Nocedal, S. J. Wright, Numerical Optimization (2006), section 16.5
 */
export function activeSetQp(program: QuadraticProgram): QuadraticSolution | null {
  const { hessian, lower, upper } = program;
  const n = lower.length;
  const linear = program.linear ?? lower.map(() => 0);
  const start = boxVertices(program)[0];
  if (start === undefined) return null;
  const scaled = program.equalities.map(scaleEquality);
  const rows = independentRows(scaled);
  const x = [...start.x];
  const free = new Set(start.basis);
  const scale = largest(hessian.map((row) => largest(row))) * Math.max(1, largest(x)) + largest(linear) || 1;
  let settled = false;
  let iterations = 0;
  for (; iterations < MAX_STEPS; iterations++) {
    const gradient = times(hessian, x).map((value, i) => value + linear[i]!);
    const step = settled ? null : descent({ hessian, gradient, rows, free, scale, size: n });
    if (step === null) {
      const { bound } = multipliersOf(rows, gradient, free);
      const wrong = bound.findIndex((z, i) => {
        if (free.has(i) || lower[i] === upper[i]) return false;
        return (x[i] === lower[i] ? -z : z) > 1e-13 * scale;
      });
      if (wrong === -1) break;
      free.add(wrong);
      settled = false;
      continue;
    }
    const blocking = firstBound(x, step, free, program);
    const length = blocking?.length ?? 1;
    for (const i of free) x[i]! += length * step.direction[i]!;
    settled = blocking === null;
    if (blocking === null) continue;
    x[blocking.index] = blocking.value;
    free.delete(blocking.index);
  }
  return certify({ program, linear, scaled, rows, x, free, scale, iterations });
}

interface Search {
  readonly hessian: Matrix;
  readonly gradient: readonly number[];
  readonly rows: readonly Equality[];
  readonly free: ReadonlySet<number>;
  readonly scale: number;
  readonly size: number;
}

interface Step {
  readonly direction: readonly number[];
  /** A direction without curvature goes on until a bound; any other ends at its length. */
  readonly endless: boolean;
}

/** The step to the least value over the free variables; null where there is none to take. */
function descent({ hessian, gradient, rows, free, scale, size }: Search): Step | null {
  const index = [...free].toSorted((a, b) => a - b);
  const { basis } = nullSpace(
    rows.map(({ row }) => index.map((i) => row[i]!)),
    index.length,
  );
  if (basis.length === 0) return null;
  const slope = index.map((i) => gradient[i]!);
  const curvature = basis.map((a) => basis.map((b) => bilinear(hessian, index, a, b)));
  const pairs = symmetricEigen(curvature).map(({ value, vector }) => ({
    value,
    along: index.map((_, j) =>
      dot(
        vector,
        basis.map((column) => column[j]!),
      ),
    ),
  }));
  const flat = pairs.filter(({ value }) => value <= 1e-13 * scale);
  const falling = flat.filter(({ along }) => Math.abs(dot(along, slope)) > 1e-12 * scale);
  const endless = falling.length > 0;
  const used = endless ? falling : pairs.filter((pair) => !flat.includes(pair));
  const direction = Array.from({ length: size }, () => 0);
  for (const { value, along } of used) {
    const amount = -dot(along, slope) / (endless ? scale : value);
    for (const [j, i] of index.entries()) direction[i]! += amount * along[j]!;
  }
  return largest(direction) > 1e-15 ? { direction, endless } : null;
}

function bilinear(matrix: Matrix, index: readonly number[], a: readonly number[], b: readonly number[]): number {
  return index.reduce((sum, i, p) => sum + a[p]! * index.reduce((inner, j, q) => inner + matrix[i]![j]! * b[q]!, 0), 0);
}

interface Blocking {
  readonly index: number;
  readonly value: number;
  readonly length: number;
}

/** The first bound on the way, the lowest index among equals; null where the whole step is free. */
function firstBound(
  x: readonly number[],
  { direction, endless }: Step,
  free: ReadonlySet<number>,
  { lower, upper }: BoxPolytope,
): Blocking | null {
  let first: Blocking | null = null;
  for (let index = 0; index < x.length; index++) {
    const move = direction[index]!;
    if (!free.has(index) || Math.abs(move) < 1e-15 * largest(direction)) continue;
    const value = move > 0 ? upper[index]! : lower[index]!;
    const length = Math.max(0, (value - x[index]!) / move);
    if ((endless || length < 1) && (first === null || length < first.length)) first = { index, value, length };
  }
  return first;
}

/** Multipliers of the equalities from the free variables, and what is left of the gradient at each variable. */
function multipliersOf(rows: readonly Equality[], gradient: readonly number[], free: ReadonlySet<number>) {
  const index = [...free];
  const parts = rows.map(({ row }) => index.map((i) => row[i]!));
  const slope = index.map((i) => gradient[i]!);
  const y = solveSquare(
    parts.map((a) => parts.map((b) => dot(a, b))),
    parts.map((a) => dot(a, slope)),
  );
  const equality = y ?? rows.map(() => 0);
  const bound = gradient.map((value, i) => value - rows.reduce((sum, { row }, k) => sum + equality[k]! * row[i]!, 0));
  return { equality, bound };
}

interface End {
  readonly program: QuadraticProgram;
  readonly linear: readonly number[];
  readonly scaled: readonly Equality[];
  readonly rows: readonly Equality[];
  readonly x: readonly number[];
  readonly free: ReadonlySet<number>;
  readonly scale: number;
  readonly iterations: number;
}

/** Measures the point against the conditions of Karush, Kuhn and Tucker, independently of how it was found. */
function certify({ program, linear, scaled, rows, x, free, scale, iterations }: End): QuadraticSolution {
  const { hessian, lower, upper, equalities } = program;
  const gradient = times(hessian, x).map((value, i) => value + linear[i]!);
  const { equality, bound } = multipliersOf(rows, gradient, free);
  const low = bound.map((z, i) => (x[i] === lower[i] ? Math.max(0, z) : 0));
  const high = bound.map((z, i) => (x[i] === upper[i] ? Math.max(0, -z) : 0));
  const breaches = [
    ...bound.map((z, i) => (z - low[i]! + high[i]!) / scale),
    ...scaled.map(({ row, value }) => dot(row, x) - value),
    ...x.map((value, i) => Math.max(0, lower[i]! - value, value - upper[i]!)),
  ];
  const kkt = largest(breaches);
  const idle = x.map((_, i) => i).filter((i) => Math.max(low[i]!, high[i]!) <= 1e-10 * scale && lower[i] !== upper[i]);
  return {
    status: kkt <= 1e-8 ? 'ok' : 'inaccurate',
    x,
    objective: 0.5 * dot(x, times(hessian, x)) + dot(linear, x),
    multipliers: {
      // Of the caller's rows, not of those scaled to one.
      equalities: scaled.map((item, i) => {
        const k = rows.indexOf(item);
        return k === -1 ? 0 : equality[k]! / (largest(equalities[i]!.row) || 1);
      }),
      lower: low,
      upper: high,
    },
    active: x.map((value, i) => {
      if (lower[i] === upper[i]) return 'fixed';
      if (value === lower[i]) return 'lower';
      return value === upper[i] ? 'upper' : 'free';
    }),
    kkt_residual: kkt,
    unique: isStrict(hessian, rows, idle, scale),
    iterations,
  };
}

/** Checks whether H bends up in every direction that the equalities leave to the variables that are not at a bound. */
function isStrict(hessian: Matrix, rows: readonly Equality[], index: readonly number[], scale: number): boolean {
  const { basis } = nullSpace(
    rows.map(({ row }) => index.map((i) => row[i]!)),
    index.length,
  );
  const curvature = basis.map((a) => basis.map((b) => bilinear(hessian, index, a, b)));
  return symmetricEigen(curvature).every(({ value }) => value > 1e-12 * scale);
}
