/** Counts of jobs that the past is made of, as the columns of its table are called. */
export const countNames = ['submitted', 'started', 'succeeded', 'failed', 'cancelled', 'expired', 'retried'] as const;

/** A value of each count. */
export type Counts<T> = Readonly<Record<(typeof countNames)[number], T>>;

/** Makes a value for each count. */
export function ofCounts<T>(make: (name: (typeof countNames)[number]) => T): Counts<T> {
  return Object.fromEntries(countNames.map((name) => [name, make(name)])) as Counts<T>;
}
