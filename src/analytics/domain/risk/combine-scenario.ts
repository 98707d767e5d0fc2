import { regime } from '#src/analytics/domain/regime/regime.ts';
import type { ScenarioResult } from './portfolio-stress-schema.ts';
import { combineStress, type PortfolioMember } from './stress-portfolio.ts';
import type { StressResult } from './stress-schema.ts';

const parts = ['delta', 'gamma', 'vega', 'vanna', 'charm', 'theta', 'residual'] as const;

/**
 * One scenario over all underlyings of a portfolio: sums weighted by normalised weights, the regime of the weighted book
 * (by its ratio alone where there are several: a flip is a level of one underlying), and each underlying as it is.
 *
 * @throws AppError `invalid_request` unless weights are finite and their sum is not zero.
 */
export function combineScenario(members: readonly PortfolioMember[]): ScenarioResult {
  const combined = combineStress(members);
  const weights = combined.members.map(({ weight }) => weight);
  const sum = (pick: (result: StressResult) => number) =>
    members.reduce((total, { result }, index) => total + weights[index]! * pick(result), 0);
  const [first] = members;
  const { spot_shock_pct = 0, vol_shock_pct = 0, vol_shift_points = 0, days = 0 } = first?.result ?? {};
  const gexAbs = members.reduce((total, { result }, index) => total + Math.abs(weights[index]!) * result.gex_abs, 0);
  return {
    spot_shock_pct,
    vol_shock_pct,
    vol_points: vol_shift_points,
    days,
    net_gex: combined.net_gex,
    gex_abs: gexAbs,
    regime:
      members.length === 1 && first
        ? first.result.regime
        : regime({ spot: 1, gex: combined.net_gex, gexAbs, flip: null, atmVolatility: null, advUsd: 0 }),
    pnl: {
      unhedged: sum(({ unhedged_pnl }) => unhedged_pnl),
      hedged: sum(({ hedged_pnl }) => hedged_pnl),
      ...(Object.fromEntries(parts.map((part) => [part, sum(({ pnl_parts }) => pnl_parts[part])])) as Record<
        (typeof parts)[number],
        number
      >),
      unit: '$',
    },
    portfolio_return: combined.portfolio_return,
    status: combined.status,
    members: members.map(({ symbol, result }, index) => ({
      symbol,
      weight: weights[index]!,
      amplification: combined.members[index]!.amplification,
      impact: combined.members[index]!.impact,
      result,
    })),
  };
}
