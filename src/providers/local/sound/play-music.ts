import type { MadeFile } from '#src/providers/local/media/media-task.ts';
import { openScore } from './score.ts';
import { SAMPLE_RATE, wavOf } from './wav.ts';

export interface MusicTask {
  readonly seed: string;
  readonly seconds: number;
}

/** Plays a score by itself, at the loudness of music without speech. */
export function playMusic({ seed, seconds }: MusicTask): MadeFile[] {
  const [left, right] = openScore(seed, seconds)(0, Math.round(seconds * SAMPLE_RATE));
  for (const side of [left, right]) for (let i = 0; i < side.length; i++) side[i] = side[i]! * 1.6;
  const bytes = wavOf([left, right]);
  return [
    { name: 'music', kind: 'audio', mediaType: 'audio/wav', content: { bytes }, duration: left.length / SAMPLE_RATE },
  ];
}
