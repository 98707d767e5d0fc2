import { type Cue, cuesOf, type SpokenWord, spreadWords } from './captions.ts';
import { captionLetters } from './cards.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import type { FilmTask } from './media-task.ts';
import { FASTEST_RATE, type Speaker, type Speech, USUAL_RATE } from './speech.ts';
import { splitShots } from './split-shots.ts';
import {
  estimateSeconds,
  FRAMES_PER_SECOND,
  LEAD_IN,
  layOut,
  linesThatFit,
  type Span,
  shotSeconds,
} from './timeline.ts';
import { SAMPLE_RATE } from './wav.ts';

const TITLE_SECONDS = 1.8;
/** A title card in a shorter film would leave no time for the rest. */
const SHORTEST_WITH_TITLE = 8;

export interface Shot extends Span {
  readonly kind: 'title' | 'scene' | 'speaker';
  readonly text: string;
  /** Its voice; null where nobody speaks, or where one narration runs through the film. */
  readonly speech: Speech | null;
}

/** All that happens in a film, and when. */
export interface Script {
  readonly shots: readonly Shot[];
  readonly cues: readonly Cue[];
  readonly frames: number;
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

type FilmText = Pick<
  FilmTask,
  'title' | 'prompt' | 'seconds' | 'mostSeconds' | 'speaker' | 'size' | 'images' | 'notes'
>;

/**
 * Writes the script of a film: a title, a shot for each line of the prompt, and who says what when.
 *
 * @param speaker null where the film is silent or has a narration
 * @param narrationSeconds length of a narration that was given
 */
export function writeScript(film: FilmText, speaker: Speaker | null, narrationSeconds: number | null): Script {
  const notes = [...film.notes];
  const all = splitShots(cleanText(film.prompt));
  const title = cleanLine(film.title);
  const wanted = film.seconds ?? (narrationSeconds === null ? null : narrationSeconds + LEAD_IN);
  const length = Math.min(film.mostSeconds, wanted ?? film.mostSeconds);
  const hasTitle = film.speaker === null && title !== '' && length >= SHORTEST_WITH_TITLE;
  const room = length - (hasTitle ? TITLE_SECONDS : 0);
  const pace = wanted === null ? 'easy' : 'hurried';
  const lines = withPictures(linesThatFit(all, room, pace), film.images.length, room);
  if (all.length > lines.length) {
    notes.push(
      `The prompt has ${all.length} lines; the first ${lines.length} are shown, as ${Math.round(length)} seconds hold no more.`,
    );
  }
  const { speeches, needs, isCut } = speakLines(lines, speaker, room);
  if (isCut) notes.push('The narration was cut where a shot ended before its words.');
  const spans = layOut(hasTitle ? [TITLE_SECONDS, ...needs] : needs, wanted, film.mostSeconds);
  const kind = film.speaker === null ? 'scene' : 'speaker';
  const shots = spans.map((span, index): Shot => {
    if (hasTitle && index === 0) return { ...span, kind: 'title', text: title, speech: null };
    const line = index - (hasTitle ? 1 : 0);
    return { ...span, kind, text: lines[line] ?? '', speech: speeches[line] ?? null };
  });
  const { most } = captionLetters(film.size);
  return {
    shots,
    cues: shots.flatMap((shot) => (shot.kind === 'title' ? [] : cuesOf(wordsIn(shot), most))),
    frames: sum(spans.map(({ frames }) => frames)),
    notes,
  };
}

/** Every picture gets a shot, as far as there is time; a prompt without a line has one that says nothing. */
function withPictures(lines: readonly string[], pictures: number, seconds: number): string[] {
  const most = Math.max(1, Math.floor(seconds / estimateSeconds('', 'hurried')));
  const missing = Math.min(most, Math.max(1, pictures)) - lines.length;
  return [...lines, ...Array.from({ length: Math.max(0, missing) }, () => '')];
}

interface Spoken {
  readonly speeches: readonly Speech[];
  /** Seconds of each shot. */
  readonly needs: readonly number[];
  readonly isCut: boolean;
}

/** Speaks every line; all of them faster where they would not end in time, and cut off where that is not enough. */
function speakLines(lines: readonly string[], speaker: Speaker | null, room: number): Spoken {
  if (speaker === null)
    return { speeches: [], needs: lines.map((line) => estimateSeconds(line, 'easy')), isCut: false };
  const say = (rate: number) => lines.map((line) => speaker.speak(line, rate, room));
  const easy = say(USUAL_RATE);
  const easyNeeds = easy.map(({ samples }) => shotSeconds(samples.length / SAMPLE_RATE, 'easy'));
  const excess = sum(easyNeeds) / room;
  if (excess <= 1) return { speeches: easy, needs: easyNeeds, isCut: false };
  const speeches = say(Math.min(FASTEST_RATE, USUAL_RATE * excess * 1.1));
  const needs = speeches.map(({ samples }) => shotSeconds(samples.length / SAMPLE_RATE, 'hurried'));
  const share = Math.min(1, room / sum(needs));
  const kept = speeches.map((speech, index) => cutSpeech(speech, Math.max(0, (needs[index] ?? 0) * share - LEAD_IN)));
  return {
    speeches: kept,
    needs,
    isCut: kept.some(({ words }, index) => words.length < wordCount(lines[index] ?? '')),
  };
}

/** Of words as they are written, which is how they are spoken here. */
function wordCount(line: string): number {
  return line.split(' ').filter((word) => word !== '').length;
}

/** Ends a speech with the last word that is over by then. */
function cutSpeech(speech: Speech, seconds: number): Speech {
  const { samples, words } = speech;
  if (samples.length <= seconds * SAMPLE_RATE) return speech;
  const kept = words.filter(({ to }) => to <= seconds);
  return { words: kept, samples: samples.subarray(0, Math.floor((kept.at(-1)?.to ?? 0) * SAMPLE_RATE)) };
}

function wordsIn({ from, frames, text, speech }: Shot): SpokenWord[] {
  const start = from / FRAMES_PER_SECOND;
  if (speech === null) return spreadWords(text, start + LEAD_IN / 2, frames / FRAMES_PER_SECOND - LEAD_IN);
  return speech.words.map((word) => ({
    text: word.text,
    from: start + LEAD_IN + word.from,
    to: start + LEAD_IN + word.to,
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
