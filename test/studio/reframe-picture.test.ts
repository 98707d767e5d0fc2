import { expect, test } from 'vitest';
import { type Drawing, openDrawing } from '#src/providers/local/picture/draw.ts';
import reframePicture, { type ReframedPicture } from '#workers/studio/reframe-picture.thread.ts';

/** Red left, blue right. */
const flag =
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90"><rect width="80" height="90" fill="red"/><rect x="80" width="80" height="90" fill="blue"/></svg>';

/** Red, green, blue and opacity at a point of a PNG. */
function colourAt(drawing: Drawing, png: Uint8Array, width: number, height: number, x: number, y: number) {
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const { rgba } = drawing.pixels(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}"><image xlink:href="${href}" width="${width}" height="${height}"/></svg>`,
  );
  return [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

test.each([
  ['9:16', 90, 160],
  ['1:1', 90, 90],
  ['4:5', 90, 112],
] as const)('a picture in %s is shown whole, and fills its frame', async (aspect, width, height) => {
  const drawing = await openDrawing();
  const task = { bytes: drawing.png(flag), mediaType: 'image/png', aspect, shortSide: 90 };
  const made = (await reframePicture(task)) as ReframedPicture;
  expect(made).toMatchObject({ width, height });
  const at = (x: number, y: number) => colourAt(drawing, made.bytes, width, height, x, y);
  const middle = height >> 1;
  expect(at(1, middle)).toEqual([255, 0, 0, 255]);
  expect(at(width - 2, middle)).toEqual([0, 0, 255, 255]);
  // behind it, to the corners
  for (const [x, y] of [
    [0, 0],
    [width - 1, 0],
    [0, height - 1],
    [width - 1, height - 1],
  ] as const) {
    expect(at(x, y)[3]).toBe(255);
  }
});

test('error: what is no picture is refused, never drawn as nothing', async () => {
  const task = { bytes: Buffer.from('noise'), mediaType: 'image/png', aspect: '1:1', shortSide: 90 } as const;
  expect(await reframePicture(task)).toMatchObject({ failure: { code: 'provider_refused' } });
});
