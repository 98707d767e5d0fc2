import { type Static, Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';
import { signalKinds } from './signals-schema.ts';

/** Results of the signals of each kind. */
export const SCORECARD = closed(
  {
    kinds: Type.Array(
      closed({
        kind: Type.Enum(signalKinds, { description: 'Kind of signal' }),
        hit: Type.String({ description: 'What counts as a hit' }),
        signals: Type.Integer({ description: 'Signals, each id once' }),
        pending: Type.Integer({ description: 'Not yet expired at the last price' }),
        unscored: Type.Integer({ description: 'Expired, without a price in their time or a figure the rule needs' }),
        hits: Type.Integer({ description: 'Hits' }),
        trials: Type.Integer({ description: 'Signals scored' }),
        rate: maybe('Hits over trials; null without a trial'),
        lower: maybe('Lower end of Wilson’s interval'),
        upper: maybe('Upper end of Wilson’s interval'),
        chance: maybe(
          'Mean probability of these hits for a driftless walk of the implied volatility; null where unknown',
        ),
      }),
      { description: 'Every kind, also those without a signal' },
    ),
    level: number('Level of the intervals, 0 to 1'),
  },
  { title: 'Scorecard', description: 'Realised hit rate of each kind of signal, and what chance alone would give' },
);
export type Scorecard = Static<typeof SCORECARD>;
