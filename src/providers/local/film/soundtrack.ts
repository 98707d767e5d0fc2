import { openScore, type Stereo } from '#src/providers/local/sound/score.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';
import type { Script } from './script.ts';
import { FRAMES_PER_SECOND, LEAD_IN } from './timeline.ts';

export const SAMPLES_PER_FRAME = SAMPLE_RATE / FRAMES_PER_SECOND;
/** Music below words. */
const DUCKED = 0.4;
/** Share of the way to its new loudness that music goes within a frame. */
const DUCKING = 0.2;
/** Loudness above which the sound counts as speech. */
const SPEAKS = 0.01;
const FADE_SECONDS = 1;

/** Returns the speech of a film as one voice: the input narration, or the speech of every shot at its place. */
export function narrationOf({ shots, frames, narration }: Script, recording: Float32Array | null): Float32Array {
  const track = new Float32Array(frames * SAMPLES_PER_FRAME);
  if (recording !== null && narration !== null) {
    const at = Math.round(narration.from * SAMPLE_RATE);
    const count = Math.min(track.length - at, Math.round(narration.seconds * SAMPLE_RATE));
    track.set(recording.subarray(0, Math.max(0, count)), at);
    return track;
  }
  for (const { from, speech } of shots) {
    if (speech === null) continue;
    const at = Math.min(track.length, from * SAMPLES_PER_FRAME + Math.round(LEAD_IN * SAMPLE_RATE));
    track.set(speech.samples.subarray(0, track.length - at), at);
  }
  return track;
}

/** Loudness (root of the mean square) of a frame of the film. */
export function levelAt(narration: Float32Array, frame: number): number {
  const samples = narration.subarray(Math.max(0, frame) * SAMPLES_PER_FRAME, (frame + 1) * SAMPLES_PER_FRAME);
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

/**
 * Opens the sound of a film, frame by frame from the first one: the music, from a file or made from `seed`, and quieter
 * under the words. Music from a file begins again when it ends, and fades out with the film.
 */
export function openSoundtrack({
  seed,
  narration,
  music,
}: {
  seed: string;
  narration: Float32Array;
  music: Stereo | null;
}): (frame: number) => Stereo {
  const seconds = narration.length / SAMPLE_RATE;
  const play = music === null ? openScore(seed, seconds) : repeat(music, seconds);
  let gain = 1;
  return (frame) => {
    const from = frame * SAMPLES_PER_FRAME;
    const [left, right] = play(from, SAMPLES_PER_FRAME);
    const target = gain + ((levelAt(narration, frame) > SPEAKS ? DUCKED : 1) - gain) * DUCKING;
    const step = (target - gain) / SAMPLES_PER_FRAME;
    for (let i = 0; i < SAMPLES_PER_FRAME; i++) {
      const voice = narration[from + i] ?? 0;
      gain += step;
      left[i] = limit(left[i]! * gain + voice);
      right[i] = limit(right[i]! * gain + voice);
    }
    return [left, right];
  };
}

function repeat([left, right]: Stereo, seconds: number): (from: number, count: number) => Stereo {
  const level = (at: number) => Math.max(0, Math.min(1, (seconds - at / SAMPLE_RATE) / FADE_SECONDS)) * 0.6;
  const part = (side: Float32Array, from: number, count: number) =>
    Float32Array.from({ length: count }, (_, i) => (side[(from + i) % side.length] ?? 0) * level(from + i));
  return (from, count) => [part(left, from, count), part(right, from, count)];
}

function limit(sample: number): number {
  return Math.max(-1, Math.min(1, sample));
}
