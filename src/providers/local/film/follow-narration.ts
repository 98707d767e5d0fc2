import { captionLetters } from '#src/providers/local/picture/cards.ts';
import { splitShots } from '#src/providers/local/picture/split-shots.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';
import { cuesOf, type SpokenWord } from '#src/providers/local/text/captions.ts';
import { cleanLine, cleanText } from '#src/providers/local/text/clean-text.ts';
import { quoteText } from '#src/providers/local/text/quote-text.ts';
import { joinWords } from '#src/providers/local/text/split-words.ts';
import { alignWords, lastPause } from './align-words.ts';
import { type FilmText, type Script, type Shot, titleOver } from './script.ts';
import { FRAMES_PER_SECOND, LEAD_IN, SHORTEST_SHOT, SHORTEST_WITH_TITLE, TITLE_SECONDS } from './timeline.ts';

/** Seconds that a film goes on after its last word. */
const TAIL = 0.4;
/** Seconds that one picture is shown after the last spoken word. */
const SILENT_SHOT = 4;
/** Lines that are said in less are one shot, in seconds. */
const BREATH = 1;
/** A shot begins so long before its first word, in seconds. */
const AHEAD = 0.1;

/** A recording of a film's words. */
export interface Narration {
  /** 48 kHz, one channel. */
  readonly samples: Float32Array;
  /** Times of the words, in seconds; null where the narration's maker does not say them. */
  readonly words: readonly SpokenWord[] | null;
}

/**
 * Writes the script of a film that has a narration: its shots change with the spoken words, its captions are shown
 * while they are said, and it is as long as the narration where that is longer than the requested length.
 */
export function followNarration(film: FilmText, { samples, words: known }: Narration): Script {
  const notes = [...film.notes];
  const title = film.speaker === null ? cleanLine(film.title) : '';
  const whole = samples.length / SAMPLE_RATE;
  const withCard = TITLE_SECONDS + whole + TAIL;
  const hasCard =
    title !== '' &&
    Math.max(withCard, film.seconds ?? 0) >= SHORTEST_WITH_TITLE &&
    withCard <= Math.min(film.mostSeconds, film.seconds ?? Number.POSITIVE_INFINITY);
  const from = hasCard ? TITLE_SECONDS : LEAD_IN;
  const all = known ?? alignWords(cleanLine(film.prompt), samples);
  const { seconds, words } = heardWithin({ samples, words: all }, film.mostSeconds - from - TAIL);
  if (words.length < all.length) {
    notes.push(
      `The narration takes ${tenths(whole)} s and a film here at most ${film.mostSeconds} s: it ends after “${words.at(-1)?.text ?? ''}”. Not heard: ${quoteText(joinWords(all.slice(words.length)))}.`,
    );
  }
  const needed = from + seconds + TAIL;
  const total = Math.min(film.mostSeconds, Math.max(needed, film.seconds ?? film.leastSeconds));
  const frames = Math.round(total * FRAMES_PER_SECOND);
  const shots = shotsOf(film, { title: hasCard ? title : '', from, words, needed, frames });
  const { most } = captionLetters(film.size);
  const shifted = words.map((word) => ({ ...word, from: word.from + from, to: word.to + from }));
  return {
    shots,
    cues: cuesOf(shifted, most),
    frames,
    titleFrames: hasCard || title === '' ? 0 : titleOver(frames),
    narration: { from, seconds },
    notes,
  };
}

/** As much of a narration as there is room for: to the end of a sentence, else of a word, else to a pause. */
function heardWithin(
  { samples, words }: { readonly samples: Float32Array; readonly words: readonly SpokenWord[] },
  room: number,
): { readonly seconds: number; readonly words: readonly SpokenWord[] } {
  const whole = samples.length / SAMPLE_RATE;
  if (whole <= room) return { seconds: whole, words };
  const inTime = words.filter(({ to }) => to <= room);
  const sentence = inTime.findLastIndex(({ text }) => /[.!?。！？।]["”»』」)]?$/u.test(text));
  const heard = sentence < 0 ? inTime : inTime.slice(0, sentence + 1);
  return { seconds: heard.at(-1)?.to ?? lastPause(samples, room) ?? room, words: heard };
}

interface Course {
  /** Title of the card before the first word; empty without one. */
  readonly title: string;
  /** Seconds. */
  readonly from: number;
  readonly words: readonly SpokenWord[];
  readonly needed: number;
  readonly frames: number;
}

function shotsOf({ prompt, speaker, images }: FilmText, { title, from, words, needed, frames }: Course): Shot[] {
  const kind = speaker === null ? 'scene' : 'speaker';
  const begun: { at: number; text: string; kind: Shot['kind'] }[] = [];
  if (title !== '') begun.push({ at: 0, text: title, kind: 'title' });
  for (const { text, at } of linesAt(splitShots(cleanText(prompt)), words)) {
    const last = begun.at(-1);
    const time = last === undefined ? 0 : Math.max(title === '' ? 0 : TITLE_SECONDS, from + at - AHEAD);
    // two lines in a breath are one shot
    if (last && last.kind !== 'title' && time - last.at < BREATH) last.text = `${last.text} ${text}`;
    else begun.push({ at: time, text, kind });
  }
  if (begun.at(-1)?.kind !== kind) begun.push({ at: title === '' ? 0 : TITLE_SECONDS, text: '', kind });
  const total = frames / FRAMES_PER_SECOND;
  const silent = Math.floor((total - needed) / SILENT_SHOT);
  for (let shot = 0; shot < silent; shot++)
    begun.push({ at: needed + ((total - needed) * shot) / silent, text: '', kind });
  showEvery(begun, images.length + (title === '' ? 0 : 1), total);
  const edges = [...begun.map(({ at }) => Math.round(at * FRAMES_PER_SECOND)), frames];
  return begun.map(({ text, kind: shown }, index) => {
    const start = edges[index] ?? 0;
    return { kind: shown, text, from: start, frames: Math.max(1, (edges[index + 1] ?? frames) - start), speech: null };
  });
}

/** Halves the longest shots until there is one for each picture, as long as none becomes a flicker. */
function showEvery(begun: { at: number; text: string; kind: Shot['kind'] }[], wanted: number, total: number): void {
  while (begun.length < wanted) {
    const lengths = begun.map(({ at, kind }, index) => (kind === 'title' ? 0 : (begun[index + 1]?.at ?? total) - at));
    const longest = Math.max(...lengths);
    if (longest < SHORTEST_SHOT * 2) return;
    const index = lengths.indexOf(longest);
    const shot = begun[index];
    if (shot) begun.splice(index + 1, 0, { ...shot, at: shot.at + longest / 2 });
  }
}

/** Finds when each line begins to be said, by the number of letters before it; lines that are not said are left out. */
function linesAt(lines: readonly string[], words: readonly SpokenWord[]): readonly { text: string; at: number }[] {
  const spoken = words.map(({ text }) => lettersIn(text));
  const written = lines.map(lettersIn);
  let before = 0;
  return lines.flatMap((text, index) => {
    const start = before;
    before += written[index] ?? 0;
    let passed = 0;
    const word = words.find((_, at) => {
      passed += spoken[at] ?? 0;
      return passed > start;
    });
    return word === undefined ? [] : [{ text, at: word.from }];
  });
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
