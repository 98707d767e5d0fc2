import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aspects } from '#queues/providers.ts';
import { frameSize } from '#src/providers/local/media/frame-size.ts';
import { type LocalCalls, named, openLocalCalls, textOf } from './local-calls.ts';
import { probeFilm } from './probe-film.ts';

let local: LocalCalls;
beforeAll(async () => {
  local = await openLocalCalls();
});
afterAll(() => local[Symbol.asyncDispose]());

const small = { resolution: 144, seconds: 2 };
const ids = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`) as [string, string, string];

test.each(aspects)('a film of %s is what it says, has sound, and begins and ends in the dark', async (aspect) => {
  const request = { prompt: 'A harbour wakes. Night falls.', title: 'Harbour', aspect, ...small };
  const made = await local.generate('video.generate', request);
  const video = named(made, 'video');
  const probed = await probeFilm(video.bytes);
  const size = frameSize(aspect, 144);
  expect(probed).toMatchObject({ ...size, frames: 48, codecs: ['h264', 'aac'], isFastStart: true });
  expect(video).toMatchObject({ ...size, mediaType: 'video/mp4', thumbnail: 'thumbnail' });
  expect(video.duration).toBeCloseTo(2, 1);
  expect(probed.peaks[0]).toBeGreaterThan(0.02);
  expect(probed.light[24]).toBeGreaterThan((probed.light[0] ?? 0) + 10);
  expect(probed.light[24]).toBeGreaterThan((probed.light[47] ?? 0) + 10);
  const thumbnail = named(made, 'thumbnail');
  expect(Buffer.from(thumbnail.bytes).subarray(1, 4).toString()).toBe('PNG');
  expect(Buffer.from(thumbnail.bytes).readUInt32BE(16)).toBe(thumbnail.width);
});

test('the same request is the same film, byte by byte, and another prompt is another one', async () => {
  const request = { prompt: 'A harbour wakes.', ...small };
  const [first, again, other] = await Promise.all([
    local.generate('video.generate', request),
    local.generate('video.generate', request),
    local.generate('video.generate', { ...request, prompt: 'A harbour sleeps.' }),
  ]);
  const digests = [first, again, other].map(({ produced }) =>
    produced.map(({ name, bytes }) => `${name} ${createHash('sha256').update(bytes).digest('hex')}`),
  );
  expect(digests[1]).toEqual(digests[0]);
  expect(digests[2]?.[0]).not.toBe(digests[0]?.[0]);
});

test('what is said is in the captions, when it is heard', async () => {
  const made = await local.generate('video.generate', { prompt: 'Good morning harbour.', resolution: 64, seconds: 4 });
  expect(textOf(made, 'captions')).toMatch(
    /^WEBVTT\n\n1\n00:00:00\.250 --> 00:00:0[123]\.\d{3}\nGood morning harbour\.\n$/,
  );
  const { peaks } = await probeFilm(named(made, 'video').bytes);
  expect(peaks[0]).toBeGreaterThan(0.4);
});

test('text of any script and intent is drawn, and beyond the limits there is less, with a note', async () => {
  const prompt =
    '</text><script>alert(1)</script> ]]> \u0000\ud800 你好 مرحبا \u202E 😀 {\\an8} [[x]] & "quotes". '.repeat(300);
  const title = '<![CDATA[ & \u0007 ไทย';
  const made = await local.generate('video.generate', { prompt, title, resolution: 64, seconds: 3 });
  expect((await probeFilm(named(made, 'video').bytes)).frames).toBe(72);
  expect(textOf(made, 'captions')).toContain('&lt;script&gt;');
  expect(JSON.parse(textOf(made, 'storyboard')).notes[0]).toMatch(/^The prompt has \d+ lines; the first \d are shown/);
});

test('pictures, narration and music that are given are used', async () => {
  const narration = named(await local.generate('tts.synthesize', { prompt: 'One two three four five six.' }), 'speech');
  const music = named(await local.generate('music.generate', { prompt: 'calm', seconds: 1 }), 'music');
  const white = await local.generate('image.generate', { prompt: 'A wall.', resolution: 128 });
  const made = await local.generate(
    'video.from-image',
    { prompt: 'A wall.', resolution: 128, inputs: { images: [ids[0]], narration: ids[1], music: ids[2] } },
    { inputs: { [ids[0]]: named(white, 'image').bytes, [ids[1]]: narration.bytes, [ids[2]]: music.bytes } },
  );
  const { seconds, peaks } = await probeFilm(named(made, 'video').bytes);
  expect(seconds).toBeCloseTo((narration.duration ?? 0) + 0.25, 0);
  expect(peaks[0]).toBeGreaterThan(0.4);
  const own = await local.generate('video.generate', { prompt: 'A wall.', resolution: 128 });
  expect(named(own, 'video').bytes).not.toEqual(named(made, 'video').bytes);
});

test('a speaker is a card with a name that says what it is, and a meter that moves', async () => {
  const request = {
    prompt: 'Hello, I am a preview.',
    title: 'Ada',
    aspect: '1:1' as const,
    resolution: 256,
    seconds: 3,
  };
  const made = await local.generate('avatar.talking-head-text', { ...request, options: { captions: false } });
  const { light, frames } = await probeFilm(named(made, 'video').bytes);
  expect(frames).toBe(72);
  const shown = light.slice(12, 40);
  expect(Math.max(...shown) - Math.min(...shown)).toBeGreaterThan(0.2);
  const silent = await local.generate('avatar.talking-head-text', {
    ...request,
    options: { captions: false, narrate: false },
  });
  const still = (await probeFilm(named(silent, 'video').bytes)).light.slice(12, 40);
  expect(Math.max(...still) - Math.min(...still)).toBeLessThan(0.2);
});

test.each(['blur', 'pad', 'crop'])('a film is brought into another shape and length: %s', async (fit) => {
  const film = named(
    await local.generate('video.generate', { prompt: 'A harbour.', resolution: 144, seconds: 3 }),
    'video',
  );
  const made = await local.generate(
    'video.edit',
    {
      prompt: 'For phones',
      aspect: '9:16',
      resolution: 128,
      seconds: 1.5,
      inputs: { video: ids[0] },
      options: { fit, start: 1 },
    },
    { inputs: { [ids[0]]: film.bytes } },
  );
  const probed = await probeFilm(named(made, 'video').bytes);
  expect(probed).toMatchObject({ width: 128, height: 228, frames: 36, codecs: ['h264', 'aac'], isFastStart: true });
  expect(probed.peaks[0]).toBeGreaterThan(0.02);
  expect(named(made, 'thumbnail').width).toBe(128);
});
