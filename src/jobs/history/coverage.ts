/** A time of which all is counted. */
export interface Span {
  readonly since: Date;
  readonly until: Date;
}

/** Answers how much is known of the time between two instants, in ms since 1970. */
export type Coverage = (from: number, to: number) => 'whole' | 'part' | 'none';

/** Makes the answers from spans that do not overlap; nothing is known of what was before `kept`, which was forgotten. */
export function coverageOf(spans: readonly Span[], kept: number): Coverage {
  const known = spans
    .map(({ since, until }) => [Math.max(since.getTime(), kept), until.getTime()] as const)
    .filter(([since, until]) => since < until);
  return (from, to) => {
    if (known.some(([since, until]) => since <= from && to <= until)) return 'whole';
    return known.some(([since, until]) => since < to && from < until) ? 'part' : 'none';
  };
}
