/** A line is said in about five seconds; a longer one is cut where it pauses, or else where it is full. */
const MOST_WORDS = 14;
const MOST_CHARACTERS = 110;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
const words = new Intl.Segmenter('und', { granularity: 'word' });

/** `Scene 2:`, `Shot 3 -`, `4)`, `-`: how authors number what is shown. */
const marker = /^(?:(?:scene|shot)\s*\d+\s*[:.)–-]|\d{1,3}[.)](?=\s)|[-*•](?=\s))\s*/iu;

/** A prompt as the lines of its shots: sentences, cut at clauses where they are long. Of any length and script. */
export function splitShots(prompt: string): string[] {
  return splitSentences(prompt).flat();
}

/** The same lines, those of a sentence together. */
export function splitSentences(prompt: string): string[][] {
  return prompt
    .split('\n')
    .flatMap((paragraph) =>
      Array.from(sentences.segment(paragraph.replace(marker, '')), ({ segment }) => segment.trim()),
    )
    .map((sentence) => clauses(sentence.replace(marker, '')).filter((line) => /[\p{L}\p{N}\p{S}]/u.test(line)))
    .filter((lines) => lines.length > 0);
}

/** Counts words, also in scripts that do not separate them. */
export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of words.segment(text)) if (isWordLike === true) count++;
  return count;
}

function clauses(sentence: string): string[] {
  if (fits(sentence)) return [sentence];
  const parts = sentence.split(/(?<=[,;:—–、，；：])\s*/u);
  const lines: string[] = [];
  for (const part of parts.flatMap(pieces)) {
    const last = lines.at(-1);
    const joined = `${last} ${part}`;
    if (last !== undefined && fits(joined)) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines;
}

/** Cut wherever it is full; between words, unless one word alone is too long. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let piece = '';
  let count = 0;
  for (const { segment, isWordLike } of words.segment(text)) {
    const isFull = count >= MOST_WORDS || piece.length + segment.length > MOST_CHARACTERS;
    if (isFull && piece.trim() !== '') {
      found.push(piece.trim());
      piece = '';
      count = 0;
    }
    piece += Array.from(segment).slice(0, MOST_CHARACTERS).join('');
    if (isWordLike === true) count++;
  }
  return piece.trim() === '' ? found : [...found, piece.trim()];
}

function fits(line: string): boolean {
  return line.length <= MOST_CHARACTERS && countWords(line) <= MOST_WORDS;
}
