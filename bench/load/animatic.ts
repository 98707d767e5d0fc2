import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frameSize } from '#src/providers/local/media/frame-size.ts';
import type { FilmTask } from '#src/providers/local/media/media-task.ts';
import { runMedia } from '#src/providers/local/run-media.ts';

export interface AnimaticRun {
  /** Length of the film. */
  readonly seconds: number;
  /** Pixels of its short side. */
  readonly shortSide: number;
  /** From the call to the finished file, the start of its process with it. */
  readonly tookSeconds: number;
  readonly peakBytes: number;
}

/** Renders one film of three shots with narration, captions and score, as the local provider does. */
export async function animaticRun(seconds: number, shortSide: number): Promise<AnimaticRun> {
  const folder = await mkdtemp(join(tmpdir(), 'proofline-animatic-'));
  const task: FilmTask = {
    kind: 'film',
    folder,
    seed: 'bench',
    title: '',
    prompt: 'A harbour wakes at dawn. The café opens its doors. At night every window tells a story.',
    size: frameSize('16:9', shortSide),
    seconds,
    leastSeconds: 0,
    mostSeconds: seconds,
    voice: null,
    language: null,
    speaker: null,
    narrates: true,
    captions: true,
    images: [],
    narration: null,
    words: null,
    music: null,
    notes: [],
  };
  try {
    const since = performance.now();
    const { peakBytes } = await runMedia(task, 'made');
    return { seconds, shortSide, tookSeconds: (performance.now() - since) / 1_000, peakBytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.table([await animaticRun(6, 720), await animaticRun(6, 1_080)]);
