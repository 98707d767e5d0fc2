import type { Aspect } from '#queues/providers.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';
import { AppError } from '#src/lib/errors.ts';
import { frameSize, type Size } from '#src/providers/local/media/frame-size.ts';
import { openDrawing } from '#src/providers/local/picture/draw.ts';

export interface ReframePictureTask {
  readonly bytes: Uint8Array;
  /** One of PNG, JPEG, WebP, GIF. */
  readonly mediaType: string;
  readonly aspect: Aspect;
  /** Pixels. */
  readonly shortSide: number;
}

export interface ReframedPicture extends Size {
  /** PNG. */
  readonly bytes: Uint8Array;
}

/**
 * A picture in another shape: whole, in the middle, before itself, blurred, where it leaves room. Nothing is cut off.
 *
 * @throws AppError `media_unavailable` without the package that draws, `provider_refused` for what is no such picture
 */
export default threadTask(async (task: ReframePictureTask): Promise<ReframedPicture> => {
  const size = frameSize(task.aspect, task.shortSide);
  const drawing = await openDrawing();
  const svg = svgOf(task, size);
  const { rgba } = drawing.pixels(svg);
  // what cannot be decoded is left out without a word, and leaves nothing
  if (!rgba.some((value, index) => index % 4 === 3 && value > 0)) {
    throw new AppError('provider_refused', `expected a picture that can be read as ${task.mediaType}, got another.`);
  }
  return { ...size, bytes: drawing.png(svg) };
});

function svgOf({ bytes, mediaType }: ReframePictureTask, { width, height }: Size): string {
  const href = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  const blur = Math.max(1, Math.min(width, height) / 32);
  // a blur fades at its edges, so they lie outside
  const beyond = blur * 3;
  const image = (fit: 'slice' | 'meet', margin: number, more = '') =>
    `<image xlink:href="${href}" x="${-margin}" y="${-margin}" width="${width + margin * 2}" height="${height + margin * 2}" preserveAspectRatio="xMidYMid ${fit}"${more}/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><filter id="blur" x="0" y="0" width="1" height="1"><feGaussianBlur stdDeviation="${blur}"/></filter>${image('slice', beyond, ' filter="url(#blur)"')}${image('meet', 0)}</svg>`;
}
