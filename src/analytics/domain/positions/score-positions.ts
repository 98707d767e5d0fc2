import { type Static, Type } from 'typebox';
import { closed, maybe } from '#src/analytics/domain/schema-parts.ts';
import { type DealerPositions, type Estimate, statesError } from './dealer-positions.ts';
import { GENERATION } from './estimate-schema.ts';

/** Distance of a generation's positions from a known truth. */
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

/** Half of the 80 % band of a normal law, in standard deviations. */
const BAND_80 = 1.2815515655446004;

/**
 * Holds positions against the true signed contracts of the dealers, row by row: only a generated market knows those.
 * Rows without a position in the truth and in the estimate are not counted.
 */
export function scorePositions(truth: Float64Array, positions: DealerPositions): PositionScore {
  const { generation, mean, loading, variance } = positions;
  const sum = { contracts: 0, held: 0, signed: 0, right: 0, heldSigned: 0, heldRight: 0, square: 0, error: 0, band: 0 };
  for (let i = 0; i < truth.length; i++) {
    const [n, found] = [truth[i]!, mean[i]!];
    const sd = Math.sqrt(loading[i]! ** 2 + variance[i]!);
    if (n === 0 && found === 0 && sd === 0) continue;
    sum.contracts++;
    sum.error += found - n;
    sum.square += (found - n) ** 2;
    if (isInBand(found - n, sd)) sum.band++;
    if (n === 0) continue;
    sum.held += Math.abs(n);
    if (found === 0) continue;
    const right = Number(found > 0 === n > 0);
    sum.signed++;
    sum.right += right;
    sum.heldSigned += Math.abs(n);
    sum.heldRight += right * Math.abs(n);
  }
  return {
    generation,
    contracts: sum.contracts,
    sign_accuracy: ratio(sum.right, sum.signed),
    sign_accuracy_weighted: ratio(sum.heldRight, sum.heldSigned),
    signed_share: ratio(sum.heldSigned, sum.held),
    rmse: sum.contracts > 0 ? Math.sqrt(sum.square / sum.contracts) : null,
    bias: ratio(sum.error, sum.contracts),
    band_coverage: statesError(positions) ? ratio(sum.band, sum.contracts) : null,
  };
}

/** Checks whether a true exposure lies in the 80 % band of its estimate; null without a band. */
export function coversExposure(truth: number, { value, sd }: Estimate): boolean | null {
  return sd === null ? null : isInBand(value - truth, sd);
}

/** With room for rounding, so that what is known exactly is not missed by its last bit. */
function isInBand(error: number, sd: number): boolean {
  return Math.abs(error) <= BAND_80 * sd + 1e-9;
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
