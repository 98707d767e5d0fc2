/** A member name that an object of a JSON text has twice, as it is written, and where. */
export interface RepeatedName {
  readonly words: string;
  /** Characters from the beginning of the text. */
  readonly index: number;
}

/**
 * The first name that occurs twice in one object; null where none does. JSON.parse keeps the last of two, another
 * reader may keep the first: a request that two readers understand differently is refused.
 *
 * @param text valid JSON
 */
export function repeatedName(text: string): RepeatedName | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') open.push(sign === '{' ? new Set() : null);
    else if (sign === '}' || sign === ']') open.pop();
    if (sign !== '"') continue;
    const index = at;
    at = endOfString(text, at);
    if (!isBeforeColon(text, at + 1)) continue;
    const words = text.slice(index, at + 1);
    // two ways to write one name are one name
    const name = JSON.parse(words) as string;
    const names = open.at(-1);
    if (names?.has(name)) return { words, index };
    names?.add(name);
  }
  return null;
}

/** Finds the closing quote of a string of a JSON text. */
export function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

/** Checks whether an odd number of backslashes stands before a character. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}

/** Checks whether a colon is the next sign of a JSON text, so that the string before it is a name. */
export function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return text[at] === ':';
}
