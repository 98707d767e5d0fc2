/** JSON text that may hold a number which no double can: an exponent of three digits, or 309 digits in a row. */
const suspicious = /\d[eE]\+?0*[1-9]\d\d|\d{309}/;

/**
 * Finds a number that JSON wrote and a double cannot hold, such as `1e999`: it was parsed to an infinity, which no schema
 * of free values refuses, and which would be stored as null.
 *
 * @param text the JSON, by which most values need no look
 * @returns its way within the value (`.steps[0].input`), empty for the value itself; null where there is none
 */
export function findOverflow(text: string, value: unknown): string | null {
  if (!suspicious.test(text)) return null;
  // a list and no recursion: how deep a value goes is up to the client
  const waiting: (readonly [at: string, value: unknown])[] = [['', value]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [at, one] = next;
    if (one === Infinity || one === -Infinity) return at;
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, inner] of Object.entries(one))
      waiting.push([Array.isArray(one) ? `${at}[${name}]` : `${at}.${name.slice(0, 80)}`, inner]);
  }
  return null;
}
