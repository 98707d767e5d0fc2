import { Type } from 'typebox';
import { closed, maybe, orNull } from '#src/analytics/domain/schema-parts.ts';
import { regimeStates } from './regime.ts';

/** The regime as the API sends it. */
export const REGIME = closed(
  {
    state: orNull(
      Type.Enum(regimeStates, {
        description: 'From dealers who damp moves to dealers who amplify them; null without gamma',
      }),
    ),
    ngr: maybe('Net over gross gamma, -1 to 1'),
    gir: maybe('Share of a day’s volume dealers trade on a one-sigma move'),
    sigma_d_pct: maybe('One standard deviation of a day’s return, percent'),
    confidence: maybe(
      'Probability of the sign of GEX; null in generation 1, whose positions have no standard deviation',
    ),
    reason: Type.Enum(['ngr', 'near_flip', 'low_confidence', 'no_gamma'], { description: 'Reason for the state' }),
  },
  { title: 'GammaRegime', description: 'Whether dealers damp or amplify moves' },
);
