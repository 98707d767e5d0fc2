import { expect, test } from 'vitest';
import { soundFormats, whyNoSound } from '#src/providers/catalogue/sound-formats.ts';

const types = Object.values(soundFormats);
const lacking = 'expected the package node-av, got none that runs here.';

test('with FFmpeg every provider gives every format; without it only providers that make it themselves are called', () => {
  const styles = ['openai-compatible', 'local-animatic', 'replicate-style', 'fal-style'] as const;
  const givers = (why: string | null) =>
    Object.fromEntries(
      types.map((type) => [type, styles.filter((style) => whyNoSound({ style }, type, why) === null).join()]),
    );
  const all = styles.join();
  expect(givers(null)).toEqual(Object.fromEntries(types.map((type) => [type, all])));
  expect(givers(lacking)).toEqual({
    'audio/mpeg': 'openai-compatible',
    'audio/ogg': 'openai-compatible',
    'audio/aac': 'openai-compatible',
    'audio/flac': 'openai-compatible',
    'audio/wav': 'openai-compatible,local-animatic',
    'audio/pcm': '',
  });
  expect(whyNoSound({ style: 'local-animatic' }, 'audio/mpeg', lacking)).toBe(
    `its sound would have to be converted to audio/mpeg here, and ${lacking}`,
  );
  expect(whyNoSound({ style: 'fal-style' }, null, lacking)).toBeNull();
});
