import type { RegimeState } from '#src/analytics/domain/regime/regime.ts';
import type { PortfolioAnalysis } from './portfolio-analyze-schema.ts';
import { normaliseWeights } from './weights.ts';

/** Figures of one underlying that the analysis needs. */
export interface PortfolioUnderlying {
  readonly symbol: string;
  /** $ of dealer delta per +1 % spot. */
  readonly netGex: number;
  readonly gexAbs: number;
  /** Change for a change of one of SPX; SPX has 1, null without a return history. */
  readonly beta: number | null;
  /** Share of a day's volume on a one-sigma move; null without a volatility. */
  readonly gir: number | null;
  readonly regime: RegimeState | null;
}

/**
 * Dealer gamma of a portfolio (analytics.md 2.13). A rise of SPX by 1 % moves a symbol by β %, and a dollar of its delta
 * is worth β dollars of SPX delta: gamma is adjusted by β².
 *
 * @throws AppError `invalid_request` for weights that cannot be normalised
 */
export function analyzePortfolio(
  underlyings: readonly PortfolioUnderlying[],
  weights?: readonly number[],
): PortfolioAnalysis {
  const normalised = normaliseWeights(weights, underlyings.length);
  const members = underlyings.map(({ symbol, netGex, beta, gir, regime }, i) => {
    const weight = normalised[i]!;
    const weighted = weight * netGex;
    return {
      symbol,
      weight,
      net_gex: netGex,
      weighted_gex: weighted,
      beta,
      weighted_gex_spx: beta === null ? null : weighted * beta * beta,
      gir,
      regime,
    };
  });
  const noBeta = members.some(({ beta }) => beta === null);
  const noGir = members.some(({ gir }) => gir === null);
  return {
    net_gex: members.reduce((sum, { weighted_gex }) => sum + weighted_gex, 0),
    gex_abs: underlyings.reduce((sum, { gexAbs }, i) => sum + Math.abs(normalised[i]!) * gexAbs, 0),
    net_gex_spx: noBeta ? null : members.reduce((sum, { weighted_gex_spx }) => sum + weighted_gex_spx!, 0),
    effective_gamma: noGir ? null : members.reduce((sum, { weight, gir }) => sum + weight * gir!, 0),
    status: missing(noBeta, noGir),
    unit: '$ of dealer delta gained per +1 % spot',
    members,
  };
}

function missing(noBeta: boolean, noGir: boolean): PortfolioAnalysis['status'] {
  if (noBeta) return noGir ? 'missing_beta_and_volatility' : 'missing_beta';
  return noGir ? 'missing_volatility' : 'ok';
}
