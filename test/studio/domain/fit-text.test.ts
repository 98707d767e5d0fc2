import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import { countCharacters, countingOf } from '#src/studio/domain/count-characters.ts';
import { altTextOf, captionFor, cutAtWord, headlineFor, limitHashtags } from '#src/studio/domain/fit-text.ts';
import { channels } from '#src/studio/domain/words.ts';

test.each([
  ['hello', 'weighted', 5],
  ['日本語', 'weighted', 6],
  ['a https://example.com/a/very/long/address/that/nobody/reads b', 'weighted', 27],
  ['👩‍👩‍👧‍👦', 'weighted', 2],
  ['🇩🇪 1️⃣', 'weighted', 5],
  // composed before it is counted
  ['e\u0301', 'weighted', 1],
  ['…', 'weighted', 2],
  ['👍', 'utf16', 2],
  ['é€👍', 'bytes', 9],
] as const)('%j counts, %s, %i', (text, counting, count) => {
  expect(countCharacters(text, counting)).toBe(count);
});

test.each([
  ['fits exactly', 12, 'fits exactly'],
  ['one two three', 12, 'one two…'],
  ['one two three', 8, 'one two…'],
  ['one two three', 7, 'one…'],
  ['unbreakable', 6, 'unbre…'],
  ['ab 👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, 'ab…'],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 13, '👩‍👩‍👧‍👦…'],
  ['line one\nline two', 12, 'line one…'],
])('%j in %i characters is %j', (text, limit, cut) => {
  expect(cutAtWord(text, limit, 'utf16')).toBe(cut);
});

test.each([
  ['no tags', 0, 'no tags'],
  ['A #red shoe #sale', 1, 'A #red shoe'],
  ['A #red shoe #sale #new', 0, 'A red shoe'],
  ['#one #two three #four', 2, '#one #two three'],
  ['issue #12 and C# stay, #tag', 0, 'issue #12 and C# stay,'],
  ['https://example.com/#part stays', 0, 'https://example.com/#part stays'],
])('%j with %i hashtags is %j', (text, most, limited) => {
  expect(limitHashtags(text, most)).toBe(limited);
});

const word = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.stringMatching(/^#[a-z]{1,12}$/),
  fc.constantFrom('https://example.com/x', '日本', '👩‍👩‍👧‍👦', '\n', '\u0000', '\ud800'),
);

test('property: whatever was approved fits every channel, by its own count', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 400 }), fc.constantFrom(...channels), (words, channel) => {
      const { caption, hashtags, headline } = channelFormats[channel];
      const text = words.join(' ');
      const fitted = captionFor(channel, text);
      expect(countCharacters(fitted.text, countingOf(channel))).toBeLessThanOrEqual(caption);
      expect(fitted.text.match(/(?<![\p{L}\p{N}_&/])#[a-z]+/gu)?.length ?? 0).toBeLessThanOrEqual(hashtags);
      expect(fitted.text.isWellFormed()).toBe(true);
      expect(headlineFor(channel, null, text)?.length ?? 0).toBeLessThanOrEqual(headline ?? 0);
      expect(altTextOf('Film of 6 s', null, text).length).toBeLessThanOrEqual(100);
    }),
  );
});

test.each(channels)('%s: a caption at its limit stays whole, one character more is cut and said', (channel) => {
  const { caption } = channelFormats[channel];
  const whole = `${'word '.repeat(caption / 5).slice(0, caption - 1)}x`;
  expect(captionFor(channel, whole)).toEqual({ text: whole, warnings: [] });
  const cut = captionFor(channel, `${whole}y`);
  expect(cut.text).toMatch(/word…$/);
  expect(cut.warnings).toEqual([expect.stringContaining(`takes ${caption}`)]);
});

test.each(channels)('%s: hashtags at its limit stay, one more goes', (channel) => {
  const { hashtags } = channelFormats[channel];
  const tags = Array.from({ length: hashtags + 1 }, (_, n) => `#tag${n}`);
  const kept = captionFor(channel, `New shoes ${tags.slice(0, hashtags).join(' ')}`.trimEnd());
  expect(kept.warnings).toEqual([]);
  const cut = captionFor(channel, `New shoes ${tags.join(' ')}`);
  expect(cut.text).toBe(kept.text);
  expect(cut.warnings).toEqual([expect.stringContaining(`takes ${hashtags || 'no'} hashtags`)]);
});

test('a headline is the title, or the first sentence; channels without one have none', () => {
  expect(headlineFor('pinterest', 'Summer\nsale', 'x')).toBe('Summer sale');
  expect(headlineFor('pinterest', null, 'A shoe that runs. And more.')).toBe('A shoe that runs.');
  expect(headlineFor('pinterest', null, '')).toBeNull();
  expect(headlineFor('tiktok', 'Summer', 'x')).toBeNull();
});
