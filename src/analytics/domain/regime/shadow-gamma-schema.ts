import { type Static, Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';
import { SKEW_STICKINESS } from './skew-stickiness-schema.ts';

/** Shadow gamma as the API sends it. */
export const SHADOW_GAMMA = closed(
  {
    status: Type.Enum(['ok', 'small_net_gamma', 'no_volatility', 'no_gamma'], {
      description:
        'small_net_gamma: net gamma is under 2 % of gross, so there is no factor; no_volatility: no up and down gamma',
    }),
    gex: number('Net gamma with volatilities that stay, $ per +1 % spot'),
    gex_abs: number('Gross gamma, $ per +1 % spot'),
    shadow_gex: number('Net gamma with volatilities that move with spot, $ per +1 % spot'),
    hidden_gamma: number('shadow_gex less gex, $ per +1 % spot'),
    gamma_adjustment_factor: maybe('shadow_gex over gex; null where net gamma is under 2 % of gross'),
    price_convexity: number(
      'Second derivative of the price along the moving smile, with vanna, volga and vega terms, $ per +1 % spot',
    ),
    up_gamma: maybe('shadow_gex one standard deviation of a day up, $ per +1 % spot'),
    down_gamma: maybe('shadow_gex one standard deviation of a day down, $ per +1 % spot'),
    instability_ratio: maybe('|down − up|/(|down| + |up|), 0 to 1; 1 where the sign changes within a day’s deviation'),
    sigma_d_pct: maybe('One standard deviation of a day’s return, percent'),
    ssr: SKEW_STICKINESS,
  },
  { title: 'ShadowGamma', description: 'Gamma of the dealers when volatility moves with spot' },
);

export type ShadowGamma = Static<typeof SHADOW_GAMMA>;
