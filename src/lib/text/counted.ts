/**
 * Joins a number and its noun as a sentence has them: `1 hour`, `24 hours`.
 *
 * @param n a number, or one that is written already
 */
export function counted(n: number | string, one: string, many = `${one}s`): string {
  return `${n} ${String(n) === '1' ? one : many}`;
}
