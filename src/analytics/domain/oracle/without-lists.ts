/** A value without its lists, at every depth: a sentence cites single figures, and rows of a table are none. */
export function withoutLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !Array.isArray(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutLists(member)]));
}
