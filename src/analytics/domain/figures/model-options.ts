import type { SmileDynamics } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import type { HedgeMove } from '#src/analytics/domain/hedging/hedge-flow.ts';
import type { HedgingBandsInput } from '#src/analytics/domain/hedging/hedging-bands.ts';
import type { ModelOptions } from './model-options-schema.ts';

const HOURS = 365 * 24;

/** The requested moves, in the units of the forecast. */
export function hedgeMoves({ scenarios = [] }: ModelOptions): HedgeMove[] {
  return scenarios.map(({ spot_shock_pct, vol_points, hours }) => ({
    spotReturn: spot_shock_pct / 100,
    years: hours / HOURS,
    volPoints: vol_points,
  }));
}

/** The smile under which flips are looked for; null for sticky strikes, under which they are known. */
export function flipDynamics({ vol_regime, ssr }: ModelOptions, skewAt: SmileDynamics['skewAt']): SmileDynamics | null {
  const regime = vol_regime ?? (ssr === undefined ? 'sticky_strike' : 'ssr');
  return regime === 'sticky_strike' ? null : { regime, skewAt, ...(ssr !== undefined && { ssr }) };
}

/** Selects the options of the hedging band. */
export function bandOptions(options: ModelOptions): Pick<HedgingBandsInput, 'model' | 'cost' | 'riskAversion'> {
  const { band_model: model, cost, risk_aversion: riskAversion } = options;
  return {
    ...(model !== undefined && { model }),
    ...(cost !== undefined && { cost }),
    ...(riskAversion !== undefined && { riskAversion }),
  };
}
