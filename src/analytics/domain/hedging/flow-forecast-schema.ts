import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

const FLOW = {
  flow_usd: number('Trades of dealers, $; above zero they buy. Sum of the four parts'),
  gamma_usd: number('Part of the move of spot, at constant gamma, $'),
  vanna_usd: number('Part of the move of volatility, with the smile that slides along, at constant vanna, $'),
  charm_usd: number('Part of the time that passes, repriced at the old spot and volatility, $'),
  residual_usd: number('Rest of the full reprice beside the parts above, $'),
};

const SCENARIO = closed(
  {
    spot_return_pct: number('Move of spot, percent'),
    hours: number('Calendar hours that pass'),
    vol_points: number('Parallel move of volatility, vol points'),
    ...FLOW,
    impact_pct: maybe('Return that the flow makes by the square-root law, percent'),
  },
  { title: 'FlowScenario' },
);

const HORIZON = closed(
  {
    horizon: Type.Enum(['30m', 'close', '1d'], { description: 'Half an hour, until the close, a day' }),
    hours: number('Calendar hours ahead'),
    sessions: number('Trading sessions ahead: the variance of the return is a day’s times this'),
    mean_usd: number('Expected flow, $'),
    p10_usd: number('Flow that is undercut with probability 0.1, $'),
    p50_usd: number('Median flow, $'),
    p90_usd: number('Flow that is exceeded with probability 0.1, $'),
    impact_pct: maybe('Return that the expected flow makes by the square-root law, percent'),
  },
  { title: 'FlowHorizon' },
);

/** The flow forecast as the API sends it. */
export const FLOW_FORECAST = closed(
  {
    status: Type.Enum(['ok', 'no_position', 'no_volatility'], {
      description: 'Whether there are distributions, and if not, why',
    }),
    scenarios: Type.Array(SCENARIO, { description: 'The requested scenarios, in their order' }),
    horizons: Type.Array(HORIZON, {
      description: 'Distribution over the move of spot, at 41 nodes, with the variance of the horizon',
    }),
    largest: orNull(Type.Enum(['30m', 'close', '1d'], { description: 'Horizon with the largest expected flow' })),
  },
  { title: 'FlowForecast', description: 'What dealers will trade to stay hedged' },
);

export type FlowForecast = Static<typeof FLOW_FORECAST>;
export type FlowScenario = Static<typeof SCENARIO>;
