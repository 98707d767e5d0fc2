import { endOfString, isBeforeColon } from './json-names.ts';

/** An integer in a JSON text that no double holds, as it is written, and its way within the value (`.items[0].id`). */
export interface InexactInteger {
  readonly place: string;
  readonly words: string;
}

/** JSON text that may hold one: the least has 16 digits. */
const suspicious = /\d{16}/;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** An array or object that is open, with the item or member at hand. */
interface Open {
  readonly isArray: boolean;
  item: number;
  /** Name as it is written, with its quotes. */
  name: string;
}

/**
 * Finds the first integer that JSON.parse would change without a word, such as 12345678901234567890: ids of 64 bits are
 * written so. One with a fraction or an exponent is a measure, whose last digits are no name of anything.
 *
 * @param text valid JSON
 * @param within way of the part that is looked at, such as `.params`; the whole without one
 */
export function findInexact(text: string, within = ''): InexactInteger | null {
  if (!suspicious.test(text)) return null;
  const open: Open[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    const inner = open.at(-1);
    if (sign === '{' || sign === '[') open.push({ isArray: sign === '[', item: 0, name: '""' });
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',' && inner) inner.item++;
    else if (sign === '"') {
      const end = endOfString(text, at);
      if (inner && !inner.isArray && isBeforeColon(text, end + 1)) inner.name = text.slice(at, end + 1);
      at = end;
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      number.lastIndex = at;
      const words = number.exec(text)?.[0] ?? sign;
      at += words.length - 1;
      if (isExact(words)) continue;
      const place = placeOf(open);
      if (place.startsWith(within)) return { place, words };
    }
  }
  return null;
}

/** An integer is kept by a double that has its value, and by one that is written in the same way. */
function isExact(words: string): boolean {
  if (words.length < 16 || !/^-?\d+$/.test(words)) return true;
  const value = Number(words);
  return String(value) === words || (Number.isFinite(value) && BigInt(value) === BigInt(words));
}

function placeOf(open: readonly Open[]): string {
  return open
    .map(({ isArray, item, name }) => (isArray ? `[${item}]` : `.${String(JSON.parse(name)).slice(0, 80)}`))
    .join('');
}
