/** A word as it is written, with the signs that follow it. */
export interface WrittenWord {
  readonly text: string;
  readonly isGlued?: boolean;
}

/** Scripts that write no blanks between words. */
const BLANKLESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const words = new Intl.Segmenter('und', { granularity: 'word' });

/** Splits a line into words: at blanks, and by a dictionary in scripts without them. */
export function splitWords(line: string): readonly WrittenWord[] {
  return line
    .split(' ')
    .filter((part) => part !== '')
    .flatMap((part) => (BLANKLESS.test(part) ? wordsWithin(part) : [{ text: part }]));
}

function wordsWithin(part: string): WrittenWord[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of words.segment(part)) {
    if (isWordLike === true || found.length === 0) found.push(segment);
    else found[found.length - 1] += segment;
  }
  return found.map((text, index) => (index === 0 ? { text } : { text, isGlued: true }));
}

/** Words as the text they were split from, but for blanks in a row. */
export function joinWords(written: readonly WrittenWord[]): string {
  return written.map(({ text, isGlued }, index) => (index === 0 || isGlued === true ? text : ` ${text}`)).join('');
}
