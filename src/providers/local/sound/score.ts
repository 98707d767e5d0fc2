import { seededRandom } from '#src/providers/local/media/seeded-random.ts';
import { SAMPLE_RATE } from './wav.ts';

/** Left and right, from -1 to 1. */
export type Stereo = readonly [Float32Array, Float32Array];

/** Chords of four bars in semitones above the key, minor and major. */
const progressions = [
  [
    [0, 3, 7],
    [-4, 0, 3],
    [3, 7, 10],
    [-2, 2, 5],
  ],
  [
    [0, 4, 7],
    [-5, -1, 2],
    [-3, 0, 4],
    [-7, -3, 0],
  ],
  [
    [0, 3, 7],
    [5, 8, 12],
    [-4, 0, 3],
    [-5, -1, 2],
  ],
  [
    [0, 4, 7],
    [-3, 0, 4],
    [2, 5, 9],
    [-5, -1, 2],
  ],
] as const;

const TABLE_SIZE = 8_192;
const sines = Float32Array.from({ length: TABLE_SIZE + 1 }, (_, i) => Math.sin((2 * Math.PI * i) / TABLE_SIZE));

/**
 * A quiet score that follows from a text: soft chords, and a plucked line above them. It fades in over half a second
 * and out over one and a half. Made piece by piece, so that a long one needs no memory.
 *
 * @returns samples `from` to `from + count`; a sample is the same whichever piece it is in
 */
export function openScore(seed: string, seconds: number): (from: number, count: number) => Stereo {
  const random = seededRandom(`score ${seed}`);
  const progression = progressions[Math.floor(random() * progressions.length)] ?? progressions[0];
  const key = 53 + Math.floor(random() * 8);
  const beat = 0.42 + random() * 0.2;
  const line = Array.from({ length: 16 }, () => (random() < 0.2 ? -1 : Math.floor(random() * 3)));
  const bar = beat * 8;
  return (from, count) => {
    const left = new Float32Array(count);
    const right = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const t = (from + i) / SAMPLE_RATE;
      const chord = progression[Math.floor(t / bar) % progression.length] ?? progression[0];
      const inBar = t % bar;
      const pad = chordAt(chord, key, t) * Math.min(1, inBar * 3, (bar - inBar) * 5) * 0.055;
      const step = Math.floor(t / (beat / 2));
      const since = t - (step * beat) / 2;
      const degree = line[step % line.length] ?? -1;
      const pluck = degree < 0 ? 0 : pluckAt(key + 12 + (chord[degree] ?? 0), since) * 0.13;
      const edge = Math.max(0, Math.min(1, t * 2, (seconds - t) / 1.5));
      const side = 0.15 * sine(step * 0.31);
      left[i] = edge * (pad + pluck * (1 - side));
      right[i] = edge * (pad + pluck * (1 + side));
    }
    return [left, right];
  };
}

function chordAt(chord: readonly number[], key: number, t: number): number {
  let sum = 0;
  for (const semitones of chord) {
    const cycles = hertz(key + semitones) * t;
    sum += sine(cycles) + 0.3 * sine(2 * cycles + 0.16) + 0.4 * sine(cycles * 1.003);
  }
  return sum;
}

function pluckAt(note: number, since: number): number {
  const cycles = hertz(note) * since;
  return Math.exp(-since * 9) * (sine(cycles) + 0.25 * sine(3 * cycles)) * Math.min(1, since * 400);
}

const pitches = Float64Array.from({ length: 128 }, (_, note) => 440 * 2 ** ((note - 69) / 12));

/** Converts a note of MIDI to hertz. */
function hertz(note: number): number {
  return pitches[note] ?? 440;
}

/** Computes the sine of a number of cycles; from a table, as there are ten for each sample. */
function sine(cycles: number): number {
  const at = (cycles - Math.floor(cycles)) * TABLE_SIZE;
  const index = Math.floor(at);
  return sines[index]! + (sines[index + 1]! - sines[index]!) * (at - index);
}
