import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EffectRefused } from '#src/jobs/effects/effects.ts';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import { localHealth } from '#src/providers/local/local-health.ts';
import { type LocalCalls, named, openLocalCalls, textOf } from './local-calls.ts';

let local: LocalCalls;
// of our own, as other tests make films beside us
const folder = mkdtempSync(join(tmpdir(), 'proofline-local-'));
beforeAll(async () => {
  vi.stubEnv('TMPDIR', folder);
  local = await openLocalCalls();
});
afterAll(async () => {
  await local[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const id = '00000000-0000-7000-8000-000000000001';
const film = { prompt: 'A harbour wakes. Night falls.', resolution: 720, seconds: 60 };

test('this machine can make everything that is offered', async () => {
  expect(Object.values(await localHealth()).filter((reason) => reason !== null)).toEqual([]);
});

test('a film that is cancelled in the middle ends at once, with the reason, and leaves nothing', async () => {
  const stop = new AbortController();
  const reason = new Error('not wanted any more');
  const stages: string[] = [];
  const making = local.generate('video.generate', film, {
    signal: stop.signal,
    progress: (stage) => {
      stages.push(stage);
      if (stage === 'render') stop.abort(reason);
    },
  });
  await expect(making).rejects.toBe(reason);
  expect(stages.filter((stage) => stage === 'render')).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a call that is cancelled before it begins makes nothing', async () => {
  await expect(
    local.generate('video.generate', film, { signal: AbortSignal.abort(new Error('too late')) }),
  ).rejects.toThrow('too late');
});

test('speech is sound, captions and the time of each word', async () => {
  const made = await local.generate('tts.synthesize', { prompt: 'Hello <b>there</b>,\nharbour.', language: 'en-GB' });
  expect(named(made, 'speech')).toMatchObject({ mediaType: 'audio/wav', kind: 'audio' });
  expect(textOf(made, 'captions')).toContain('Hello &lt;b&gt;there&lt;/b&gt;, harbour.');
  expect(JSON.parse(textOf(made, 'words')).words).toHaveLength(3);
  expect(made).toMatchObject({ billed: 0, externalId: null });
});

test('pictures come in the requested number, at the requested size', async () => {
  const made = await local.generate('image.generate', { prompt: 'One. Two.', count: 2, aspect: '4:5', resolution: 80 });
  expect(made.produced.map(({ name, width, height }) => ({ name, width, height }))).toEqual([
    { name: 'image-1', width: 80, height: 100 },
    { name: 'image-2', width: 80, height: 100 },
  ]);
});

test('a picture is made larger', async () => {
  const [picture] = (await local.generate('image.generate', { prompt: 'One.', resolution: 90 })).produced;
  const inputs = { [id]: picture?.bytes ?? new Uint8Array() };
  const made = await local.generate('image.upscale', { prompt: 'larger', inputs: { images: [id] } }, { inputs });
  const { width, height, bytes } = named(made, 'image');
  expect([width, height, Buffer.from(bytes).readUInt32BE(16)]).toEqual([320, 180, 320]);
  await expect(
    local.generate('image.upscale', { prompt: 'larger', resolution: 64, inputs: { images: [id] } }, { inputs }),
  ).rejects.toMatchObject({ code: 'provider_refused' });
});

const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n';
test.each([
  ['nothing', ''],
  ['noise', 'not a film at all, not even nearly'.repeat(100)],
  ['a playlist, which would have other files read', playlist],
  ['a list of files', "ffconcat version 1.0\nfile '/etc/hostname'\n"],
])('error: a film to edit that is %s is refused', async (_what, text) => {
  const request = { prompt: 'cut', inputs: { video: id } };
  const refusal = await local
    .generate('video.edit', request, { inputs: { [id]: new TextEncoder().encode(text) } })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EffectRefused);
  expect(refusal).toMatchObject({ code: 'provider_refused', message: expect.stringContaining('a video') });
});

test('error: an asset that was not handed over is named', async () => {
  await expect(local.generate('video.edit', { prompt: 'cut' })).rejects.toMatchObject({
    code: 'provider_refused',
    message: expect.stringContaining('as video'),
  });
});

test('error: options that mean nothing are refused, a text that is too long is for another provider', async () => {
  await expect(local.generate('video.generate', { prompt: 'x', options: { fit: 'stretch' } })).rejects.toMatchObject({
    code: 'provider_refused',
  });
  await expect(local.generate('tts.synthesize', { prompt: 'x'.repeat(5_001) })).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringContaining('5000'),
  });
  await expect(local.generate('text.generate', { prompt: 'x' })).rejects.toMatchObject({ code: 'provider_failed' });
});

test('more pixels and seconds than the catalogue allows are not made, and that is said', async () => {
  const offer = localProvider.capabilities['video.generate'];
  if (offer === undefined) throw new Error('films are offered');
  const provider = {
    ...localProvider,
    capabilities: { 'video.generate': { ...offer, limits: { seconds: 1 }, parameters: { mostShortSide: 64 } } },
  };
  const made = await local.generate(
    'video.generate',
    { prompt: 'A harbour.', seconds: 9, resolution: 720 },
    { provider },
  );
  expect(named(made, 'video')).toMatchObject({ width: 114, height: 64 });
  expect(named(made, 'video').duration).toBeCloseTo(1, 1);
  expect(made.notes).toEqual([
    'A short side of 720 was requested; 64 is the most here.',
    'A length in seconds of 9 was requested; 1 is the most here.',
    expect.stringMatching(/^Nothing is spoken: the first sentence does not fit into 1 second\./),
  ]);
  expect(JSON.parse(textOf(made, 'storyboard')).notes).toEqual(made.notes);
});
