import { activeSetQp, type QuadraticSolution } from '#src/analytics/domain/numerics/active-set-qp.ts';
import { boxVertices, type Equality, extent } from '#src/analytics/domain/numerics/box-vertices.ts';
import { dot, type Matrix, times } from '#src/analytics/domain/numerics/dense.ts';
import type { RegimeState } from '#src/analytics/domain/regime/regime.ts';
import { assertCorrelation } from '#src/analytics/domain/statistics/correlation.ts';
import { AppError } from '#src/lib/errors.ts';
import type { PortfolioOptimum, RegimeMultipliers } from './portfolio-optimize-schema.ts';

/** Calm and lively regimes where history has not measured them (analytics.md 2.13: 0.8 to 1.4). */
export const defaultMultipliers: RegimeMultipliers = {
  strong_positive: 0.8,
  positive: 0.9,
  transition: 1,
  negative: 1.2,
  strong_negative: 1.4,
};

export interface OptimizeMember {
  readonly symbol: string;
  /** Standard deviation of a day's return, decimal. */
  readonly sigmaD: number;
  /** Null without gamma, which counts as transition. */
  readonly regime: RegimeState | null;
  readonly gir: number | null;
  /** Bounds of the weight; 0 and 1 unless set. */
  readonly lower?: number | undefined;
  readonly upper?: number | undefined;
  /** Per year, decimal. */
  readonly expectedReturn?: number | undefined;
}

export interface OptimizeTargets {
  readonly targetReturn?: number | undefined;
  readonly targetGamma?: number | undefined;
  readonly multipliers?: RegimeMultipliers | undefined;
}

interface Constraint extends Equality {
  readonly name: 'budget' | 'target_return' | 'target_gamma';
}

const MAX_MEMBERS = 6;

/**
 * Weights of least variance w′Σw with Σ = D ρ D and D = σ·m(regime), which sum to one, keep their bounds and meet the
 * targets (analytics.md 2.13). Where no weights can, the answer says which constraint and what could be had.
 *
 * @param correlation ρ, one row a member
 * @throws AppError `invalid_request` for no or more than six members, a matrix that is no correlation, figures that are
 * not finite, or a target whose figures are missing
 */
export function optimizePortfolio(
  members: readonly OptimizeMember[],
  correlation: Matrix,
  targets: OptimizeTargets = {},
): PortfolioOptimum {
  checkMembers(members, targets);
  assertCorrelation(correlation, members.length);
  const multipliers = targets.multipliers ?? defaultMultipliers;
  const factors = members.map(({ regime }) => multipliers[regime ?? 'transition']);
  const scale = members.map(({ sigmaD }, i) => sigmaD * factors[i]!);
  const covariance = correlation.map((row, i) => row.map((value, j) => value * scale[i]! * scale[j]!));
  const lower = members.map((member) => member.lower ?? 0);
  const upper = members.map((member) => member.upper ?? 1);
  const equalities = constraints(members, targets);
  const infeasible = explainInfeasible(members, lower, upper, equalities);
  const hessian = covariance.map((row) => row.map((value) => 2 * value));
  const solution = infeasible === null ? activeSetQp({ hessian, equalities, lower, upper }) : null;
  return describe({ members, factors, covariance, equalities, solution, infeasible });
}

function checkMembers(members: readonly OptimizeMember[], { targetReturn, targetGamma }: OptimizeTargets): void {
  if (members.length === 0 || members.length > MAX_MEMBERS) {
    throw new AppError('invalid_request', `expected one to ${MAX_MEMBERS} symbols, got ${members.length}`);
  }
  for (const { symbol, sigmaD, lower = 0, upper = 1, expectedReturn = 0, gir } of members) {
    if (!(sigmaD >= 0 && [sigmaD, lower, upper, expectedReturn, gir ?? 0].every(Number.isFinite))) {
      throw new AppError('invalid_request', `expected finite figures and a sigma of at least zero for ${symbol}`);
    }
    if (targetReturn !== undefined && members.some((member) => member.expectedReturn === undefined)) {
      throw new AppError('invalid_request', 'expected expected_returns beside target_return, one for each symbol');
    }
    if (targetGamma !== undefined && gir === null) {
      throw new AppError(
        'invalid_request',
        `target_gamma needs the gamma of ${symbol}, which is unknown; leave one out`,
      );
    }
  }
}

