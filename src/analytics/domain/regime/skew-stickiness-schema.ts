import { type Static, Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

/** The estimated skew-stickiness ratio as the API sends it. */
export const SKEW_STICKINESS = closed(
  {
    status: Type.Enum(['ok', 'given', 'too_few_observations', 'no_moves'], {
      description: 'Whether there is an estimate; given: the request set the ratio; else it is the prior, 1.5',
    }),
    ssr: number('Ratio that is used: the estimate shrunk to 1.5; 1 is sticky strike, 0 sticky moneyness'),
    raw: maybe('Estimate by regression alone'),
    standard_error: maybe('Its standard error'),
    weight: number('Weight of the estimate against the prior, 0 to 1'),
    observations: Type.Integer({ minimum: 0, description: 'Sessions the estimate is made from' }),
  },
  { title: 'SkewStickiness', description: 'How far volatility at the money follows the skew when spot moves' },
);

export type SkewStickiness = Static<typeof SKEW_STICKINESS>;
