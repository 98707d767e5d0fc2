import { type Static, Type } from 'typebox';
import { volRegimes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { bandModels } from '#src/analytics/domain/hedging/hedging-width.ts';
import { closed } from '#src/analytics/domain/schema-parts.ts';

const ssr = Type.Number({
  minimum: -1,
  maximum: 4,
  description:
    'Skew-stickiness ratio R: dσ/d ln S = (R − 1)·skew of each expiry; 1 is sticky strike, 0 sticky moneyness',
});

/** Most scenarios of one request: each reprices a book. */
export const SCENARIO_LIMIT = 50;

/** A move that dealers hedge. */
const MOVE = closed(
  {
    spot_shock_pct: Type.Number({ exclusiveMinimum: -100, maximum: 1000, description: 'Move of spot, percent' }),
    vol_points: Type.Number({
      minimum: -500,
      maximum: 500,
      description: 'Parallel move of every volatility, vol points; beside the slide along the smile',
    }),
    hours: Type.Number({ minimum: 0, maximum: 87_600, description: 'Calendar hours that pass' }),
  },
  { title: 'ModelMove' },
);

/** Options of the models behind the figures that a caller may set, each for the sections that rest on it. */
export const MODEL_OPTIONS = closed(
  {
    vol_regime: Type.Optional(
      Type.Enum(volRegimes, {
        description: 'How volatilities move with spot: each strike keeps its own, each moneyness, or by ssr',
      }),
    ),
    ssr: Type.Optional(ssr),
    flip_draws: Type.Optional(
      Type.Integer({
        minimum: 16,
        maximum: 256,
        description: 'Draws of the positions the interval of the flip is taken from, instead of one sd to either side',
      }),
    ),
    scenarios: Type.Optional(
      Type.Array(MOVE, { minItems: 1, maxItems: SCENARIO_LIMIT, description: 'Moves to hedge' }),
    ),
    expected_vol_points: Type.Optional(
      Type.Number({
        minimum: -500,
        maximum: 500,
        description:
          'Change of implied volatility expected over the horizon, vol points, instead of the pull to realised volatility',
      }),
    ),
    horizon_hours: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 8_760,
        description: 'Calendar hours ahead; a 24th of a session’s volume trades in each. 24 without it',
      }),
    ),
    band_model: Type.Optional(
      Type.Enum(bandModels, { description: 'Law of the width of the band; whalley_wilmott without it' }),
    ),
    cost: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description: 'Proportional cost of trading, share of the dollars traded; 2e-5 without it',
      }),
    ),
    risk_aversion: Type.Optional(
      Type.Number({ minimum: 1e-15, maximum: 1, description: 'Absolute risk aversion, per dollar; 1e-8 without it' }),
    ),
  },
  { title: 'ModelOptions' },
);
export type ModelOptions = Static<typeof MODEL_OPTIONS>;
