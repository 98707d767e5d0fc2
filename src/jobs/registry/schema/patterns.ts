import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSSyntaxException } from 're2js';

/**
 * Bounds of what it may take to compile a pattern, and all patterns of a contract. A unit is an instruction of its program,
 * about 2 µs: the cost is counted from the text, so that it is the same on every machine.
 */
export const patternBounds = { one: 10_000, all: 30_000 } as const;

/** Units for a class of Unicode, such as `\pL`, and for one in a pattern that ignores case (measured: 60 and 300 µs). */
const unicodeClass = { plain: 40, folded: 160 };
/** Units for any other class (measured: 2 and 20 µs). */
const plainClass = { plain: 2, folded: 8 };
/** Code points of a range that are gone through for one unit where case is ignored (measured: 80 ns each). */
const FOLDED = 25;

/** A group of a pattern that is being counted. */
interface Group {
  /** Instructions of what is complete. */
  sum: number;
  /** Instructions of the part that a quantifier would repeat. */
  last: number;
}

interface Count {
  readonly pattern: string;
  readonly folds: boolean;
  /** Place of the next character. */
  at: number;
  /** Units for reading it: a class is read once, however often it is repeated. */
  read: number;
}

/**
 * Counts the units that compiling a pattern takes at most, from its text alone: the instructions of its program with all
 * counted repeats written out, and what its classes take to be read.
 */
export function patternCost(pattern: string): number {
  const count: Count = { pattern, folds: /\(\?[a-zA-Z]*i/.test(pattern), at: 0, read: 0 };
  const groups: Group[] = [{ sum: 2, last: 0 }];
  while (count.at < pattern.length) {
    const group = groups.at(-1) as Group;
    const opened = matchAt(count, /\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:))?/y);
    const repeat = matchAt(count, /\{(\d+)(?:(,)(\d*))?\}/y);
    if (matchAt(count, /\(\?[a-zA-Z-]*\)/y, true)) continue;
    if (opened) {
      count.at += opened[0].length;
      groups.push({ sum: 0, last: 0 });
    } else if (pattern[count.at] === ')') {
      count.at++;
      if (groups.length > 1) groups.pop();
      const outer = groups.at(-1) as Group;
      begin(outer, outer === group ? 1 : group.sum + group.last + 2);
    } else if (repeat) {
      count.at += repeat[0].length;
      const times = Math.max(Number(repeat[1]) + (repeat[2] ? 1 : 0), Number(repeat[3] ?? 0), 1);
      group.last = (group.last + 1) * times + 1;
    } else if (matchAt(count, /[*+?]/y, true)) group.last += 2;
    else begin(group, readPart(count));
  }
  return groups.reduce((sum, group) => sum + group.sum + group.last, count.read);
}

/** Begins a part that a quantifier after it repeats. */
function begin(group: Group, instructions: number): void {
  group.sum += group.last;
  group.last = instructions;
}

/** Reads a character, a class, or a quoted text. @returns its instructions */
function readPart(count: Count): number {
  if (matchAt(count, /\[/y)) {
    readBrackets(count);
    return 1;
  }
  const quoted = matchAt(count, /\\Q([^]*?)(?:\\E|$)/y, true);
  if (quoted) {
    count.read += quoted[0].length;
    return quoted[1]?.length ?? 0;
  }
  readCharacter(count);
  return 1;
}

/** Reads what stands in brackets: ranges, classes and characters. */
function readBrackets(count: Count): void {
  count.read += priceOf(count, plainClass);
  matchAt(count, /\[\^?\]?/y, true);
  while (count.at < count.pattern.length && !matchAt(count, /\]/y, true)) {
    if (matchAt(count, /\[:\^?\w*:\]/y, true)) {
      count.read += priceOf(count, plainClass);
      continue;
    }
    const low = readCharacter(count);
    if (!matchAt(count, /-(?!\])/y, true)) continue;
    const high = readCharacter(count);
    if (count.folds) count.read += Math.max(0, high - low) / FOLDED;
  }
}

/** Reads a character or an escape, and counts it. @returns its code point; 0 for one that stands for several */
function readCharacter(count: Count): number {
  count.read++;
  if (matchAt(count, /\\[pP](?:\{[^}]*\}?|[^])?/y, true)) {
    count.read += priceOf(count, unicodeClass);
    return 0;
  }
  const hexadecimal = matchAt(count, /\\x(?:\{([0-9a-fA-F]*)\}|([0-9a-fA-F]{2}))/y, true);
  if (hexadecimal) return Number.parseInt(hexadecimal[1] ?? hexadecimal[2] ?? '', 16) || 0;
  const octal = matchAt(count, /\\([0-7]{1,3})/y, true);
  if (octal) return Number.parseInt(octal[1] ?? '', 8);
  if (matchAt(count, /\\[dDsSwW]/y, true)) {
    count.read += priceOf(count, plainClass);
    return 0;
  }
  matchAt(count, /\\(?=[^])/y, true);
  const point = count.pattern.codePointAt(count.at) ?? 0;
  count.at += point > 0xffff ? 2 : 1;
  return point;
}

const priceOf = ({ folds }: Count, price: typeof plainClass) => (folds ? price.folded : price.plain);

/** Finds an expression at the place of a count, and goes behind it where that is wanted. */
function matchAt(count: Count, expression: RegExp, isTaken = false): RegExpExecArray | null {
  expression.lastIndex = count.at;
  const found = expression.exec(count.pattern);
  if (found && isTaken) count.at += found[0].length;
  return found;
}

/** By its text: a pattern is compiled once, when its contract is registered or first used. */
const compiled = new LRUCache<string, RE2JS>({ maxSize: 500_000, sizeCalculation: (one) => 100 + one.programSize() });

/** Compiles a pattern, or finds it compiled. @throws what RE2 says of one that is none of its own */
export function compiledPattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern);
  compiled.set(pattern, made);
  return made;
}

/** Finds why a pattern cannot be compiled; null where it can. Its cost must have been found within bounds. */
export function patternMistake(pattern: string): string | null {
  try {
    compiledPattern(pattern);
    return null;
  } catch (error) {
    return error instanceof RE2JSSyntaxException ? error.message : 'no form that RE2 knows';
  }
}
