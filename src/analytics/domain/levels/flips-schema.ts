import { type Static, Type } from 'typebox';
import { closed, number, orNull } from '#src/analytics/domain/schema-parts.ts';
import { KnownText } from '#src/lib/validation/known-values.ts';

/** One spot at which net gamma changes its sign. */
export const GAMMA_FLIP = closed(
  {
    level: number('Spot at which net gamma changes sign, points'),
    direction: Type.Enum(['neg_to_pos', 'pos_to_neg'], { description: 'Sign change as spot rises' }),
    slope: number('dGEX/dS there, $ per +1 % spot and point'),
    expiries_driving: Type.Array(
      closed({
        expiry: Type.String({ description: 'Root and day' }),
        share: number('Its part of the sum of absolute slopes, 0 to 1'),
      }),
      { description: 'Expiries that make the slope, largest first, at most five' },
    ),
  },
  { title: 'GammaFlip' },
);

const statuses = ['ok', 'none_in_range', 'tangent', 'degraded_chain'] as const;
const title = 'FlipStatus';
const description = 'Whether there is a primary flip, and if not, why';

/** The same in what is kept of a snapshot. */
export const KEPT_FLIP_STATUS = KnownText(title, statuses, description);

/** The flips as the API sends them. */
export const GAMMA_FLIPS = closed(
  {
    status: Type.Enum([...statuses], { title, type: 'string', description }),
    flips: Type.Array(GAMMA_FLIP, { description: 'Every flip within ±15 % of spot, ascending' }),
    primary: orNull({
      ...GAMMA_FLIP,
      description: 'The nearest at which gamma turns positive, else the nearest; null without any',
    }),
  },
  { title: 'GammaFlips', description: 'Where net gamma changes its sign' },
);

export type GammaFlip = Static<typeof GAMMA_FLIP>;
export type GammaFlips = Static<typeof GAMMA_FLIPS>;
