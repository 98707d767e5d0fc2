/** Where in a JSON value there is a text that cannot be kept or passed on: with `\u0000`, or half a character. Null for none. */
export function unstorable(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
    const found = unstorable(name, path) ?? unstorable(member, at);
    if (found !== null) return found;
  }
  return null;
}
