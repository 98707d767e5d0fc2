import { expect, test } from 'vitest';
import { openPainter } from '#src/providers/local/film/painter.ts';
import type { Script } from '#src/providers/local/film/script.ts';
import { artOf } from '#src/providers/local/picture/art.ts';
import { svgOf } from '#src/providers/local/picture/cards.ts';
import { openDrawing } from '#src/providers/local/picture/draw.ts';
import { drawPictures } from '#src/providers/local/picture/draw-pictures.ts';
import { emptyPlanes, type Planes } from '#src/providers/local/picture/planes.ts';
import { hasWords, noteWords } from '#src/providers/local/text/picture-words.ts';

const size = { width: 320, height: 180 };
const task = { seed: 's', title: 'Harbour', prompt: 'One. Two. Three.', size, count: 3 };
const bytesOf = (made: Awaited<ReturnType<typeof drawPictures>>) =>
  made.map(({ content }) => ('bytes' in content ? content.bytes : new Uint8Array()));

test('a still for a film is its background alone, pixel by pixel; one made for itself has words and says so', async () => {
  const drawing = await openDrawing();
  const plain = bytesOf(await drawPictures({ ...task, withoutText: true }));
  const worded = bytesOf(await drawPictures({ ...task, withoutText: false }));
  for (const [index, png] of plain.entries()) {
    expect(Buffer.from(png)).toEqual(Buffer.from(drawing.png(svgOf(size, artOf(`s ${index}`, size)))));
    expect([hasWords(png), hasWords(worded[index] ?? png)]).toEqual([false, true]);
    expect(worded[index]?.length).not.toBe(png.length);
  }
});

test('the note in a picture is a chunk that readers skip, and no other file has it', async () => {
  const { png } = await openDrawing();
  const plain = png(svgOf(size, artOf('x', size)));
  const noted = noteWords(plain);
  expect(noted.subarray(0, plain.length - 12)).toEqual(Buffer.from(plain.subarray(0, plain.length - 12)));
  expect(noted.subarray(-12)).toEqual(Buffer.from(plain.subarray(-12)));
  expect(hasWords(noted)).toBe(true);
  for (const bytes of [new Uint8Array(), new Uint8Array(40), Buffer.from('PNG'), plain.subarray(0, 20)])
    expect(hasWords(bytes)).toBe(false);
});

const grey = 90;
/** A film of one shot over an even grey, so that all that is not grey was laid over it. */
async function painted(more: Partial<Script>, options: { hasWords: boolean; captions: boolean }) {
  const script: Script = {
    shots: [{ kind: 'scene', text: 'One two three.', from: 0, frames: 72, speech: null }],
    cues: [{ from: 0, to: 3, text: 'One two three.' }],
    frames: 72,
    titleFrames: 0,
    narration: null,
    notes: [],
    ...more,
  };
  const paint = openPainter({
    script,
    drawing: await openDrawing(),
    seed: 's',
    title: 'Harbour',
    size,
    speaker: null,
    captions: options.captions,
    inputPicture: async (_, whole) => {
      const planes = emptyPlanes(whole);
      planes.bytes.fill(128);
      planes.y.fill(grey);
      return { planes, hasWords: options.hasWords };
    },
    level: () => 0,
  });
  for (let frame = 0; frame < 30; frame++) await paint(frame);
  return rowsOf(await paint(30));
}

/** The rows in which there is something bright: words. */
function rowsOf(planes: Planes): readonly number[] {
  return Array.from({ length: size.height }, (_, row) => row).filter((row) =>
    planes.y.subarray(row * size.width, (row + 1) * size.width).some((value) => value > grey + 60),
  );
}

test('a film lays its caption and its marks over a plain still, each in one place', async () => {
  const rows = await painted({}, { hasWords: false, captions: true });
  const [marks, caption] = [rows.filter((row) => row < 20), rows.filter((row) => row > 140)];
  expect(marks.length).toBeGreaterThan(2);
  expect(caption.length).toBeGreaterThan(4);
  expect(marks.length + caption.length).toBe(rows.length);
});

test('a film lays nothing over a still that has its words in it', async () => {
  expect(await painted({}, { hasWords: true, captions: true })).toEqual([]);
  expect(await painted({ titleFrames: 72 }, { hasWords: true, captions: true })).toEqual([]);
});

test('a title over the first picture is above its caption, and goes', async () => {
  const over = await painted({ titleFrames: 72 }, { hasWords: false, captions: true });
  const gone = await painted({ titleFrames: 20 }, { hasWords: false, captions: true });
  const middle = (rows: readonly number[]) => rows.filter((row) => row > 60 && row < 120).length;
  expect([middle(over) > 4, middle(gone)]).toEqual([true, 0]);
});
