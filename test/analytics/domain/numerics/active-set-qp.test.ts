import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activeSetQp, type QuadraticProgram } from '#src/analytics/domain/numerics/active-set-qp.ts';
import { boxVertices } from '#src/analytics/domain/numerics/box-vertices.ts';
import { dot, type Matrix, times } from '#src/analytics/domain/numerics/dense.ts';
import { symmetricEigen } from '#src/analytics/domain/numerics/symmetric-eigen.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';

const objective = ({ hessian, linear }: QuadraticProgram, x: readonly number[]) =>
  0.5 * dot(x, times(hessian, x)) + (linear === undefined ? 0 : dot(linear, x));

/** A random program: any rank of H from 0 up, bounds that may coincide or be tight, up to three equalities. */
function randomProgram(seed: string): QuadraticProgram {
  const random = randomStream(seed);
  const n = 1 + Math.floor(random.uniform() * 6);
  const rank = Math.floor(random.uniform() * (n + 2));
  const factor = Array.from({ length: rank }, () => Array.from({ length: n }, () => random.normal()));
  const size = 10 ** (-4 * random.uniform());
  const hessian = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (__, j) => size * factor.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
  );
  const lower = Array.from({ length: n }, () => -random.uniform());
  const upper = lower.map((low) => low + (random.uniform() < 0.15 ? 0 : 2 * random.uniform()));
  // Passing through a point of the box makes most programs feasible; a point at its corner makes them degenerate.
  const corner = random.uniform() < 0.3;
  const point = lower.map(
    (low, i) => low + (corner ? Math.round(random.uniform()) : random.uniform()) * (upper[i]! - low),
  );
  const equalities = Array.from({ length: Math.floor(random.uniform() * 4) }, (_, k) => {
    const row = point.map(() => (k === 0 ? 1 : random.normal()));
    return { row, value: dot(row, point) };
  });
  const linear = point.map(() => (random.uniform() < 0.5 ? 0 : size * random.normal()));
  return { hessian, linear, equalities, lower, upper };
}

const seeds = Array.from({ length: 1500 }, (_, i) => `program ${i}`);

test('1,500 random programs, singular and degenerate ones among them, meet the KKT conditions to 1e-10', () => {
  for (const seed of seeds) {
    const solution = activeSetQp(randomProgram(seed));
    expect(solution, seed).not.toBe(null);
    expect(solution!.kkt_residual, seed).toBeLessThan(1e-10);
    expect(solution!.iterations, seed).toBeLessThan(60);
  }
});

test('the conditions hold as the caller would check them: gradient = rows and bounds, signs, complementarity', () => {
  for (const seed of seeds.slice(0, 300)) {
    const program = randomProgram(seed);
    const { x, multipliers } = activeSetQp(program)!;
    const gradient = times(program.hessian, x).map((value, i) => value + program.linear![i]!);
    for (const [i, value] of gradient.entries()) {
      const push = program.equalities.reduce((sum, { row }, k) => sum + multipliers.equalities[k]! * row[i]!, 0);
      expect(push + multipliers.lower[i]! - multipliers.upper[i]!).toBeCloseTo(value, 9);
      expect(Math.min(multipliers.lower[i]!, multipliers.upper[i]!)).toBeGreaterThanOrEqual(0);
      if (multipliers.lower[i]! > 0) expect(x[i]).toBe(program.lower[i]);
      if (multipliers.upper[i]! > 0) expect(x[i]).toBe(program.upper[i]);
    }
  }
});

test('no random feasible point is better', () => {
  for (const seed of seeds.slice(0, 400)) {
    const program = randomProgram(seed);
    const best = activeSetQp(program)!.objective;
    const random = randomStream(`${seed} points`);
    const vertices = boxVertices(program);
    for (let draw = 0; draw < 40; draw++) {
      // Mixtures of vertices are feasible, and every feasible point is one.
      const mix = vertices.map(() => -Math.log(random.uniform()) * (random.uniform() < 0.5 ? 1 : 0));
      const total = mix.reduce((sum, value) => sum + value, 0);
      if (total === 0) continue;
      const point = program.lower.map((_, i) => vertices.reduce((sum, { x }, v) => sum + (mix[v]! * x[i]!) / total, 0));
      expect(best).toBeLessThanOrEqual(objective(program, point) + 1e-12);
    }
  }
});

