import { type Static, Type } from 'typebox';
import { KEPT_FLIP_STATUS } from '#src/analytics/domain/levels/flips-schema.ts';
import { byGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';
import { CHAIN_ANALYTICS } from './analytics-schema.ts';

const { exposures, levels, regime } = CHAIN_ANALYTICS.properties;
const { net_gex, gex_abs, dex, vex, cex } = exposures.properties;

/** Figures of an instant that are stored for its history: enough to study it, without its profiles. */
export const SNAPSHOT_FIGURES = closed({
  source: Type.String({ description: 'Where the chain came from' }),
  synthetic: Type.Boolean({ description: 'Whether the chain is generated' }),
  model_version: Type.String({ description: 'Version of the models behind the figures' }),
  net_gex,
  gex_abs,
  dex,
  vex,
  cex,
  regime,
  levels,
  dsi_raw_shares: closed(
    byGeneration(() =>
      maybe('Share of a day’s volume that dealers trade against a one-sigma move; null where not computed'),
    ),
    'By generation of dealer positions',
  ),
  skew_30d: maybe('∂σ/∂k at the money of a month, decimal volatility per unit of log-moneyness'),
  flips: closed({
    status: KEPT_FLIP_STATUS,
    primary: maybe('Primary flip, points'),
    levels: Type.Array(number('Spot at which net gamma changes sign, points'), {
      description: 'Every flip, ascending',
    }),
  }),
});

export type SnapshotFigures = Static<typeof SNAPSHOT_FIGURES>;
