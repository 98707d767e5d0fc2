import { rm } from 'node:fs/promises';
import type { Size } from '#src/providers/local/media/frame-size.ts';
import type { MadeFile } from '#src/providers/local/media/media-task.ts';
import { cleanLine, cleanText } from '#src/providers/local/text/clean-text.ts';
import { noteWords } from '#src/providers/local/text/picture-words.ts';
import { makeTemporaryFolder } from '#src/system/temporary-folders.ts';
import { artOf } from './art.ts';
import { captionBox, cornerMarks, svgOf, titleCard } from './cards.ts';
import { openDrawing } from './draw.ts';
import { splitShots } from './split-shots.ts';

export interface PicturesTask {
  readonly seed: string;
  readonly title: string;
  readonly prompt: string;
  readonly size: Size;
  readonly count: number;
  /** Without title, caption and number: for a film, which lays its own words over them. */
  readonly withoutText: boolean;
}

/**
 * Frames of a storyboard: a title card where there is a title, then a picture for each line of the prompt, from the
 * first again.
 */
export async function drawPictures(task: PicturesTask): Promise<MadeFile[]> {
  const { seed, title, prompt, size, count, withoutText } = task;
  const lines = splitShots(cleanText(prompt));
  const heading = cleanLine(title);
  const folder = makeTemporaryFolder('fonts');
  try {
    const drawing = await openDrawing(withoutText ? null : { texts: [heading, ...lines], folder });
    return Array.from({ length: count }, (_, index) => {
      const text = lines[index % Math.max(1, lines.length)] ?? '';
      const art = artOf(`${seed} ${index}`, size);
      const words = withoutText ? '' : wordsOn(size, index === 0 ? heading : '', text, `${index + 1} / ${count}`);
      const png = drawing.png(svgOf(size, art + words));
      return {
        name: count === 1 ? 'image' : `image-${index + 1}`,
        kind: 'image',
        mediaType: 'image/png',
        content: { bytes: withoutText ? png : noteWords(png) },
        ...size,
      };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function wordsOn(size: Size, heading: string, text: string, position: string): string {
  const caption = text === '' ? '' : captionBox(size, text);
  return (heading === '' ? caption : titleCard(size, heading, text)) + cornerMarks(size, position);
}
