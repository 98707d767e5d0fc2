import { expect, test } from 'vitest';
import { openDrawing } from '#src/providers/local/picture/draw.ts';
import { drawPictures } from '#src/providers/local/picture/draw-pictures.ts';
import { openCamera, takeView } from '#src/providers/local/picture/pan-zoom.ts';
import { blend, dim, dissolve, emptyPlanes, fillBox, layerOf, planesOf } from '#src/providers/local/picture/planes.ts';
import { openScore } from '#src/providers/local/sound/score.ts';

const size = { width: 64, height: 36 };

function plain(rgba: readonly number[]) {
  const pixels = new Uint8Array(size.width * size.height * 4);
  for (let i = 0; i < pixels.length; i++) pixels[i] = rgba[i % 4] ?? 0;
  return { ...size, rgba: pixels };
}

test.each([
  ['white', [255, 255, 255, 255], [235, 128, 128]],
  ['black', [0, 0, 0, 255], [16, 128, 128]],
  ['red', [255, 0, 0, 255], [63, 102, 240]],
  ['green', [0, 255, 0, 255], [173, 42, 26]],
  ['blue', [0, 0, 255, 255], [32, 240, 118]],
])('%s has the values of BT.709', (_name, rgba, [y, u, v]) => {
  const planes = planesOf(plain(rgba));
  expect([planes.y[100], planes.u[10], planes.v[10]]).toEqual([y, u, v]);
});

test('a layer covers by its opacity, and keeps only the rows it has', () => {
  const picture = planesOf(plain([0, 0, 0, 255]));
  const half = plain([128, 128, 128, 128]);
  half.rgba.fill(0, 0, size.width * 4 * 10);
  const layer = layerOf(half);
  expect([layer.top, layer.height]).toEqual([10, 26]);
  blend(picture, layer);
  expect(picture.y[9 * size.width]).toBe(16);
  expect(Math.abs((picture.y[10 * size.width] ?? 0) - 126)).toBeLessThanOrEqual(1);
  expect(Math.abs((picture.u[300] ?? 0) - 128)).toBeLessThanOrEqual(1);
});

test('fades end in black, dissolves in the other picture', () => {
  const [white, red] = [planesOf(plain([255, 255, 255, 255])), planesOf(plain([255, 0, 0, 255]))];
  dissolve(white, red, 1);
  expect(white.bytes).toEqual(red.bytes);
  dim(white, 0);
  expect([white.y[5], white.u[5], white.v[5]]).toEqual([16, 128, 128]);
});

test('a box outside of the picture is left out', () => {
  const picture = emptyPlanes(size);
  fillBox(picture, { x: 60, y: -5, width: 100, height: 7 }, 200);
  expect(picture.y.filter((value) => value === 200)).toHaveLength(4 * 2);
});

test('the whole picture at its own size is the picture, and half of it is twice as large', () => {
  const picture = emptyPlanes(size);
  picture.y.forEach((_, i) => {
    picture.y[i] = (i % size.width) * 3;
  });
  expect(takeView(picture, { x: 0, y: 0, ...size }).y).toEqual(picture.y);
  const zoomed = takeView(picture, { x: 0, y: 0, width: 32, height: 18 }, emptyPlanes(size));
  // between the pixels: half a pixel of the target is a quarter of one here
  expect(zoomed.y.subarray(0, 5)).toEqual(Uint8Array.of(0, 1, 2, 4, 5));
});

test('a camera stays in its picture and keeps the shape of the frame, whatever the picture', () => {
  for (const picture of [
    { width: 77, height: 44 },
    { width: 200, height: 30 },
    { width: 64, height: 300 },
  ]) {
    for (const seed of ['a', 'b', 'c', 'd']) {
      for (const share of [0, 0.3, 1]) {
        const { x, y, width, height } = openCamera(seed, picture, size)(share);
        expect(width / height).toBeCloseTo(64 / 36, 9);
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(picture.width + 1e-9);
        expect(y + height).toBeLessThanOrEqual(picture.height + 1e-9);
      }
    }
  }
});

test('a score is the same whole and in pieces, follows from its text, and ends in silence', () => {
  const play = openScore('a', 3);
  const [left] = play(0, 3 * 48_000);
  expect(play(50_000, 100)[0]).toEqual(left.subarray(50_000, 50_100));
  expect(openScore('b', 3)(0, 48_000)[0]).not.toEqual(left.subarray(0, 48_000));
  const loudest = left.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  expect(loudest).toBeGreaterThan(0.05);
  expect(loudest).toBeLessThan(0.6);
  expect(Math.abs(left.at(-1) ?? 1)).toBeLessThan(0.001);
});

test('a storyboard is the same for the same words, and another one for others', async () => {
  const task = {
    seed: 's',
    title: 'A <title> & more',
    prompt: 'One. Two 你好 \u0001😀.',
    size: { width: 320, height: 180 },
    count: 3,
    withoutText: false,
  };
  const [first, again, other] = await Promise.all([
    drawPictures(task),
    drawPictures(task),
    drawPictures({ ...task, seed: 't' }),
  ]);
  expect(first.map(({ name }) => name)).toEqual(['image-1', 'image-2', 'image-3']);
  expect(again).toEqual(first);
  expect(other[0]).not.toEqual(first[0]);
  expect(new Set(first.map(({ content }) => JSON.stringify(content))).size).toBe(3);
});

test('what the fonts lack is a box, not a blank', async () => {
  const { pixels } = await openDrawing();
  const draw = (text: string) =>
    pixels(
      `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><text y="30" font-size="30">${text}</text></svg>`,
    );
  expect(draw('你').rgba.some((value) => value !== 0)).toBe(true);
  expect(draw(' ').rgba.some((value) => value !== 0)).toBe(false);
});
