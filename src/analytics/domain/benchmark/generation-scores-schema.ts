import { type Static, Type } from 'typebox';
import { SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { GENERATION } from '#src/analytics/domain/positions/estimate-schema.ts';
import { POSITION_SCORE } from '#src/analytics/domain/positions/score-positions.ts';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

const RATE = (what: string) =>
  closed(
    {
      hits: Type.Integer({ description: 'Cases in which it held' }),
      trials: Type.Integer({ description: 'Cases' }),
      rate: maybe('Hits over trials, 0 to 1; null without a case'),
      lower: maybe('Lower end of Wilson’s 95 % interval, as if cases were independent, which days of one seed are not'),
      upper: maybe('Upper end'),
    },
    what,
  );

const FIGURE = closed(
  {
    sign: RATE('Whether the sign was right'),
    error_over_gross: maybe('Mean absolute error over the gross true exposure'),
    band_coverage: RATE('Whether the truth lay in the 80 % band; without a case in generation 1, which states none'),
  },
  { title: 'GenerationScore' },
);

/** Distance of each generation's positions from those that the dealers of the synthetic market hold. */
export const GENERATION_SCORES = closed(
  {
    status: Type.Literal('ok', { description: 'It is always there' }),
    symbol: SYMBOL('Underlying of the synthetic market'),
    seed: Type.Integer({ description: 'Seed of the market that was generated' }),
    days: Type.Array(Type.String(), { description: 'Days measured, YYYY-MM-DD; one case each' }),
    method: Type.String({ description: 'How it was measured, and what it does not show' }),
    generations: Type.Array(
      closed({
        generation: GENERATION,
        contracts: Type.Omit(POSITION_SCORE, ['generation', 'contracts'], {
          additionalProperties: false,
          description: 'Single contracts: means over the days',
        }),
        contracts_compared: number('Mean number of contracts compared a day'),
        gex: FIGURE,
        dex: FIGURE,
        vex: FIGURE,
        cex: FIGURE,
      }),
      { description: 'Each generation with a law of positions' },
    ),
  },
  { title: 'GenerationScores', description: 'Generations of dealer positions against a truth that is known' },
);
export type GenerationScores = Static<typeof GENERATION_SCORES>;
