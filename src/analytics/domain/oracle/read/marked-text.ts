import { findWord } from './read-text.ts';

/** Marks where a phrase was taken, so that the words on both sides become no phrase. */
const TAKEN = '|';
/** Private characters: the n-th of them marks where the n-th measure was named. */
const FIRST_MARK = 0xe000;

/** The text of a question, from which readers take what they understand; what no reader took is left over. */
export interface MarkedText {
  text: string;
}

/** Takes every match out of a text; what `read` returns false for stays. */
export function takeAll(marked: MarkedText, pattern: RegExp, read: (match: RegExpExecArray) => boolean | void): void {
  for (const match of [...marked.text.matchAll(pattern)].toReversed()) {
    if (read(match) === false) continue;
    marked.text = `${marked.text.slice(0, match.index)} ${TAKEN} ${marked.text.slice(match.index + match[0].length)}`;
  }
}

/** Takes a phrase wherever it is, its plural included; the mark of number `n` replaces it. */
export function takePhrase(marked: MarkedText, phrase: string, n: number): boolean {
  let found = false;
  for (let at = findWord(marked.text, phrase); at !== -1; at = findWord(marked.text, phrase)) {
    found = true;
    const after = marked.text.slice(at + phrase.length);
    const end = phrase.length + (/^s(?![\p{L}\p{N}_])/u.test(after) ? 1 : 0);
    marked.text = `${marked.text.slice(0, at)} ${String.fromCharCode(FIRST_MARK + n)} ${marked.text.slice(at + end)}`;
  }
  return found;
}

/** Sentences of what is left, each with the numbers of the marks in it. */
export function sentencesOf({ text }: MarkedText): { readonly left: string; readonly marks: readonly number[] }[] {
  return text.split(/[?!;\n]|\.(?=\s|$)/).map((sentence) => ({
    left: sentence.replaceAll(/[\uE000-\uF8FF|]/g, ' '),
    marks: Array.from(sentence.matchAll(/[\uE000-\uF8FF]/g), ([mark]) => mark.charCodeAt(0) - FIRST_MARK),
  }));
}
