import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

/** The gamma-theta burn ratio as the API sends it. */
export const GTBR = closed(
  {
    status: Type.Enum(['ok', 'no_realised_volatility', 'no_gamma'], {
      description: 'Whether there is a ratio, and if not, why',
    }),
    gtbr: maybe('Realised over gamma-weighted implied variance, above zero; 1 pays exactly for the theta'),
    sigma_gamma: maybe('Square root of the gross-gamma-weighted implied variance, decimal per square root of a year'),
    realised_volatility: maybe('Realised volatility it is compared with, decimal per square root of a year'),
    net_carry_per_day: maybe('Gamma profit less theta of the dealers’ net book, $ per trading day'),
    breakeven_move_pts_1d: maybe('Move of a day at which gamma pays for theta, points'),
    range: orNull(
      closed({
        lower: number('Lower break-even, points'),
        upper: number('Upper break-even, points'),
        anchor: Type.Enum(['open', 'spot'], { description: 'Price that the range is around' }),
      }),
    ),
    burn_status: Type.Enum(['ok', 'no_session', 'no_prices', 'no_gamma'], {
      description:
        'Whether there is burn_used. no_session: none runs or ran that day; no_prices: none are known from its opening on',
    }),
    burn_used: maybe('Realised variance of the session over what its elapsed part was priced for; 1 is on par'),
    state: orNull(
      Type.Enum(['harvesting', 'balanced', 'burning'], { description: 'Ratio above 1.1, between, or under 0.9' }),
    ),
    breach: Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'Spot is beyond the break-even from the opening while net gamma is below zero; null without an opening or gamma',
    }),
    net_gex: number('Net gamma, $ per +1 % spot'),
  },
  { title: 'GammaThetaBurn', description: 'Gamma-theta burn ratio and the break-even range' },
);

export type Gtbr = Static<typeof GTBR>;
