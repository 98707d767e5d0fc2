import { escapeStep } from '#src/lib/json-pointer.ts';
import { endOfString, isBeforeColon } from './json-names.ts';

/** An integer in a JSON text that no double holds, as it is written, and its way within the value (`.items[0].id`). */
export interface InexactInteger {
  readonly place: string;
  readonly words: string;
}

/** One within an item of a list: its way and its JSON pointer begin at the item. */
export interface InexactInItem extends InexactInteger {
  readonly pointer: string;
}

/** Digits of the least integer that no double holds. */
const LEAST_DIGITS = 16;
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
  for (const { open, words } of inexactOf(text)) {
    const place = placeOf(open);
    if (place.startsWith(within)) return { place, words };
  }
  return null;
}

/**
 * Finds the first such integer of each item of a list, by the place of the item. Almost every text has none, which one
 * look for a run of digits tells.
 *
 * @param text valid JSON: an object
 * @param list name of the member that is the list
 */
export function inexactByItem(text: string, list: string): ReadonlyMap<number, InexactInItem> {
  const found = new Map<number, InexactInItem>();
  for (const { open, words } of inexactOf(text)) {
    const [whole, items, ...within] = open;
    if (!whole || !items?.isArray || nameOf(whole) !== list || found.has(items.item)) continue;
    found.set(items.item, { place: placeOf(within), pointer: pointerOf(within), words });
  }
  return found;
}

/** Walks the text; what is yielded as open changes as the walk goes on. */
function* inexactOf(text: string): Generator<{ readonly open: readonly Open[]; readonly words: string }> {
  if (!hasLongNumber(text)) return;
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
      if (!isExact(words)) yield { open, words };
    }
  }
}

/**
 * Checks whether a text may hold such an integer: of as many digits in a row one is at a multiple of that number, and no
 * other character is looked at first. Every body of a client passes through here.
 */
function hasLongNumber(text: string): boolean {
  for (let at = LEAST_DIGITS - 1; at < text.length; at += LEAST_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let [first, last] = [at, at];
    while (isDigit(text.charCodeAt(first - 1))) first--;
    while (isDigit(text.charCodeAt(last + 1))) last++;
    if (last - first + 1 >= LEAST_DIGITS) return true;
  }
  return false;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** An integer is kept by a double that has its value, and by one that is written in the same way. */
function isExact(words: string): boolean {
  if (words.length < 16 || !/^-?\d+$/.test(words)) return true;
  const value = Number(words);
  return String(value) === words || (Number.isFinite(value) && BigInt(value) === BigInt(words));
}

const nameOf = ({ name }: Open): string => JSON.parse(name);

function placeOf(open: readonly Open[]): string {
  return open.map((one) => (one.isArray ? `[${one.item}]` : `.${nameOf(one).slice(0, 80)}`)).join('');
}

function pointerOf(open: readonly Open[]): string {
  return open.map((one) => `/${one.isArray ? one.item : escapeStep(nameOf(one))}`).join('');
}
