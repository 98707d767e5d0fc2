import { marketNames } from './market-names.ts';
import { readNumberWords, withPlainFractions } from './number-words.ts';

/** A word, number or mark of a text, with its place. */
export interface Token {
  readonly kind: 'word' | 'number' | 'shape' | 'date' | 'url' | 'quote' | 'id' | 'symbol' | 'mark';
  /** As it was written. */
  readonly text: string;
  /** In lower case, with plain apostrophes and hyphens. */
  readonly low: string;
  /** Place in the text: from this character. */
  readonly from: number;
  /** Up to this one, which is not part of it. */
  readonly to: number;
  /** Value of a number; NaN where it can be read in two ways, such as `2,5`. Without its sign. */
  readonly value: number;
  /** Sign of a number, if it has one. */
  readonly sign: '' | '+' | '-' | '±';
  /** Symbol that the token names. */
  readonly symbol: string | null;
  /** True where nothing is between it and the token before. */
  readonly isJoined: boolean;
}

/** Up to the punctuation that ends the sentence around it. */
const URL_TEXT = /https?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?]/iy;
/** Text in quotes that open after a space and close at the end of a word: an inch mark does not. */
const QUOTED = /(?<=^|[\s:(])["“”][^"“”\n]{1,5000}["“”](?=$|[\s.,;:!?)])/y;
const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/iy;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/y;
const SHAPE = /(?<![\w.])\d{1,5}(?::\d{1,2}(?![\d:])|[x×]\d{1,5}\b)/y;
const NUMBER =
  /(?<sign>(?:(?:\+ ?\/? ?[-−]|±) ?|[+−–-])(?=[$€£.]?\d))?[$€£]?(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)/y;
/** "1/2", "3/4", "1 1/2". */
const FRACTION = /(?:(?<whole>\d{1,3}) )?(?<above>\d{1,2})\/(?<below>\d{1,2})(?![\d/.,])/y;
/** Denominators of sizes; any other, such as 60/40 or 9/11, may not be a size. */
const denominators = new Set([2, 4, 8, 16, 32]);
/** "1.000" is one or a thousand, by the country of who wrote it. */
const GROUPED = /^[1-9]\d{0,2}\.\d{3}$/;
/** Digits that go on: `2,5`, `1.2.3`, `1e9`. */
const GOES_ON = /(?:[.,]\d|e[+-]?\d)[\d.,e+-]*/iy;
const WORD = /\p{L}[\p{L}\p{M}\p{N}_]*(?:[-'‐‑’][\p{L}\p{M}]+)*/uy;
/** Goes on as the reader may guess: no end of a sentence. */
const ELLIPSIS = /\.{2,}/y;
const HASH_NAME = /\b(?:sha|md|crc|blake|keccak)-?\d+(?:-\d+)?\b/iy;
const NAMES = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${marketNames.map(([name]) => name).join('|')})(?![\\p{L}\\p{N}_])`,
  'iuy',
);
const symbolOf = new Map(marketNames);
/** Kinds with a pattern of their own, in this order. */
const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['url', URL_TEXT],
  ['quote', QUOTED],
  ['id', ID],
  ['date', DATE],
  ['shape', SHAPE],
  ['symbol', NAMES],
  ['word', HASH_NAME],
  ['mark', ELLIPSIS],
];

/** A text in the form that {@link tokenize} expects: compatibility forms folded, invisible characters gone. */
export function plainGoal(text: string): string {
  return withPlainFractions(text)
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim();
}

/** Every word, number, name, address and mark of a text, in order; only spaces are left out. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character !== '\n' && /\s/.test(character)) {
      at++;
      continue;
    }
    const next = tokenAt(text, at, tokens.at(-1));
    tokens.push(next);
    at = next.to;
  }
  return withNumberWords(text, tokens);
}

/** The words of some tokens as they were written, with the text between them. */
export function textOf(text: string, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first && last ? text.slice(first.from, last.to).trim() : '';
}

function tokenAt(text: string, at: number, before: Token | undefined): Token {
  const isJoined = before?.to === at;
  for (const [kind, pattern] of patterns) {
    const found = matchAt(pattern, text, at)?.[0];
    if (found === undefined) continue;
    const symbol = kind === 'symbol' ? (symbolOf.get(found.toLowerCase()) ?? null) : null;
    return token(kind, found, at, { symbol, isJoined });
  }
  const number = numberAt(text, at, before, isJoined);
  if (number) return number;
  const word = matchAt(WORD, text, at)?.[0];
  if (word !== undefined) {
    return token('word', numberHead(word), at, { isJoined });
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return token(character === '%' || character === '‰' ? 'word' : 'mark', character, at, { isJoined });
}

/** The number of "five-percent" or "five-hundred-point", of which the rest is a word of its own; any other word whole. */
function numberHead(word: string): string {
  const parts = word.split('-');
  for (let length = parts.length; length > 0; length--) {
    const head = parts.slice(0, length).join('-');
    const read = readNumberWords([head.toLowerCase()]);
    if (read) return head;
  }
  return word;
}

function numberAt(text: string, at: number, before: Token | undefined, isJoined: boolean): Token | null {
  const match = matchAt(NUMBER, text, at);
  if (!match) return null;
  const { sign = '', digits = '' } = match.groups!;
  const lead = match[0].length - digits.length;
  const fraction = matchAt(FRACTION, text, at + lead);
  // "3-5" is a range and "gen-2" a name: there the dash is no sign
  if (sign !== '' && isJoined && before && before.kind !== 'mark') return null;
  if (fraction) return fractionAt(text.slice(at, at + lead + fraction[0].length), at, fraction, sign, isJoined);
  const more = matchAt(GOES_ON, text, at + match[0].length)?.[0];
  const plain = plainSign(sign);
  if (more !== undefined || GROUPED.test(digits))
    return token('number', match[0] + (more ?? ''), at, { value: Number.NaN, isJoined, sign: plain });
  return token('number', match[0], at, { value: Number(digits.replaceAll(',', '')), sign: plain, isJoined });
}

function fractionAt(
  written: string,
  at: number,
  { groups = {} }: RegExpExecArray,
  sign: string,
  isJoined: boolean,
): Token {
  const [above, below] = [Number(groups['above']), Number(groups['below'])];
  const isSize = denominators.has(below) && above < below;
  if (!isSize) return token('shape', written, at, { isJoined });
  return token('number', written, at, {
    value: Number(groups['whole'] ?? 0) + above / below,
    sign: plainSign(sign),
    isJoined,
  });
}

function plainSign(sign: string): Token['sign'] {
  if (sign.length > 1 || sign === '±') return '±';
  return sign === '' || sign === '+' ? sign : '-';
}

/** Numbers in words become one token each. */
function withNumberWords(text: string, tokens: readonly Token[]): readonly Token[] {
  const merged: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const one = tokens[i]!;
    const words = tokens.slice(i, i + 10).map(({ kind, low }) => (kind === 'word' ? low : ''));
    const read = one.kind === 'number' ? andAHalf(one, words) : readNumberWords(words);
    if (!read) {
      merged.push(one);
      continue;
    }
    const { to } = tokens[i + read.length - 1]!;
    merged.push(
      token('number', text.slice(one.from, to), one.from, {
        value: read.value,
        sign: one.sign,
        isJoined: one.isJoined,
      }),
    );
    i += read.length - 1;
  }
  return merged;
}

/** "1 and a half". */
function andAHalf({ value }: Token, [, ...words]: readonly string[]): ReturnType<typeof readNumberWords> {
  const isHalf = words[0] === 'and' && words[1] === 'a' && words[2] === 'half';
  return isHalf ? { value: value + 0.5, length: 4 } : null;
}

function token(
  kind: Token['kind'],
  text: string,
  from: number,
  { value = Number.NaN, sign = '', symbol = null, isJoined }: Partial<Token> & Pick<Token, 'isJoined'>,
): Token {
  const low = text.toLowerCase().replaceAll(/[’ʼ]/g, "'").replaceAll(/[‐‑]/g, '-');
  return { kind, text, low, from, to: from + text.length, value, sign, symbol, isJoined };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
