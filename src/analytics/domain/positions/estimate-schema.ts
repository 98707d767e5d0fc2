import { Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

/** The generations of dealer positions, and their inverse-variance mean. */
export const GENERATION = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal('ensemble')], {
  title: 'Generation',
  description:
    '1: static convention (long calls, short puts). 2: conditional prior by type, delta and tenor. ' +
    '3: inventory from signed trades. ensemble: inverse-variance mean of 2 and 3',
});

/** An exposure as the API sends it, with what is known of its error from not knowing the dealers' positions. */
export const ESTIMATE = closed(
  {
    value: number('The exposure, in the unit of its field'),
    sd: maybe('Standard deviation from positioning alone, same unit; null in generation 1, which states none'),
    p_positive: maybe('Probability that the exposure is above zero, 0 to 1; null without sd'),
    generation: GENERATION,
    coverage: maybe('Share of open interest the generation knows something of, 0 to 1; null without open interest'),
    censored_share: maybe(
      'Share of open interest in contracts listed before the tape begins, 0 to 1; null without tape',
    ),
  },
  {
    title: 'ExposureEstimate',
    description: 'An exposure, with what is known of its error from not knowing the dealers’ positions',
  },
);
