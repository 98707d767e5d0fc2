import { counted } from '#src/lib/text/counted.ts';
import type { FilmTask } from '#src/providers/local/media/media-task.ts';
import { captionLetters } from '#src/providers/local/picture/cards.ts';
import { splitSentences } from '#src/providers/local/picture/split-shots.ts';
import { FASTEST_RATE, type Speaker, type Speech, USUAL_RATE } from '#src/providers/local/sound/speech.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';
import { type Cue, cuesOf, type SpokenWord, spreadWords } from '#src/providers/local/text/captions.ts';
import { cleanLine, cleanText } from '#src/providers/local/text/clean-text.ts';
import { quoteText } from '#src/providers/local/text/quote-text.ts';
import {
  estimateSeconds,
  FRAMES_PER_SECOND,
  LEAD_IN,
  layOut,
  SHORTEST_WITH_TITLE,
  type Span,
  sentencesThatFit,
  shotSeconds,
  TITLE_SECONDS,
} from './timeline.ts';

export interface Shot extends Span {
  readonly kind: 'title' | 'scene' | 'speaker';
  readonly text: string;
  /** Its voice; null for a silent shot, or where one narration runs through the film. */
  readonly speech: Speech | null;
}

/** All that happens in a film, and when. */
export interface Script {
  readonly shots: readonly Shot[];
  readonly cues: readonly Cue[];
  readonly frames: number;
  /**
   * Number of frames at the beginning with the title over the picture; 0 where the title has a shot of its own, or is
   * missing.
   */
  readonly titleFrames: number;
  /** Start of the input narration, and how much of it is heard, in seconds; null without one. */
  readonly narration: { readonly from: number; readonly seconds: number } | null;
  /** Parts that were left out, and why. */
  readonly notes: readonly string[];
}

export type FilmText = Pick<
  FilmTask,
  'title' | 'prompt' | 'seconds' | 'leastSeconds' | 'mostSeconds' | 'speaker' | 'size' | 'images' | 'notes'
>;

/**
 * Writes the script of a film that speaks by itself, or not at all: a title, a shot for each line of its text, and who
 * says what when. Whole sentences are left out where time is short, never the end of one.
 *
 * @param speaker null where the film is silent
 */
export function writeScript(film: FilmText, speaker: Speaker | null): Script {
  const notes = [...film.notes];
  const all = splitSentences(cleanText(film.prompt));
  const title = film.speaker === null ? cleanLine(film.title) : '';
  const length = Math.min(film.mostSeconds, film.seconds ?? film.mostSeconds);
  const hasCard = title !== '' && length >= SHORTEST_WITH_TITLE;
  const room = length - (hasCard ? TITLE_SECONDS : 0);
  const shown = sentencesThatFit(all, room, film.seconds === null ? 'easy' : 'hurried');
  // half a sentence is read, but not said
  const isCut = (shown[0]?.length ?? 0) < (all[0]?.length ?? 0);
  const { sentences, speeches, needs } = speakSentences(shown, isCut ? null : speaker, room);
  const lines = withPictures(sentences.flat(), film.images.length, room);
  const left = all.flat().slice(sentences.flat().length);
  if (left.length > 0) {
    notes.push(
      `The prompt has ${counted(all.flat().length, 'line')}; the first ${sentences.flat().length} are shown, as no more fit into ${counted(Math.round(length), 'second')}. Left out: ${quoteText(left.join(' '))}.`,
    );
  }
  if (speaker !== null && speeches.length === 0 && lines.some((line) => line !== '')) {
    notes.push(
      `Nothing is spoken: the first sentence does not fit into ${counted(Math.round(length), 'second')}. Its words are captions alone; ask for more seconds, or shorten it.`,
    );
  }
  const shotNeeds = lines.map((line, index) => needs[index] ?? estimateSeconds(line, 'easy'));
  const spans = layOut(
    hasCard ? [TITLE_SECONDS, ...shotNeeds] : shotNeeds,
    film.seconds,
    film.mostSeconds,
    film.leastSeconds,
  );
  const kind = film.speaker === null ? 'scene' : 'speaker';
  const shots = spans.map((span, index): Shot => {
    if (hasCard && index === 0) return { ...span, kind: 'title', text: title, speech: null };
    const line = index - (hasCard ? 1 : 0);
    return { ...span, kind, text: lines[line] ?? '', speech: speeches[line] ?? null };
  });
  const { most } = captionLetters(film.size);
  const frames = sum(spans.map((span) => span.frames));
  return {
    shots,
    cues: shots.flatMap((shot) => (shot.kind === 'title' ? [] : cuesOf(wordsIn(shot), most))),
    frames,
    titleFrames: hasCard || title === '' ? 0 : titleOver(frames),
    narration: null,
    notes,
  };
}

/** Counts the frames with a title over the first shot of a film of so many: a third of them at most. */
export function titleOver(frames: number): number {
  return Math.round(Math.min(TITLE_SECONDS * FRAMES_PER_SECOND, frames / 3));
}

/** Every picture gets a shot, as far as there is time; a prompt without a line has one that says nothing. */
function withPictures(lines: readonly string[], pictures: number, seconds: number): string[] {
  const most = Math.max(1, Math.floor(seconds / estimateSeconds('', 'hurried')));
  const missing = Math.min(most, Math.max(1, pictures)) - lines.length;
  return [...lines, ...Array.from({ length: Math.max(0, missing) }, () => '')];
}

interface Spoken {
  /** Sentences that there is time for, each in its lines. */
  readonly sentences: readonly (readonly string[])[];
  /** Speech of each line; empty where nothing is spoken. */
  readonly speeches: readonly Speech[];
  /** Seconds of each line's shot; none where nothing is spoken. */
  readonly needs: readonly number[];
}

/**
 * Speaks these sentences: faster where they would not end in time, then without the last ones, each of them whole.
 * Where not even the first one ends in time nothing is spoken.
 */
function speakSentences(shown: readonly (readonly string[])[], speaker: Speaker | null, room: number): Spoken {
  const silent = { sentences: shown, speeches: [], needs: [] };
  if (speaker === null) return silent;
  const say = (rate: number) => shown.flat().map((line) => speaker.speak(line, rate, room + 1));
  const easy = say(USUAL_RATE);
  const easyNeeds = easy.map((speech) => shotSeconds(secondsOf(speech), 'easy'));
  const excess = sum(easyNeeds) / room;
  if (excess <= 1) return { sentences: shown, speeches: easy, needs: easyNeeds };
  const speeches = say(Math.min(FASTEST_RATE, USUAL_RATE * excess * 1.1));
  const needs = speeches.map((speech) => shotSeconds(secondsOf(speech), 'hurried'));
  for (let count = shown.length; count > 0; count--) {
    const sentences = shown.slice(0, count);
    const lines = sentences.flat().length;
    if (sum(needs.slice(0, lines)) <= room)
      return { sentences, speeches: speeches.slice(0, lines), needs: needs.slice(0, lines) };
  }
  return { ...silent, sentences: shown.slice(0, 1) };
}

function secondsOf({ samples }: Speech): number {
  return samples.length / SAMPLE_RATE;
}

function wordsIn({ from, frames, text, speech }: Shot): SpokenWord[] {
  const start = from / FRAMES_PER_SECOND;
  if (speech === null) return spreadWords(text, start + LEAD_IN / 2, frames / FRAMES_PER_SECOND - LEAD_IN);
  return speech.words.map((word) => ({
    ...word,
    from: start + LEAD_IN + word.from,
    to: start + LEAD_IN + word.to,
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
