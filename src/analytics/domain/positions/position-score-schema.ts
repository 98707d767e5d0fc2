import { type Static, Type } from 'typebox';
import { closed, maybe } from '#src/analytics/domain/schema-parts.ts';
import { GENERATION } from './estimate-schema.ts';

/** How near a generation's positions came to a truth that is known. */
export const POSITION_SCORE = closed({
  generation: GENERATION,
  contracts: Type.Integer({ description: 'Contracts compared: those the dealers hold or are said to hold' }),
  sign_accuracy: maybe('Share of the right sign where both truth and estimate have one, 0 to 1'),
  sign_accuracy_weighted: maybe('The same weighted by the contracts truly held'),
  signed_share: maybe('Share of the contracts truly held that the estimate gives a sign, 0 to 1'),
  rmse: maybe('Root of the mean squared error, contracts'),
  bias: maybe('Mean error, contracts; above zero where the estimate is too long'),
  band_coverage: maybe('Share of truths within the 80 % band, 0 to 1; null in generation 1, which has none'),
});

export type PositionScore = Static<typeof POSITION_SCORE>;
