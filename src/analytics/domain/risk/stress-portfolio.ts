import { marketImpact } from '#src/analytics/domain/regime/market-impact.ts';
import type { StressResult } from './stress-schema.ts';
import { normaliseWeights } from './weights.ts';

/** One underlying's result under a scenario, and what scales its impact. */
export interface PortfolioMember {
  readonly symbol: string;
  /** Any number, below zero for a short position: weights are normalised to sum to one. */
  readonly weight: number;
  readonly result: StressResult;
  /** Dollars traded per day. */
  readonly advUsd: number;
  /** One standard deviation of a day's return before the shock, decimal; null if unknown. */
  readonly sigmaD: number | null;
}

export interface PortfolioStress {
  /** Σ w·net GEX, in $ per +1 % spot. */
  readonly net_gex: number;
  /** Σ w·(x + impact), as a decimal: x·(1 + amplification) where there is a move. Null where an impact is unknown. */
  readonly portfolio_return: number | null;
  readonly status: 'ok' | 'undefined_without_volatility';
  readonly members: readonly {
    readonly symbol: string;
    readonly weight: number;
    /** Share by which dealers' hedging adds to the move (above zero) or takes from it; null without a move of spot. */
    readonly amplification: number | null;
    /** Return that the hedging alone makes, as a decimal; defined without a move of spot, too. */
    readonly impact: number | null;
  }[];
}

/**
 * One scenario over several underlyings (analytics.md 2.13). Impact = 0.7·σ_d·√(|flow|/ADV) with the sign of the
 * dealers' flow, and amplification = impact/x: dealers who buy into a rally add to it. The source writes −impact/x,
 * which has that meaning only for the delta they shed; with its own convention, flow above zero is buying.
 *
 * @throws AppError `invalid_request` unless weights are finite and their sum is not zero.
 */
export function combineStress(members: readonly PortfolioMember[]): PortfolioStress {
  const weights = normaliseWeights(
    members.map(({ weight }) => weight),
    members.length,
  );
  const rows = members.map(({ symbol, result, advUsd, sigmaD }, index) => {
    const x = result.spot_shock_pct / 100;
    const impact = marketImpact(result.hedge_flow, advUsd, sigmaD);
    const amplification = impact === null || x === 0 ? null : impact / x;
    return { symbol, weight: weights[index]!, amplification, impact, x, netGex: result.net_gex };
  });
  const net_gex = rows.reduce((sum, { weight, netGex }) => sum + weight * netGex, 0);
  const status = rows.some(({ impact }) => impact === null) ? 'undefined_without_volatility' : 'ok';
  const all = rows.reduce((sum, { weight, x, impact }) => sum + weight * (x + (impact ?? 0)), 0);
  return {
    net_gex,
    portfolio_return: status === 'ok' ? all : null,
    status,
    members: rows.map(({ symbol, weight, amplification, impact }) => ({ symbol, weight, amplification, impact })),
  };
}
