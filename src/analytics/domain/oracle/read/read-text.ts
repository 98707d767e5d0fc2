import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { foreignNames, marketNames } from '#src/lib/words/market-names.ts';

/** Longer questions are refused, not cut: half a question has another meaning. */
export const MAX_QUESTION = 2000;

/**
 * A question in the form the readers expect: compatibility forms folded (full-width letters and digits become plain),
 * letters lower-case, invisible characters gone, dashes and quotes plain, one space between words.
 */
export function foldText(text: string): string {
  return plainText(text.normalize('NFKC').toLowerCase());
}

/** The same with its capitals. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/[‘’ʼ]/g, "'")
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const names = marketNames as readonly (readonly [string, MarketSymbol])[];

export interface SymbolsRead {
  readonly symbols: readonly MarketSymbol[];
  readonly unknown: readonly string[];
  /** The text with each name replaced by its symbol in lower case, so that its digits are no numbers. */
  readonly text: string;
}

/** The underlyings a folded question names, in the order of their first mention. */
export function readSymbols(folded: string): SymbolsRead {
  let text = ` ${folded} `;
  for (const [name, symbol] of names) text = replaceWord(text, name, symbol.toLowerCase());
  const words = text.match(/\$?[a-z][a-z0-9]*/g) ?? [];
  const symbols: MarketSymbol[] = [];
  const unknown: string[] = [];
  for (const word of words) {
    const bare = word.replace('$', '');
    const symbol = names.find(([name]) => name === bare)?.[1];
    if (symbol !== undefined && !symbols.includes(symbol)) symbols.push(symbol);
    const isForeign = symbol === undefined && (foreignNames.has(bare) || (word.startsWith('$') && bare.length <= 6));
    // "vix rises 10" is a shock of volatility, not a question about an underlying.
    if (isForeign && bare !== 'vix' && !unknown.includes(bare.toUpperCase())) unknown.push(bare.toUpperCase());
  }
  return { symbols, unknown, text };
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function replaceWord(text: string, word: string, by: string): string {
  let result = '';
  let from = 0;
  for (let at = findWord(text, word, 0); at !== -1; at = findWord(text, word, from)) {
    result += text.slice(from, at) + by;
    from = at + word.length;
  }
  return result + text.slice(from);
}

/** Finds a whole word or phrase, its plural included; -1 where there is none. */
export function findWord(text: string, word: string, from = 0): number {
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const after = text[end] === 's' ? text[end + 1] : text[end];
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(after)) return at;
  }
  return -1;
}
