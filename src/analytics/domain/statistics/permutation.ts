import { type RandomStream, randomStream } from './random.ts';

export interface PermutationOptions {
  readonly seed: string;
  readonly draws?: number;
  /**
   * `shuffle` breaks all order and needs exchangeable rows; `shift` turns one series round the other by a random
   * offset, which keeps the autocorrelation of both and is the right null for series in time.
   */
  readonly scheme?: 'shuffle' | 'shift';
  /** `two_sided` counts |T*| ≥ |T|, `greater` T* ≥ T. */
  readonly tail?: 'two_sided' | 'greater';
}

/**
 * Permutation p-value of a statistic of two paired series: (1 + draws at least as extreme) / (1 + draws), never zero.
 * The same seed gives the same p. Null where the statistic is undefined on the sample or there are fewer than 3 rows;
 * a draw on which it is undefined counts as extreme, which can only raise p.
 *
 * @see B. Phipson, G. K. Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010)
 */
export function permutationP<X, Y>(
  x: readonly X[],
  y: readonly Y[],
  statistic: (x: readonly X[], y: readonly Y[]) => number | null,
  { seed, draws = 999, scheme = 'shuffle', tail = 'two_sided' }: PermutationOptions,
): number | null {
  if (x.length < 3) return null;
  const observed = statistic(x, y);
  if (observed === null) return null;
  const size = (value: number) => (tail === 'two_sided' ? Math.abs(value) : value);
  // Draws that permute nothing give the same sum in another order: rounding must not decide.
  const bar = size(observed) - 1e-12 * Math.abs(observed);
  const random = randomStream(seed);
  let extreme = 0;
  for (let draw = 0; draw < draws; draw++) {
    const drawn = statistic(scheme === 'shuffle' ? shuffle(x, random) : shift(x, random), y);
    if (drawn === null || size(drawn) >= bar) extreme++;
  }
  return (1 + extreme) / (1 + draws);
}

/** Fisher-Yates. */
function shuffle<X>(values: readonly X[], random: RandomStream): X[] {
  const copy = [...values];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random.uniform() * (i + 1));
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}

function shift<X>(values: readonly X[], random: RandomStream): X[] {
  const offset = 1 + Math.floor(random.uniform() * (values.length - 1));
  return [...values.slice(offset), ...values.slice(0, offset)];
}
