import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';
import { bandModels } from './hedging-width.ts';

const REACHED = closed(
  {
    p_1h: maybe('Within an hour of trading, 0 to 1'),
    p_close: maybe('Before the close, 0 to 1; null without a session'),
    p_1d: maybe('Within a trading day, 0 to 1'),
  },
  { title: 'HedgingBandReached', description: 'Probability of being reached' },
);

const EDGE = closed(
  {
    level: number('Spot at which delta has drifted by the half-width, points'),
    hit: REACHED,
    flow_usd: number('Trades of dealers there to be hedged again, $; above zero they buy'),
  },
  { title: 'HedgingBandEdge' },
);

const ZONE = closed(
  {
    lower: number('Lower end, points'),
    upper: number('Upper end, points'),
    peak: number('Spot with the most gamma, points'),
    sign: Type.Enum(['positive', 'negative'], { description: 'positive: dealers damp moves there; negative: amplify' }),
    gex_peak: number('Net gamma at the peak, $ per +1 % spot'),
    hit: REACHED,
    expected_flow_usd: number('Trades of dealers while spot crosses the zone from its near to its far end, $'),
  },
  { title: 'HedgingZone' },
);

/** Hedging bands and dormant gamma as the API sends them. */
export const HEDGING_BANDS = closed(
  {
    status: Type.Enum(['ok', 'open_band', 'no_volatility', 'zero_net_gamma', 'no_gamma'], {
      description: 'open_band: delta does not drift so far within ±15 % on one side or both',
    }),
    model: Type.Enum(bandModels, { description: 'Law of the width' }),
    gamma_shares: number('Net gamma of the book, shares per point'),
    half_width_shares: maybe('Distance that delta may drift, shares'),
    half_width_pts: maybe('The same over gamma at spot, points: the first-order distance of an edge'),
    volatility_factor: maybe('Factor on volatilities at which delta is taken; 1 in Whalley-Wilmott'),
    lower: orNull(EDGE),
    upper: orNull(EDGE),
    exit: orNull(REACHED),
    zones: Type.Array(ZONE, {
      description: 'Intervals outside the band where gamma is at least half of its largest within ±15 %, ascending',
    }),
    cost: number('Proportional cost of trading'),
    risk_aversion: number('Absolute risk aversion, per $'),
  },
  { title: 'HedgingBands', description: 'Band within which dealers leave delta alone, and the gamma beyond it' },
);

export type HedgingBands = Static<typeof HEDGING_BANDS>;
