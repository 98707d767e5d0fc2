import { inverseNormalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { randomUniform } from './counter-random.ts';

/** Trading days between shocks, what is left of one at the next, and how many are remembered. */
const BLOCK = 5;
const FADE = 0.8;
const MEMORY = 20;

/**
 * Computes the mood of customers on a trading day: above zero they write and trade calls, below it they want puts. It
 * is about standard normal, in straight lines between shocks five days apart that fade over a month, all of them drawn
 * by then: so regimes come and go within months.
 *
 * @param keyOf the key of what is drawn on a trading day
 */
export function moodOn(keyOf: (day: number) => number, day: number): number {
  const block = Math.floor(day / BLOCK);
  const done = (day - BLOCK * block + 1) / BLOCK;
  const shock = (at: number): number => (at < 0 ? 0 : inverseNormalCdf(randomUniform(keyOf(BLOCK * at), 0)));
  let [sum, squares, weight] = [0, 0, 1];
  for (let back = 0; back < MEMORY; back++) {
    sum += weight * ((1 - done) * shock(block - 1 - back) + done * shock(block - back));
    squares += weight * weight;
    weight *= FADE;
  }
  return sum / Math.sqrt(squares);
}
