import { estimateSpeechSeconds } from '#src/lib/text/speech-length.ts';

export const FRAMES_PER_SECOND = 24;
/** Shown shorter than this, a shot is a flicker. */
export const SHORTEST_SHOT = 1.5;
/** Seconds on screen of a title that has time of its own. */
export const TITLE_SECONDS = 1.8;
/** A title with time of its own would leave a shorter film none for the rest. */
export const SHORTEST_WITH_TITLE = 8;
/** A shot's silence before and after its words. */
export const LEAD_IN = 0.25;
const PAUSE = 0.55;
const HURRIED_PAUSE = 0.3;
/** Factor by which words are shorter when said as fast as they can be followed. */
const HURRIED = 1.5;
/** Least seconds of a film without a requested length. */
const SHORTEST_FILM = 3;

/** Time of a shot on screen, in frames. */
export interface Span {
  readonly from: number;
  readonly frames: number;
}

/** Pace of the words: with all the time they need, or hurried to fit into a requested length. */
export type Pace = 'easy' | 'hurried';

/** Seconds that a line takes to be said and seen, before it has been spoken. */
export function estimateSeconds(line: string, pace: Pace): number {
  return shotSeconds(estimateSpeechSeconds(line) / (pace === 'easy' ? 1 : HURRIED), pace);
}

/** Seconds that a shot needs for words of this length. */
export function shotSeconds(spokenSeconds: number, pace: Pace): number {
  return Math.max(SHORTEST_SHOT, spokenSeconds + (pace === 'easy' ? PAUSE : HURRIED_PAUSE));
}

/**
 * As many of the first sentences (each in its lines) as can be said in `seconds`; at least one. Of a first one that is
 * too long for that as many lines as can be seen.
 */
export function sentencesThatFit(
  sentences: readonly (readonly string[])[],
  seconds: number,
  pace: Pace,
): (readonly string[])[] {
  let used = 0;
  const needs = sentences.map((lines) => {
    used += lines.reduce((sum, line) => sum + estimateSeconds(line, pace), 0);
    return used;
  });
  const count = needs.filter((need) => need <= seconds).length;
  if (count > 0) return sentences.slice(0, count);
  const seen = Math.max(1, Math.floor(seconds / SHORTEST_SHOT));
  return sentences.slice(0, 1).map((lines) => lines.slice(0, seen));
}

/**
 * Lays out spans that follow one another without a gap, in the proportions of the shots' needs.
 *
 * @param needs seconds of each shot
 * @param wanted seconds of the whole; null where it may take what it needs
 * @param most seconds of the longest film
 * @param least seconds of the shortest film without a requested length
 */
export function layOut(needs: readonly number[], wanted: number | null, most: number, least = SHORTEST_FILM): Span[] {
  const needed = needs.reduce((sum, seconds) => sum + seconds, 0);
  const total = Math.min(most, wanted ?? Math.max(SHORTEST_FILM, least, needed));
  const frames = Math.max(needs.length, Math.round(total * FRAMES_PER_SECOND));
  let until = 0;
  const edges = needs.map((seconds) => {
    until += seconds;
    return Math.round((frames * until) / needed);
  });
  return edges.map((edge, index) => {
    const from = edges[index - 1] ?? 0;
    return { from, frames: edge - from };
  });
}
