import Type from 'typebox';
import { SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { EXPOSURE_ESTIMATES } from '#src/analytics/domain/exposures/exposure-estimates-schema.ts';
import { EXPOSURE_TABLE } from '#src/analytics/domain/exposures/exposure-table-schema.ts';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { BUCKET_FLIPS } from '#src/analytics/domain/levels/bucket-flips-schema.ts';
import { LEVELS_INTERVAL } from '#src/analytics/domain/levels/flip-interval-schema.ts';
import { ALL_LEVELS } from '#src/analytics/domain/levels/levels-schema.ts';
import { generationNames } from '#src/analytics/domain/positions/dealer-positions.ts';
import { ESTIMATE } from '#src/analytics/domain/positions/estimate-schema.ts';
import { PortfolioStressResult } from '#src/analytics/domain/risk/portfolio-stress-schema.ts';
import { StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { maybe } from '#src/analytics/domain/schema-parts.ts';
import { enveloped } from './envelope.ts';
import { SymbolList, SymbolText } from './symbol-params.ts';

/** Fields of a chain's analytics that an answer about gamma holds, unchanged. */
export const gexFields = [
  'spot',
  'exposures',
  'flips',
  'levels',
  'regime',
  'profile_by_strike',
  'gamma_profile',
  'quality',
] as const;

const { net_gex, gex_abs } = CHAIN_ANALYTICS.properties.exposures.properties;

export const SnapshotAnswer = enveloped(CHAIN_ANALYTICS, 'The full analytics of one chain');

export const GexData = Type.Object(
  {
    feed: Type.Union([Type.Literal('configured'), Type.Literal('own')], {
      description: 'Source of the chain: the configured feed, or your upload',
    }),
    net_gex,
    gex_abs,
    estimate: ESTIMATE,
    ...Type.Pick(CHAIN_ANALYTICS, [...gexFields]).properties,
    flips_by_bucket: BUCKET_FLIPS,
    dex_estimate: ESTIMATE,
    gex_by_strike: EXPOSURE_ESTIMATES.properties.gex_by_strike,
    gex_by_expiry: EXPOSURE_ESTIMATES.properties.gex_by_expiry,
  },
  { title: 'GexData', additionalProperties: false },
);

const { spot, flips, regime } = CHAIN_ANALYTICS.properties;

export const RegimeData = Type.Object(
  { spot, net_gex, gex_abs, flip: maybe('Primary flip, points'), estimate: ESTIMATE, ...regime.properties },
  { title: 'RegimeData', additionalProperties: false },
);

export const LevelsData = Type.Object(
  { spot, ...ALL_LEVELS.properties, flips, flip_interval: LEVELS_INTERVAL },
  { title: 'LevelsData', additionalProperties: false },
);

export const ExposureData = Type.Object(
  { spot, estimate: ESTIMATE, ...EXPOSURE_TABLE.properties },
  { title: 'ExposureData', additionalProperties: false },
);

/** A shock of spot or volatility, time decay, or any of them together. */
const Scenario = Type.Unsafe<StressScenario>({
  ...StressScenario,
  minProperties: 1,
  description:
    'Any of spot_shock_pct, vol_shock_pct, vol_points and days; ssr says how the smile follows a shock of spot',
});

/** Body of `POST /v1/portfolio/stress`. */
export const StressRequest = Type.Object(
  {
    symbols: SymbolList('Underlyings to stress'),
    weights: Type.Optional(
      Type.Array(Type.Number({ minimum: -1e9, maximum: 1e9 }), {
        minItems: 1,
        maxItems: 6,
        description: 'One per symbol, normalised to sum to one; equal without it',
      }),
    ),
    scenarios: Type.Optional(
      Type.Array(Scenario, {
        minItems: 1,
        maxItems: 200,
        description: 'Without it: spot shocks of -5, -2, +2 and +5 percent',
      }),
    ),
  },
  { additionalProperties: false, description: 'A stress test of one to six underlyings' },
);

export const StressAnswer = enveloped(PortfolioStressResult, 'One result per scenario, in the order of the request');

export const SymbolParams = Type.Object({ symbol: SymbolText });

export const From = Type.Optional(
  Type.Union([Type.Literal('own'), Type.Literal('feed')], {
    description: 'own (default): the chain you uploaded, where there is one; feed: the configured feed’s',
  }),
);

export const GenerationParam = Type.Optional(
  Type.Union(
    generationNames.map((name) => Type.Literal(name)),
    {
      description:
        'Generation of the dealer positions; 1 without it. 3 needs a trade tape: without one its data is null, status no_trade_tape',
    },
  ),
);

export const Forgotten = Type.Object(
  {
    symbol: SYMBOL(),
    forgotten: Type.Integer({ minimum: 0, description: 'Your chains that were stored until now' }),
  },
  { additionalProperties: false },
);
