import type { Config } from '#src/system/config/config-type.ts';

/** A width of buckets that the past is kept in. */
export interface Resolution {
  readonly seconds: 60 | 600 | 3_600;
  /** Days for which its buckets are kept. */
  readonly days: (config: Config) => number;
}

/** Widths of buckets, the finest first: each is kept for longer than the one before. */
export const resolutions: readonly Resolution[] = [
  { seconds: 60, days: ({ HISTORY_MINUTES_HOURS }) => HISTORY_MINUTES_HOURS / 24 },
  { seconds: 600, days: ({ HISTORY_TEN_MINUTES_DAYS }) => HISTORY_TEN_MINUTES_DAYS },
  { seconds: 3_600, days: ({ HISTORY_HOURS_DAYS }) => HISTORY_HOURS_DAYS },
];

/** The coarsest buckets of which a step is made up: the fewest to read, and the longest kept. */
export function resolutionOf(stepSeconds: number): Resolution | undefined {
  return resolutions.findLast(({ seconds }) => stepSeconds % seconds === 0);
}
