import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';
import { SKEW_STICKINESS } from './skew-stickiness-schema.ts';

/** The Dealer Stability Index as the API sends it. */
export const DSI = closed(
  {
    status: Type.Enum(['ok', 'insufficient_history', 'no_gamma', 'no_volatility', 'no_volume'], {
      description:
        'Whether there is an index, and if not, why; insufficient_history: there is one, with too few sessions before for its percentile or its trend',
    }),
    dsi: maybe('Dealer Stability Index, 0 to 100; 50 is neutral'),
    dsi_gamma_only: maybe('The same with volatilities that stay, 0 to 100'),
    raw_share: maybe('Share of a day’s volume that dealers trade against a one-sigma move; below zero with it'),
    percentile_252d: maybe('Percent of the last 252 sessions at or below; null under 20 sessions'),
    trend_5d: maybe('Change of the index over five sessions, points; null under five sessions'),
    band: orNull(
      closed(
        { low: number('Lower end of the index, 0 to 100'), high: number('Upper end of the index, 0 to 100') },
        '80 % interval from the uncertainty of the positions; null where they have none',
      ),
    ),
    reading: orNull(
      Type.Enum(['absorbing', 'neutral', 'amplifying'], { description: 'Above 60, between, or under 40' }),
    ),
    stabilising_coefficient: number('Dollars dealers trade against a unit log return'),
    ssr: SKEW_STICKINESS,
    kappa: number('Share of volume that scales the index'),
  },
  { title: 'DealerStabilityIndex', description: 'Dealer Stability Index' },
);

export type Dsi = Static<typeof DSI>;
