import { expect, test } from 'vitest';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import { healthWith } from '#src/providers/local/local-health.ts';
import { type Loaders, mediaPackage, packageReasons } from '#src/providers/local/media/media-packages.ts';

const missing = async () => {
  throw Object.assign(new Error("Cannot find package 'x'"), { code: 'ERR_MODULE_NOT_FOUND' });
};
const there = async () => ({}) as never;
const all: Loaders = {
  'node-av': there,
  '@echogarden/espeak-ng-emscripten': there,
  '@resvg/resvg-js': there,
  'dejavu-fonts-ttf': there,
};

test('error: a package that is missing is named, with what to do', async () => {
  await expect(mediaPackage('node-av', { ...all, 'node-av': missing })).rejects.toMatchObject({
    code: 'media_unavailable',
    message: expect.stringContaining('npm install node-av'),
    details: { package: 'node-av' },
  });
});

test('without FFmpeg there are no films, and all else goes on', async () => {
  const health = healthWith(await packageReasons({ ...all, 'node-av': missing }));
  expect(health['video.generate']).toContain('node-av');
  expect(health['video.edit']).toContain('node-av');
  expect(health['image.generate']).toBeNull();
  expect(health['tts.synthesize']).toBeNull();
  expect(health['music.generate']).toBeNull();
});

test('without eSpeak there is no speech, but films are made', async () => {
  const health = healthWith(await packageReasons({ ...all, '@echogarden/espeak-ng-emscripten': missing }));
  expect(health['tts.synthesize']).toContain('espeak');
  expect(health['avatar.talking-head-text']).toContain('espeak');
  expect(health['video.generate']).toBeNull();
});

test('health is reported of exactly what is offered', async () => {
  const health = healthWith(await packageReasons(all));
  expect(Object.keys(health)).toEqual(Object.keys(localProvider.capabilities));
  expect(Object.values(health).every((reason) => reason === null)).toBe(true);
});
