/** The texts of a list of which nothing is known: none where it is no list. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
