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
