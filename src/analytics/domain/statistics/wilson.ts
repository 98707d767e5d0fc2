import { inverseNormalCdf } from '#src/analytics/domain/numerics/normal.ts';

/** A hit rate; all three figures are null without a trial. */
export interface HitRate {
  readonly hits: number;
  readonly trials: number;
  readonly rate: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/**
 * Wilson's score interval of hits out of trials, without correction for continuity; inside [0, 1] for any counts.
 *
 * @see E. B. Wilson, JASA 22 (1927); table of R. G. Newcombe, Statist. Med. 17 (1998)
 */
export function wilson(hits: number, trials: number, level = 0.95): HitRate {
  if (!(trials > 0)) return { hits, trials, rate: null, lower: null, upper: null };
  const z2 = inverseNormalCdf((1 + level) / 2) ** 2;
  const middle = (hits + z2 / 2) / (trials + z2);
  const half = Math.sqrt(z2 * ((hits * (trials - hits)) / trials + z2 / 4)) / (trials + z2);
  // At the edges the bounds are 0 and 1 exactly; rounding would leave a crumb.
  const lower = hits === 0 ? 0 : Math.max(0, middle - half);
  const upper = hits === trials ? 1 : Math.min(1, middle + half);
  return { hits, trials, rate: hits / trials, lower, upper };
}
