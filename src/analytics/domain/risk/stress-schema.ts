import { type Static, Type } from 'typebox';
import { REGIME } from '#src/analytics/domain/regime/regime-schema.ts';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

/** One scenario: any of the first four; what is left out is zero. */
export const StressScenario = closed(
  {
    spot_shock_pct: Type.Optional(
      Type.Number({ exclusiveMinimum: -100, maximum: 1000, description: 'Change of spot, percent' }),
    ),
    vol_shock_pct: Type.Optional(
      Type.Number({
        exclusiveMinimum: -100,
        maximum: 1000,
        description: 'Relative change of every volatility, percent',
      }),
    ),
    vol_points: Type.Optional(
      Type.Number({
        minimum: -500,
        maximum: 500,
        description:
          'Points added to every volatility, after the relative change: 5 takes 20 % to 25 %; a tenth of each always stays',
      }),
    ),
    days: Type.Optional(
      Type.Number({ minimum: 0, maximum: 3650, description: 'Calendar days passing; alone it is time decay' }),
    ),
    ssr: Type.Optional(
      Type.Number({
        minimum: -1,
        maximum: 4,
        description:
          'Skew-stickiness ratio R: every volatility of an expiry moves by (R − 1)·skew·ln(1 + spot shock) beside the shock of volatility; 1 without it: each strike keeps its own',
      }),
    ),
  },
  { title: 'StressScenario' },
);
export type StressScenario = Static<typeof StressScenario>;

/** One book after one shock. `hedged_pnl` = gamma + vega + vanna + charm + theta + residual; `unhedged_pnl` adds delta. */
export const StressResult = closed(
  {
    spot_shock_pct: number('Change of spot, percent'),
    vol_shock_pct: number('Relative change of every volatility, percent'),
    vol_points: maybe('Change at the money for 30 days, vol points: of the relative change and of the points together'),
    vol_shift_points: Type.Optional(number('Points added to every volatility; absent in results of release 0.1')),
    days: number('Calendar days passed'),
    ssr: number(
      'Skew-stickiness ratio; 1: each strike keeps its volatility, as it does where no smile could be fitted',
    ),
    spot: number('Spot after the shock, points'),
    net_gex: number('Net gamma exposure after, $ per +1 % spot'),
    gex_abs: number('Gross gamma exposure after, $ per +1 % spot'),
    regime: REGIME,
    unhedged_pnl: number('Change in value of the dealers’ options, $'),
    hedged_pnl: number('The same less their initial delta times the move of spot, $'),
    pnl_parts: closed({
      delta: number('Initial delta times the move, $; in unhedged_pnl only'),
      gamma: number('Half of gamma times the squared move, $'),
      vega: number('Vega times the change of volatility, $'),
      vanna: number('Vanna times the move times the change of volatility, $'),
      charm: number('Charm times the move times the time passed, $'),
      theta: number('Theta times the time passed, $'),
      residual: number(
        'Rest of the full reprice beside the parts above, with the slide along the smile where ssr is not 1, $',
      ),
    }),
    hedge_flow: number(
      'Minus the change of the dealers’ $ delta: above zero they buy, $; what has settled keeps its intrinsic delta',
    ),
    settled_contracts: Type.Integer({ description: 'Contracts that expired within the days, valued at intrinsic' }),
    units: Type.Record(Type.String(), Type.String(), { description: 'Unit of each figure above' }),
  },
  { title: 'StressResult', description: 'A dealer book after a stress scenario, repriced' },
);
export type StressResult = Static<typeof StressResult>;
