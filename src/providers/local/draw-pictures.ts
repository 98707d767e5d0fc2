import { artOf } from './art.ts';
import { captionBox, cornerMarks, svgOf, titleCard } from './cards.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { openDrawing } from './draw.ts';
import type { Size } from './frame-size.ts';
import type { MediaFile } from './media-task.ts';
import { splitShots } from './split-shots.ts';

export interface PicturesTask {
  readonly seed: string;
  readonly title: string;
  readonly prompt: string;
  readonly size: Size;
  readonly count: number;
}

/** Frames of a storyboard: a title card where there is a title, then a picture for each line of the prompt, from the first again. */
export async function drawPictures({ seed, title, prompt, size, count }: PicturesTask): Promise<MediaFile[]> {
  const drawing = await openDrawing();
  const lines = splitShots(cleanText(prompt));
  const heading = cleanLine(title);
  return Array.from({ length: count }, (_, index) => {
    const text = lines[index % Math.max(1, lines.length)] ?? '';
    const words =
      index === 0 && heading !== '' ? titleCard(size, heading, text) : text === '' ? '' : captionBox(size, text);
    const marks = cornerMarks(size, `${index + 1} / ${count}`);
    return {
      name: count === 1 ? 'image' : `image-${index + 1}`,
      kind: 'image',
      mediaType: 'image/png',
      content: { bytes: drawing.png(svgOf(size, artOf(`${seed} ${index}`, size) + words + marks)) },
      ...size,
    };
  });
}
