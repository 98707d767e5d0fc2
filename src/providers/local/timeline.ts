import { countWords } from './split-shots.ts';

export const FRAMES_PER_SECOND = 24;
/** Shown shorter than this, a shot is a flicker. */
const SHORTEST_SHOT = 1.5;
/** A shot's silence before and after its words. */
export const LEAD_IN = 0.25;
const PAUSE = 0.55;
const HURRIED_PAUSE = 0.3;
/** English of eSpeak, as usual and as fast as it can be followed. */
const WORDS_PER_SECOND = 2.6;
const HURRIED_WORDS_PER_SECOND = 4.2;
/** A film that nobody gave a length has at least this one. */
const SHORTEST_FILM = 3;

/** When a shot is on screen, in frames. */
export interface Span {
  readonly from: number;
  readonly frames: number;
}

/** Whether there is all the time that words need, or they hurry to fit into a length that was asked for. */
export type Pace = 'easy' | 'hurried';

/** Seconds that a line takes to be said and seen, before it has been spoken. */
export function estimateSeconds(line: string, pace: Pace): number {
  return shotSeconds(countWords(line) / (pace === 'easy' ? WORDS_PER_SECOND : HURRIED_WORDS_PER_SECOND), pace);
}

/** Seconds that a shot needs for words of this length. */
export function shotSeconds(spokenSeconds: number, pace: Pace): number {
  return Math.max(SHORTEST_SHOT, spokenSeconds + (pace === 'easy' ? PAUSE : HURRIED_PAUSE));
}

/** As many of the first lines as can be shown in `seconds`; at least one. */
export function linesThatFit(lines: readonly string[], seconds: number, pace: Pace): string[] {
  let used = 0;
  return lines.filter((line, index) => {
    used += estimateSeconds(line, pace);
    return index === 0 || used <= seconds;
  });
}

/**
 * Spans that follow one another without a gap, in the proportions of what the shots need.
 *
 * @param needs seconds of each shot
 * @param wanted seconds of the whole; null where it may take what it needs
 * @param most seconds of the longest film
 */
export function layOut(needs: readonly number[], wanted: number | null, most: number): Span[] {
  const needed = needs.reduce((sum, seconds) => sum + seconds, 0);
  const total = Math.min(most, wanted ?? Math.max(SHORTEST_FILM, needed));
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
