import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMediaFile } from '#src/providers/http/media-file.ts';
import { mp4Of, pngOf, wavOf } from '#test/helpers/vendors/media.ts';

const bytesOf = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([...part]))));
/** A frame's header of 3 × 5 pixels behind an application's, some picture, and the end mark. */
const jpeg = bytesOf([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 3, 1, 1, 0x11, 0, 0xff, 0xda, 0, 2, 9, 9, 0xff,
  0xd9,
]);
const webpOf = (type: string, ...frame: readonly (string | number[])[]) =>
  bytesOf('RIFF', [22, 0, 0, 0], 'WEBP', type, [10, 0, 0, 0], ...frame);
const webp = webpOf('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00]);

test.each([
  ['PNG', pngOf(7, 9), { kind: 'image', mediaType: 'image/png', width: 7, height: 9 }],
  ['JPEG', jpeg, { kind: 'image', mediaType: 'image/jpeg', width: 3, height: 5 }],
  [
    'GIF',
    bytesOf('GIF89a', [3, 0, 5, 0, 0, 0, 0, 0x2c, 0, 0x3b]),
    { kind: 'image', mediaType: 'image/gif', width: 3, height: 5 },
  ],
  ['WebP', webp, { kind: 'image', mediaType: 'image/webp', width: 320, height: 240 }],
  [
    'WebP without loss',
    webpOf('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0, 0, 0, 0, 0, 0]),
    { kind: 'image', mediaType: 'image/webp', width: 320, height: 240 },
  ],
  [
    'WebP with a canvas',
    webpOf('VP8X', [0, 0, 0, 0, 0xff, 0xff, 0, 0x3f, 0x9c, 0]),
    { kind: 'image', mediaType: 'image/webp', width: 65_536, height: 40_000 },
  ],
  ['WAV', wavOf(1.5), { kind: 'audio', mediaType: 'audio/wav', duration: 1.5 }],
  ['MP4', mp4Of(4, 1_280, 720), { kind: 'video', mediaType: 'video/mp4', duration: 4, width: 1_280, height: 720 }],
  ['MP3', bytesOf('ID3', [4, 0, 0, 0, 0, 0, 0]), { kind: 'audio', mediaType: 'audio/mpeg' }],
  ['AAC', bytesOf([0xff, 0xf1, 0x50, 0x80, 0, 0]), { kind: 'audio', mediaType: 'audio/aac' }],
  ['FLAC', bytesOf('fLaC', [0, 0]), { kind: 'audio', mediaType: 'audio/flac' }],
  ['Ogg', bytesOf('OggS', [0, 0]), { kind: 'audio', mediaType: 'audio/ogg' }],
  ['WebM', bytesOf([0x1a, 0x45, 0xdf, 0xa3, 1]), { kind: 'video', mediaType: 'video/webm' }],
])('%s is known by its bytes', (_name, bytes, expected) => {
  expect(readMediaFile(bytes)).toEqual(expected);
});

test('a sound that was streamed as it was made does not know its length', () => {
  const streamed = wavOf(1);
  streamed.writeUInt32LE(0xffffffff, 4);
  streamed.writeUInt32LE(0xffffffff, 40);
  expect(readMediaFile(streamed)).toMatchObject({ duration: 1 });
});

test.each([
  ['PNG', pngOf(16, 16)],
  ['JPEG', jpeg],
  ['WebP', webp],
  ['WAV', wavOf(0.05)],
  ['MP4', mp4Of()],
])('property: %s that was cut anywhere is not whole', (_name, bytes) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), (size) => {
      expect(typeof readMediaFile(bytes.subarray(0, size))).toBe('string');
    }),
  );
});

test('property: whatever follows the head of a file, reading it is never an error', () => {
  const heads = fc.constantFrom(pngOf(), jpeg, webp, wavOf(0.01), mp4Of());
  fc.assert(
    fc.property(heads, fc.uint8Array({ maxLength: 400 }), fc.nat(40), (whole, noise, keep) => {
      expect(() => readMediaFile(Buffer.concat([whole.subarray(0, keep), noise]))).not.toThrow();
    }),
  );
});

test('property: one bit of a PNG that is wrong is noticed', () => {
  const png = pngOf(16, 16);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: png.length - 1 }), fc.nat(7), (at, bit) => {
      const wrong = Buffer.from(png);
      wrong[at] = (wrong[at] ?? 0) ^ (1 << bit);
      expect(typeof readMediaFile(wrong)).toBe('string');
    }),
  );
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<!doctype html><html>')],
  ['JSON', Buffer.from('{"error":"no"}')],
])('error: %s is no file', (_what, bytes) => {
  expect(readMediaFile(bytes)).toContain('no known format');
});