function constraints(members: readonly OptimizeMember[], { targetReturn, targetGamma }: OptimizeTargets): Constraint[] {
  const list: Constraint[] = [{ name: 'budget', row: members.map(() => 1), value: 1 }];
  if (targetReturn !== undefined) {
    list.push({ name: 'target_return', row: members.map((member) => member.expectedReturn ?? 0), value: targetReturn });
  }
  if (targetGamma !== undefined) {
    list.push({ name: 'target_gamma', row: members.map(({ gir }) => gir ?? 0), value: targetGamma });
  }
  return list;
}

/** The first constraint that cannot be met with those before it; null where all can. */
function explainInfeasible(
  members: readonly OptimizeMember[],
  lower: readonly number[],
  upper: readonly number[],
  equalities: readonly Constraint[],
): PortfolioOptimum['infeasible'] {
  const crossed = members.find((_, i) => lower[i]! > upper[i]!);
  if (crossed !== undefined) {
    const message = `the lower bound of ${crossed.symbol} is above its upper bound`;
    return { constraint: 'bounds', asked: null, attainable_low: null, attainable_high: null, message };
  }
  for (const [k, { name, row, value }] of equalities.entries()) {
    if (boxVertices({ equalities: equalities.slice(0, k + 1), lower, upper }).length > 0) continue;
    const { low, high } = extent(boxVertices({ equalities: equalities.slice(0, k), lower, upper }), row);
    const message = `${name} asks ${value}, and the constraints before it allow ${low} to ${high}`;
    return { constraint: name, asked: value, attainable_low: low, attainable_high: high, message };
  }
  return null;
}

interface Answer {
  readonly members: readonly OptimizeMember[];
  readonly factors: readonly number[];
  readonly covariance: Matrix;
  readonly equalities: readonly Constraint[];
  readonly solution: QuadraticSolution | null;
  readonly infeasible: PortfolioOptimum['infeasible'];
}

function describe({ members, factors, covariance, equalities, solution, infeasible }: Answer): PortfolioOptimum {
  const weights = solution?.x ?? null;
  const variance = weights === null ? null : Math.max(0, dot(weights, times(covariance, weights)));
  const multiplier = (name: Constraint['name']) => {
    const k = equalities.findIndex((item) => item.name === name);
    return k === -1 ? null : (solution?.multipliers.equalities[k] ?? null);
  };
  const sumOf = (figure: (member: OptimizeMember) => number | null | undefined) => {
    const values = members.map((member) => figure(member) ?? null);
    return weights === null || values.includes(null)
      ? null
      : dot(
          weights,
          values.map((value) => value ?? 0),
        );
  };
  return {
    status: solution?.status ?? 'infeasible',
    infeasible,
    variance_d: variance,
    volatility_annual: variance === null ? null : Math.sqrt(252 * variance),
    effective_gamma: sumOf(({ gir }) => gir),
    expected_return: sumOf(({ expectedReturn }) => expectedReturn),
    kkt_residual: solution?.kkt_residual ?? null,
    unique: solution?.unique ?? null,
    budget_multiplier: multiplier('budget'),
    return_multiplier: multiplier('target_return'),
    gamma_multiplier: multiplier('target_gamma'),
    iterations: solution?.iterations ?? 0,
    members: members.map(({ symbol, sigmaD, regime }, i) => ({
      symbol,
      weight: weights?.[i] ?? null,
      sigma_d: sigmaD,
      regime,
      multiplier: factors[i]!,
      risk_share:
        weights === null || variance === null || variance === 0
          ? null
          : (weights[i]! * dot(covariance[i]!, weights)) / variance,
      bound: solution?.active[i] ?? null,
      bound_multiplier: solution === null ? null : solution.multipliers.lower[i]! + solution.multipliers.upper[i]!,
    })),
  };
}
