/** Width of a character of DejaVu Sans, in ems; a little generous, as nothing is measured. */
const advances: readonly (readonly [RegExp, number])[] = [
  [/\p{M}|\u200C|\u200D/u, 0],
  [/[ijlI.,'|!:;()[\] ]/u, 0.38],
  [/[mwMW@%]/u, 1],
  [/[\p{Lu}\p{N}+=<>~_]/u, 0.72],
  [
    /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/u,
    1.05,
  ],
];
const USUAL = 0.64;
const BOLD = 1.1;

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** About how wide a text is drawn, in ems. */
export function textWidth(text: string, bold = false): number {
  let width = 0;
  for (const character of text) {
    width += advances.find(([pattern]) => pattern.test(character))?.[1] ?? USUAL;
  }
  return bold ? width * BOLD : width;
}

/**
 * Lines no wider than `width` ems, broken between words, or inside one that is too long. What does not fit in
 * `mostLines` ends with an ellipsis.
 */
export function wrapText(text: string, width: number, mostLines: number, bold = false): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => breakWord(part, width, bold))) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (textWidth(joined, bold) <= width) {
      line = joined;
      continue;
    }
    lines.push(line);
    line = word;
    if (lines.length > mostLines) break;
  }
  if (line !== '') lines.push(line);
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), shorten(`${lines[mostLines - 1]}`, width, bold)];
}

/** Smallest share of its usual size that a text is drawn in so that all of it is seen. */
const SMALLEST = 0.35;
const SHRINK = 0.92;

/**
 * Lines of a text in the largest letters, up to `size` pixels, in which nothing of it is left out; `room` is in pixels.
 */
export function fitLines(
  text: string,
  { size, room, mostLines, bold }: { size: number; room: number; mostLines: number; bold: boolean },
): { readonly size: number; readonly lines: readonly string[] } {
  const least = Math.max(4, size * SMALLEST);
  for (let pixels = size; pixels > least; pixels *= SHRINK) {
    const lines = wrapText(text, room / pixels, mostLines + 1, bold);
    if (lines.length <= mostLines) return { size: Math.round(pixels), lines };
  }
  return { size: Math.round(least), lines: wrapText(text, room / least, mostLines, bold) };
}

function breakWord(word: string, width: number, bold: boolean): string[] {
  if (textWidth(word, bold) <= width) return [word];
  const parts: string[] = [];
  let part = '';
  for (const { segment } of characters.segment(word)) {
    if (part !== '' && textWidth(part + segment, bold) > width) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  return [...parts, part];
}

function shorten(line: string, width: number, bold: boolean): string {
  const fitting = Array.from(characters.segment(line), ({ segment }) => segment);
  while (fitting.length > 1 && textWidth(`${fitting.join('')}…`, bold) > width) fitting.pop();
  return `${fitting.join('').trimEnd()}…`;
}
