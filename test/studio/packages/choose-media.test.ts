import { expect, test } from 'vitest';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import { chooseMedia, misfitOf } from '#src/studio/packages/choose-media.ts';
import { someAsset, someFilm } from '#test/studio/package-parts.ts';

const tall = { width: 720, height: 1_280 };

test('the film that fits is taken, else the nearest in shape; the others are named', () => {
  const [wide, upright, square] = [someFilm(1), someFilm(2, tall), someFilm(3, { width: 720, height: 720 })];
  const { film, leftOut } = chooseMedia([wide, upright, square], channelFormats.tiktok);
  expect(film).toBe(upright);
  expect(leftOut.map(({ asset }) => asset)).toEqual([square, wide]);
  expect(chooseMedia([wide, square], channelFormats.tiktok).film).toBe(square);
});

test('a film in the shape that is too long comes after one that fits', () => {
  const [long, short] = [someFilm(1, { ...tall, duration: 700 }), someFilm(2, { ...tall, width: 360, height: 640 })];
  expect(chooseMedia([long, short], channelFormats.tiktok).film).toBe(short);
});

test('pictures in the shape come alone, or all where none has it; thumbnails are no pictures', () => {
  const [wide, upright] = [someAsset(1), someAsset(2, tall)];
  const film = someFilm(3, { thumbnail: someAsset(4).id });
  const chosen = chooseMedia([wide, upright, film, someAsset(4)], channelFormats.tiktok);
  expect(chosen).toMatchObject({ film, pictures: [upright], others: [] });
  expect(chosen.leftOut).toMatchObject([{ asset: wide }]);
  expect(chooseMedia([wide, upright], channelFormats.linkedin).pictures).toEqual([wide, upright]);
});

test('sound goes in alone where there is nothing to see, and captions never by themselves', () => {
  const sound = someAsset(1, { kind: 'audio', mediaType: 'audio/wav', width: null, height: null });
  const captions = someAsset(2, { kind: 'text', mediaType: 'text/vtt; charset=utf-8', width: null, height: null });
  expect(chooseMedia([sound, captions], channelFormats.tiktok)).toMatchObject({ others: [sound], leftOut: [] });
  const beside = chooseMedia([sound, captions, someFilm(3)], channelFormats.tiktok);
  expect(beside).toMatchObject({ others: [], leftOut: [{ asset: sound }] });
});

test.each([
  ['the same shape', { width: 720, height: 1_280, duration: 600 }, null],
  ['a pixel off', { width: 721, height: 1_280, duration: 6 }, null],
  ['another shape', { width: 1_280, height: 720, duration: 6 }, { aspect: '9:16', seconds: null }],
  ['too long', { width: 720, height: 1_280, duration: 600.1 }, { aspect: '9:16', seconds: 600 }],
  ['of no known size', { width: null, height: null, duration: 6 }, { aspect: '9:16', seconds: null }],
])('a film for TikTok that is %s', (_name, size, misfit) => {
  expect(misfitOf(someFilm(1, size), channelFormats.tiktok)).toEqual(misfit);
});
