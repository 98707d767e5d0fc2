import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFormats } from '#src/studio/domain/formats.ts';
import { channels } from '#src/studio/domain/words.ts';

test.for([
  [['9:16'], { aspects: ['9:16'], resolution: 720, seconds: 6 }],
  [['16:9 1080p 15s'], { aspects: ['16:9'], resolution: 1_080, seconds: 15 }],
  [['vertical', 'square 8 seconds'], { aspects: ['9:16', '1:1'], resolution: 720, seconds: 8 }],
  [['16x9 mp4', '4/5'], { aspects: ['16:9', '4:5'], resolution: 720, seconds: 6 }],
  [['4k'], { aspects: ['16:9'], resolution: 1_080, seconds: 6 }],
  [['0.2s'], { aspects: ['16:9'], resolution: 720, seconds: 1 }],
  [['9999 s'], { aspects: ['16:9'], resolution: 720, seconds: 120 }],
  [['mp4'], { aspects: ['16:9'], resolution: 720, seconds: 6 }],
] as const)('%j', ([texts, formats]) => {
  expect(readFormats(texts, [])).toEqual({ ...formats, unread: [] });
});

test('a text that says nothing known is named, and what is left open comes from the channels', () => {
  expect(readFormats(['hologram'], ['tiktok', 'linkedin'])).toEqual({
    aspects: ['9:16', '1:1'],
    resolution: 720,
    seconds: 6,
    unread: ['hologram'],
  });
});

test('116:90 and 16:99 are no aspect ratio', () => {
  expect(readFormats(['116:9', '16:99'], []).unread).toEqual(['116:9', '16:99']);
});

test('whatever is said, there is something to make, within the bounds', () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: 120 }),
    fc.constantFrom('16:9', '9:16 4k', '0s', '-5s', '99999999p'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.uniqueArray(fc.constantFrom(...channels)), (texts, where) => {
      const { aspects, resolution, seconds } = readFormats(texts, where);
      expect(aspects.length).toBeGreaterThan(0);
      expect(new Set(aspects).size).toBe(aspects.length);
      expect(resolution).toBeGreaterThanOrEqual(144);
      expect(resolution).toBeLessThanOrEqual(1_080);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(120);
    }),
  );
});