test('a program is infeasible exactly when elimination in integers says so', () => {
  const level = fc.integer({ min: -2, max: 2 });
  const row = fc.tuple(level, level, level);
  const equality = fc.record({ row, value: fc.integer({ min: -4, max: 4 }) });
  let infeasible = 0;
  fc.assert(
    fc.property(fc.array(equality, { minLength: 1, maxLength: 2 }), row, row, (equalities, low, width) => {
      const lower = low;
      const upper = low.map((value, i) => value + Math.abs(width[i]!));
      const found = activeSetQp({
        hessian: [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        equalities,
        lower,
        upper,
      });
      const exact = feasibleByElimination(equalities, lower, upper);
      if (!exact) infeasible++;
      expect(found !== null).toBe(exact);
    }),
    { numRuns: 600 },
  );
  expect(infeasible).toBeGreaterThan(100);
});

interface Row {
  readonly row: readonly number[];
  readonly value: number;
}

/** Feasibility in exact integers by Fourier and Motzkin: nothing shared with what is tested. */
function feasibleByElimination(
  equalities: readonly Row[],
  lower: readonly number[],
  upper: readonly number[],
): boolean {
  // Each inequality is Σ a·x ≤ b.
  let system: { a: number[]; b: number }[] = equalities.flatMap(({ row, value }) => [
    { a: [...row], b: value },
    { a: row.map((entry) => -entry), b: -value },
  ]);
  for (const [i, low] of lower.entries()) {
    const unit = lower.map((_, j) => (i === j ? 1 : 0));
    system.push({ a: unit, b: upper[i]! }, { a: unit.map((entry) => -entry), b: -low });
  }
  for (let i = 0; i < lower.length; i++) {
    const above = system.filter(({ a }) => a[i]! > 0);
    const below = system.filter(({ a }) => a[i]! < 0);
    const rest = system.filter(({ a }) => a[i] === 0);
    for (const p of above) {
      for (const q of below) {
        const [s, t] = [-q.a[i]!, p.a[i]!];
        rest.push({ a: p.a.map((entry, j) => s * entry + t * q.a[j]!), b: s * p.b + t * q.b });
      }
    }
    system = rest;
  }
  return system.every(({ b }) => b >= 0);
}

test('two variables by hand: min x² + 2y², x + y = 1 is x = 2/3, and with x ≤ ½ the bound pays 1', () => {
  const program = {
    hessian: [
      [2, 0],
      [0, 4],
    ],
    equalities: [{ row: [1, 1], value: 1 }],
    lower: [0, 0],
    upper: [1, 1],
  };
  const open = activeSetQp(program)!;
  expect(open.x).toEqual([expect.closeTo(2 / 3, 14), expect.closeTo(1 / 3, 14)]);
  expect(open.multipliers.equalities[0]).toBeCloseTo(4 / 3, 13);
  const held = activeSetQp({ ...program, upper: [0.5, 1] })!;
  expect(held).toMatchObject({ x: [0.5, expect.closeTo(0.5, 14)], active: ['upper', 'free'], unique: true });
  // Gradient (1, 2) = 2·(1, 1) − 1·(1, 0).
  expect(held.multipliers).toEqual({
    equalities: [expect.closeTo(2, 13)],
    lower: [0, 0],
    upper: [expect.closeTo(1, 13), 0],
  });
});

test('without curvature it is a linear program, solved at a vertex; a flat optimum is called not unique', () => {
  const zero: Matrix = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const box = { equalities: [{ row: [1, 1, 1], value: 1 }], lower: [0, 0, 0], upper: [0.6, 0.6, 0.6] };
  const linear = activeSetQp({ hessian: zero, linear: [3, 1, 2], ...box })!;
  expect(linear.x.map((value) => Math.round(value * 1e12) / 1e12)).toEqual([0, 0.6, 0.4]);
  expect(linear.unique).toBe(true);
  expect(activeSetQp({ hessian: zero, ...box })!).toMatchObject({ objective: 0, unique: false });
});

test('Jacobi’s eigenpairs rebuild the matrix', () => {
  for (const seed of seeds.slice(0, 100)) {
    const { hessian } = randomProgram(seed);
    const pairs = symmetricEigen(hessian);
    for (const [i, row] of hessian.entries()) {
      for (const [j, value] of row.entries()) {
        const rebuilt = pairs.reduce((sum, pair) => sum + pair.value * pair.vector[i]! * pair.vector[j]!, 0);
        expect(rebuilt).toBeCloseTo(value, 12);
      }
    }
  }
});
