/** Most names that a warning lists, and the longest of them. */
const MOST = 20;
const LONGEST = 100;

/** The warning that params of an action were left aside; none where all were read. */
export function unreadParams(action: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const listed = names.slice(0, MOST).map((name) => JSON.stringify(name.slice(0, LONGEST)));
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
  return [`params: ${action} does not read ${listed.join(', ')}${more}; left aside.`];
}
