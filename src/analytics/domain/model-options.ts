import type { HedgeMove } from './hedge-flow.ts';
import type { HedgingBandsInput } from './hedging-bands.ts';
import type { ModelOptions } from './model-options-schema.ts';

const HOURS = 365 * 24;

/** The moves asked for, in the units of the forecast. */
export function hedgeMoves({ scenarios = [] }: ModelOptions): HedgeMove[] {
  return scenarios.map(({ spot_shock_pct, vol_points, hours }) => ({
    spotReturn: spot_shock_pct / 100,
    years: hours / HOURS,
    volPoints: vol_points,
  }));
}

/** What is set of the hedging band. */
export function bandOptions(options: ModelOptions): Pick<HedgingBandsInput, 'model' | 'cost' | 'riskAversion'> {
  const { band_model: model, cost, risk_aversion: riskAversion } = options;
  return {
    ...(model !== undefined && { model }),
    ...(cost !== undefined && { cost }),
    ...(riskAversion !== undefined && { riskAversion }),
  };
}
