import { splitWords } from './split-words.ts';

/** A word that is said, in seconds. */
export interface SpokenWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Follows the word before it without a blank, as in scripts that write none. */
  readonly isGlued?: boolean;
}

/** A text on screen, in seconds. */
export interface Cue {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Read in a glance. */
const MOST_WORDS = 8;

/** Words of a shot as captions of at most so many characters, each there until the next one comes. */
export function cuesOf(words: readonly SpokenWord[], mostCharacters: number): Cue[] {
  const cues: { from: number; to: number; text: string; words: number }[] = [];
  for (const word of words) {
    const last = cues.at(-1);
    const joined = `${last?.text}${word.isGlued === true ? '' : ' '}${word.text}`;
    if (last && last.words < MOST_WORDS && joined.length <= mostCharacters && !/[.!?。！？]$/u.test(last.text)) {
      last.text = joined;
      last.to = word.to;
      last.words++;
    } else cues.push({ text: word.text, from: word.from, to: word.to, words: 1 });
  }
  return cues.map(({ from, to, text }, index) => {
    const next = cues[index + 1]?.from;
    // a blink between two captions disturbs
    return { from, to: next !== undefined && next - to < 0.5 ? next : to, text };
  });
}

/** Spreads words without speech by their length. */
export function spreadWords(line: string, from: number, seconds: number): SpokenWord[] {
  const units = splitWords(line);
  const total = units.reduce((sum, { text }) => sum + text.length + 1, 0);
  let at = 0;
  return units.map((unit) => {
    const begun = at;
    at += unit.text.length + 1;
    return { ...unit, from: from + (seconds * begun) / total, to: from + (seconds * at) / total };
  });
}

/** A WebVTT file (W3C): notes first, then the captions. */
export function webVtt(cues: readonly Cue[], notes: readonly string[] = []): string {
  const blocks = [
    'WEBVTT',
    // an arrow would end the note
    ...notes.map((note) => `NOTE ${note.replaceAll('\n', ' ').replaceAll('-->', '→')}`),
    ...cues.map(({ from, to, text }, index) => `${index + 1}\n${stamp(from)} --> ${stamp(to)}\n${escape(text)}`),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const pad = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0');
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1_000) % 60)}.${pad(ms % 1_000, 3)}`;
}
