import { endOfString } from './json-names.ts';

/**
 * Returns the text of each item of an array, from its text, which has to be JSON.
 *
 * @param most items behind which no more are looked for
 */
export function jsonItems(text: string, most: number): readonly string[] {
  const items: string[] = [];
  const begin = text.indexOf('[') + 1;
  let from = begin;
  let depth = 1;
  for (let at = begin; depth > 0 && items.length < most && at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > 1 || (depth === 1 && sign !== ',')) continue;
    items.push(text.slice(from, at));
    from = at + 1;
  }
  return items.length === 1 && items[0]?.trim() === '' ? [] : items;
}
