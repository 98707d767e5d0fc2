import { estimateSpeechSeconds } from '#src/lib/text/speech-length.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';
import type { SpokenWord } from '#src/providers/local/text/captions.ts';
import { splitWords } from '#src/providers/local/text/split-words.ts';

/** Samples that are looked at together: 20 ms. */
const STEP = SAMPLE_RATE / 50;
const STEP_SECONDS = STEP / SAMPLE_RATE;
/** Share of its usual loudness below which a voice is silent. */
const SILENT = 0.12;
/** A shorter silence is one within a word. */
const SHORTEST_GAP = 0.12;
/** A shorter one is no pause between clauses. */
const SHORTEST_PAUSE = 0.2;
/** Farther than this from where it is expected, a gap belongs to other words. */
const NEAR = 0.8;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Estimates when each word of a text is said in a recording of it, in seconds, where its maker does not say. Words are
 * spread over the time in which there is a voice, and where a clause ends it is held to the nearest pause.
 */
export function alignWords(text: string, samples: Float32Array): readonly SpokenWord[] {
  const words = splitWords(text);
  const voiced = voicedIn(samples);
  const [first] = voiced;
  if (words.length === 0 || first === undefined) return [];
  const weights = words.map(({ text: word }) => Math.max(0.05, estimateSpeechSeconds(word.replace(/\p{P}/gu, ''))));
  const total = sum(weights);
  const length = sum(voiced.map(({ from, to }) => to - from));
  // positions among the words (by weight) that are known in the recording (by time in which there is a voice)
  const anchors = [{ weight: 0, at: 0 }];
  let weight = 0;
  for (const [index, { text: word }] of words.entries()) {
    weight += weights[index] ?? 0;
    if (!/[.!?;:,。！？，、；：।—–]["”»』」)]?$/u.test(word) || index === words.length - 1) continue;
    // expected from the last one that is known, by the pace of what is left
    const last = anchors.at(-1) ?? { weight: 0, at: 0 };
    const expected = last.at + ((weight - last.weight) * (length - last.at)) / Math.max(1e-9, total - last.weight);
    const gap = nearestGap(voiced, timeAt(voiced, expected));
    if (gap !== null && gap > last.at) anchors.push({ weight, at: gap });
  }
  anchors.push({ weight: total, at: length });
  const place = (of: number) => {
    const next = Math.max(
      1,
      anchors.findIndex((anchor) => anchor.weight >= of - 1e-9),
    );
    const [a, b] = [anchors[next - 1] ?? { weight: 0, at: 0 }, anchors[next] ?? { weight: total, at: length }];
    return a.at + ((b.at - a.at) * (of - a.weight)) / Math.max(1e-9, b.weight - a.weight);
  };
  let begun = 0;
  return words.map((word, index) => {
    const from = timeAt(voiced, place(begun) + 1e-6);
    begun += weights[index] ?? 0;
    return { ...word, from, to: Math.max(from, timeAt(voiced, place(begun))) };
  });
}

/** The end of the last stretch of voice before `most` seconds that a pause follows; null where there is none. */
export function lastPause(samples: Float32Array, most: number): number | null {
  return voicedIn(samples).findLast(({ to }, index, all) => to <= most && index < all.length - 1)?.to ?? null;
}

function voicedIn(samples: Float32Array): readonly Stretch[] {
  const levels = Array.from({ length: Math.ceil(samples.length / STEP) }, (_, step) => levelOf(samples, step));
  const loud = levels.toSorted((left, right) => left - right)[Math.floor(levels.length * 0.8)] ?? 0;
  const stretches: { from: number; to: number }[] = [];
  for (const [step, level] of levels.entries()) {
    if (level <= loud * SILENT) continue;
    const from = step * STEP_SECONDS;
    const last = stretches.at(-1);
    if (last && from - last.to < SHORTEST_GAP) last.to = from + STEP_SECONDS;
    else stretches.push({ from, to: from + STEP_SECONDS });
  }
  return stretches;
}

function levelOf(samples: Float32Array, step: number): number {
  const part = samples.subarray(step * STEP, (step + 1) * STEP);
  let squares = 0;
  for (const sample of part) squares += sample * sample;
  return Math.sqrt(squares / Math.max(1, part.length));
}

/** The time in the recording after so many seconds of voice. */
function timeAt(voiced: readonly Stretch[], seconds: number): number {
  let left = seconds;
  for (const { from, to } of voiced) {
    if (left <= to - from + 1e-9) return from + left;
    left -= to - from;
  }
  return voiced.at(-1)?.to ?? 0;
}

/**
 * Seconds of voice before the pause that is nearest to a time, a longer one from farther away; null where none is near.
 */
function nearestGap(voiced: readonly Stretch[], time: number): number | null {
  let spoken = 0;
  let best: { readonly distance: number; readonly spoken: number } | null = null;
  for (const [index, { from, to }] of voiced.slice(0, -1).entries()) {
    spoken += to - from;
    const pause = (voiced[index + 1]?.from ?? to) - to;
    if (pause < SHORTEST_PAUSE || Math.abs(to - time) > NEAR) continue;
    const distance = Math.abs(to - time) - pause;
    if (best === null || distance < best.distance) best = { distance, spoken };
  }
  return best?.spoken ?? null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
