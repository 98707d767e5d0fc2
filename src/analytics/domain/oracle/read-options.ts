export type Horizon = '30m' | 'close' | '1d';

/** How far ahead a folded question looks; null where it does not say. */
export function readHorizon(folded: string): Horizon | null {
  if (/\b(?:30 ?m|30 ?min(?:ute)?s?|half an hour|half hour)\b/.test(folded)) return '30m';
  if (/\b(?:tomorrow|overnight|next (?:day|session)|(?:1|one) (?:day|session)|1d|24 hours)\b/.test(folded)) return '1d';
  return /\b(?:(?:into|by|until|till|before|at) the (?:close|bell)|eod|end of (?:the )?day|today|intraday|0dte)\b/.test(
    folded,
  )
    ? 'close'
    : null;
}

/** The positioning model a folded question asks for; null where it does not say. */
export function readGeneration(folded: string): 1 | 2 | 3 | 'ensemble' | null {
  if (/\bensemble\b/.test(folded)) return 'ensemble';
  const match = /\b(?:gen|generation)[ -]?(?<number>[123])\b/.exec(folded);
  return match === null ? null : (Number(match.groups!['number']) as 1 | 2 | 3);
}

/** Levels a folded question names, ascending, each once: numbers after "at", "above", "strike" and the like. */
export function readLevels(folded: string): number[] {
  const levels = new Set<number>();
  const after =
    /\b(?:to|at|above|below|near|around|under|over|through|strike|level) \$?(?<level>\d{2,6}(?:\.\d{1,4})?)(?![\d.]*\d)(?! ?(?:%|percent|pct|days?|min|hours?|bps?|am|pm|:))/g;
  const before = /(?<![\d.])(?<level>\d{3,6}(?:\.\d{1,4})?) (?:strike|level|calls?|puts?)\b/g;
  for (const pattern of [after, before]) {
    for (const match of folded.matchAll(pattern)) levels.add(Number(match.groups!['level']));
  }
  return [...levels].toSorted((a, b) => a - b);
}
