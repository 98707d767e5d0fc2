import { even, type Size } from '#src/providers/local/media/frame-size.ts';
import { artOf } from '#src/providers/local/picture/art.ts';
import { captionBox, cornerMarks, svgOf, titleCard } from '#src/providers/local/picture/cards.ts';
import type { Drawing } from '#src/providers/local/picture/draw.ts';
import { type Camera, OVERSCAN, openCamera, takeView } from '#src/providers/local/picture/pan-zoom.ts';
import {
  blend,
  dim,
  dissolve,
  emptyPlanes,
  fillBox,
  type Layer,
  layerOf,
  type Planes,
  planesOf,
} from '#src/providers/local/picture/planes.ts';
import type { Script, Shot } from './script.ts';
import { FRAMES_PER_SECOND } from './timeline.ts';

const DISSOLVE_FRAMES = 8;
const FADE_IN_FRAMES = 8;
const FADE_OUT_FRAMES = 14;
const METER_BARS = 25;
/** Loudness that fills the meter. */
const FULL_LEVEL = 0.3;

interface Scene {
  readonly shot: Shot;
  readonly picture: Planes;
  readonly camera: Camera;
  readonly card: Layer;
  /** True where the picture has words drawn in, so that none are laid over it. */
  readonly hasWords: boolean;
}

interface Painting {
  readonly script: Script;
  readonly drawing: Drawing;
  readonly seed: string;
  /** Title over the first frames where the script asks for it. */
  readonly title: string;
  readonly size: Size;
  readonly speaker: string | null;
  readonly captions: boolean;
  /** Reads the input picture of a shot, filling so many pixels; null where there is none. */
  readonly inputPicture: (shot: number, size: Size) => Promise<{ planes: Planes; hasWords: boolean } | null>;
  /** Loudness of the words in a frame. */
  readonly level: (frame: number) => number;
}

/** Size of what a camera moves over. */
function sceneSize({ width, height }: Size): Size {
  return { width: even(width * OVERSCAN), height: even(height * OVERSCAN) };
}

/**
 * Paints a film, frame by frame from the first one. Keeps the pictures of two shots and one caption, so a long film
 * needs no more memory than a short one; what it returns is painted over by the frame after the next.
 */
export function openPainter(painting: Painting): (frame: number) => Promise<Planes> {
  const { script, size, drawing } = painting;
  const canvases = [emptyPlanes(size), emptyPlanes(size)] as const;
  const scratch = emptyPlanes(size);
  let before: Scene | null = null;
  let scene: Scene | null = null;
  let index = -1;
  const title =
    script.titleFrames === 0 ? null : layerOf(drawing.pixels(svgOf(size, titleCard(size, painting.title, ''))));
  let caption: { readonly cue: number; readonly layer: Layer } | null = null;

  const enter = async (frame: number): Promise<Scene> => {
    while (scene === null || frame >= scene.shot.from + scene.shot.frames) {
      index++;
      before = scene;
      scene = await openScene(painting, index);
    }
    return scene;
  };

  const captionAt = (frame: number): Layer | null => {
    const time = (frame + 0.5) / FRAMES_PER_SECOND;
    const cue = script.cues.findIndex(({ from, to }) => time >= from && time < to);
    if (cue < 0) return null;
    const text = script.cues[cue]?.text ?? '';
    if (caption?.cue !== cue) caption = { cue, layer: layerOf(drawing.pixels(svgOf(size, captionBox(size, text)))) };
    return caption.layer;
  };

  return async (frame) => {
    const { shot, picture, camera, card, hasWords } = await enter(frame);
    const since = frame - shot.from;
    const canvas = canvases[frame % 2 === 0 ? 0 : 1];
    takeView(picture, camera(since / shot.frames), canvas);
    const soft = Math.min(DISSOLVE_FRAMES, shot.frames >> 1);
    if (before !== null && shot.kind !== 'speaker' && since < soft) {
      takeView(before.picture, before.camera(1), scratch);
      dissolve(canvas, scratch, 1 - (since + 1) / (soft + 1));
    }
    if (!hasWords) blend(canvas, card);
    if (title !== null && !hasWords && frame < script.titleFrames) blend(canvas, title);
    if (shot.kind === 'speaker') drawMeter(canvas, frame, painting.level);
    const words = painting.captions && !hasWords ? captionAt(frame) : null;
    if (words !== null) blend(canvas, words);
    const light = Math.min(1, (frame + 1) / FADE_IN_FRAMES, (script.frames - frame) / FADE_OUT_FRAMES);
    if (light < 1) dim(canvas, light);
    return canvas;
  };
}

async function openScene(
  { script, drawing, seed, size, speaker, inputPicture }: Painting,
  index: number,
): Promise<Scene> {
  const shot = script.shots[index];
  if (shot === undefined) throw new RangeError(`expected a frame of the film, got one after its ${index} shots`);
  const whole = sceneSize(size);
  // a speaker stays in place
  const name = speaker === null ? `${seed} ${index}` : seed;
  const provided = await inputPicture(index, whole);
  const picture = provided?.planes ?? planesOf(drawing.pixels(svgOf(whole, artOf(name, whole))));
  const move = openCamera(name, picture, size);
  const cards: Readonly<Record<Shot['kind'], () => string>> = {
    title: () => titleCard(size, shot.text, ''),
    scene: () => '',
    speaker: () => titleCard(size, speaker ?? '', 'A preview with a synthetic voice. No likeness of any person.'),
  };
  const marks = cornerMarks(size, `${index + 1} / ${script.shots.length}`);
  return {
    shot,
    picture,
    hasWords: provided?.hasWords ?? false,
    camera: speaker === null ? move : () => move(0),
    card: layerOf(drawing.pixels(svgOf(size, cards[shot.kind]() + marks))),
  };
}

/** The loudness of this frame and of those before it, as bars to both sides of the middle. */
function drawMeter(canvas: Planes, frame: number, level: (frame: number) => number): void {
  const { width, height } = canvas;
  const step = (width * 0.5) / METER_BARS;
  for (let bar = 0; bar < METER_BARS; bar++) {
    const age = Math.abs(bar - (METER_BARS - 1) / 2);
    const share = Math.min(1, level(frame - age) / FULL_LEVEL);
    const tall = Math.max(2, height * 0.1 * share);
    const x = width * 0.25 + bar * step;
    fillBox(canvas, { x, y: height * 0.74 - tall / 2, width: Math.max(2, step * 0.6), height: tall }, 220);
  }
}
