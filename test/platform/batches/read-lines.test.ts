import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBatchLines } from '#src/platform/batches/read-lines.ts';

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const linesOf = async (text: string | Uint8Array, size = 7, most = 100) =>
  await Array.fromAsync(readBatchLines(inPieces(Buffer.from(text as string), size), most));

test('lines are the same however the bytes are cut, letters of several bytes too', async () => {
  const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }).map((line) => line.replace(/[\r\n]/g, '')));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (lines, size) => {
      const expected = lines
        .map((line, index) => ({ number: index + 1, text: line.replace(/^\uFEFF/, '').trim() }))
        .filter((line) => line.text !== '');
      expect(await linesOf(lines.join('\n'), size)).toEqual(expected);
    }),
  );
});

test('blank lines count and are passed by; ends of Windows and a mark at the beginning belong to no line', async () => {
  expect(await linesOf('\uFEFFone\r\n\r\n  \nfour')).toEqual([
    { number: 1, text: 'one' },
    { number: 4, text: 'four' },
  ]);
  expect(await linesOf('')).toEqual([]);
});

test('a line that is too long is reported as one, and the lines behind it are read', async () => {
  expect(await linesOf(`${'x'.repeat(100)}\n${'y'.repeat(101)}\nz`)).toEqual([
    { number: 1, text: 'x'.repeat(100) },
    { number: 2, text: null },
    { number: 3, text: 'z' },
  ]);
});

test('no more of a file is read than the requested lines need', async () => {
  let pieces = 0;
  const line = Buffer.from(`${'x'.repeat(99)}\n`);
  const endless = async function* () {
    for (;;) {
      pieces++;
      yield line;
    }
  };
  const lines = readBatchLines(endless(), 100);
  for (let number = 1; number <= 1_000; number++) {
    expect((await lines.next()).value?.number).toBe(number);
    expect(pieces).toBe(number);
  }
  await lines.return();
});
