import { expect, test } from 'vitest';
import { openSpeaker, USUAL_RATE } from '#src/providers/local/sound/speech.ts';
import { wavOf } from '#src/providers/local/sound/wav.ts';

test('every written word has its time, and orders to the synthesizer are text', async () => {
  const { speak } = await openSpeaker('en-us', null);
  const text = '😀 Größe & [[hello]] <mark name="x"/> &lt; the end';
  const { words, samples } = speak(text, USUAL_RATE, 60);
  expect(words.map((word) => word.text).join(' ')).toBe(text);
  for (const [i, { from, to }] of words.entries()) {
    expect(to).toBeGreaterThanOrEqual(from);
    expect(from).toBe(words[i - 1]?.to ?? from);
  }
  expect(words.at(-1)?.to).toBeCloseTo(samples.length / 48_000, 2);
});

test.each(['', '.', '你好世界', 'ไทย हिन्दी', '\ufffd', 'x'.repeat(2_000)])('anything can be said: %j', async (text) => {
  const { speak } = await openSpeaker(null, null);
  const { samples } = speak(text, USUAL_RATE, 3);
  expect(samples.length).toBeLessThanOrEqual(3 * 48_000);
  expect(samples.every((sample) => Math.abs(sample) <= 1.1)).toBe(true);
});

test('a voice is found by its name, else by its language, else it is American', async () => {
  expect((await openSpeaker('de', 'en')).voice).toBe('de');
  expect((await openSpeaker('Rachel', 'pt-BR')).voice).toBe('pt-br');
  expect((await openSpeaker('../../etc/passwd', 'xx-YY')).voice).toBe('en-us');
});

test('a WAV file says what it holds', () => {
  const file = Buffer.from(wavOf([Float32Array.of(0, 1, -2), Float32Array.of(0.5, -1, 0)]));
  expect(file.length).toBe(44 + 12);
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect([file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt32LE(40)]).toEqual([2, 48_000, 12]);
  expect([0, 2, 4, 6, 8, 10].map((at) => file.readInt16LE(44 + at))).toEqual([0, 16_384, 32_767, -32_767, -32_767, 0]);
});
