import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differences } from '#src/studio/domain/compare-made.ts';
import { readFormats } from '#src/studio/domain/formats.ts';
import { channels } from '#src/studio/domain/words.ts';

const open = { resolution: null, seconds: null };

/** A format as people write it; shapes; what is asked of resolution and length (null: left open); parts that are not understood. */
const table: readonly (readonly [string, readonly string[], number | null, number | null, ...string[]])[] = [
  ['9:16', ['9:16'], null, null],
  ['16:9 1080p 15s', ['16:9'], 1_080, 15],
  ['16x9 mp4', ['16:9'], null, null],
  ['16 : 9', ['16:9'], null, null],
  ['4/5', ['4:5'], null, null],
  ['1920x1080', ['16:9'], 1_080, null],
  ['1920x1080 30s', ['16:9'], 1_080, 30],
  ['1920 × 1080 px', ['16:9'], 1_080, null],
  ['1080x1920', ['9:16'], 1_080, null],
  ['1080x1080', ['1:1'], 1_080, null],
  ['1080x1350', ['4:5'], 1_080, null],
  ['1280x720, 8 seconds', ['16:9'], 720, 8],
  ['3840x2160', ['16:9'], 2_160, null],
  ['4k', ['16:9'], 2_160, null],
  ['16:9 4k 5s', ['16:9'], 2_160, 5],
  ['4K UHD', ['16:9'], 2_160, null],
  ['8k', ['16:9'], 4_320, null],
  ['Full HD', ['16:9'], 1_080, null],
  ['HD landscape', ['16:9'], 720, null],
  ['1440p', ['16:9'], 1_440, null],
  ['TikTok 30s', ['9:16'], null, 30],
  ['tik tok', ['9:16'], null, null],
  ['YouTube Shorts', ['9:16'], null, null],
  ['Shorts', ['9:16'], null, null],
  ['Instagram reel', ['9:16'], null, null],
  ['IG Story 10 sec', ['9:16'], null, 10],
  ['Reels and TikTok', ['9:16'], null, null],
  ['Snapchat', ['9:16'], null, null],
  ['Instagram', ['4:5'], null, null],
  ['Instagram square', ['1:1'], null, null],
  ['LinkedIn', ['1:1'], null, null],
  ['LinkedIn 16:9', ['16:9'], null, null],
  ['Facebook feed post', ['4:5'], null, null],
  ['Pinterest pin', ['9:16'], null, null],
  ['YouTube 1 min', ['16:9'], null, 60],
  ['X', ['16:9'], null, null],
  ['twitter 45s', ['16:9'], null, 45],
  ['vertical', ['9:16'], null, null],
  ['vertical video, 20 seconds long', ['9:16'], null, 20],
  ['portrait', ['4:5'], null, null],
  ['widescreen', ['16:9'], null, null],
  ['square 8 seconds', ['1:1'], null, 8],
  ['0:30', ['16:9'], null, 30],
  ['1:30', ['16:9'], null, 90],
  ['1m30s', ['16:9'], null, 90],
  ['6-8s', ['16:9'], null, 8],
  ['30-second clip for TikTok', ['9:16'], null, 30],
  ['2 minutes', ['16:9'], null, 120],
  ['0.5s', ['16:9'], null, 0.5],
  ['2,5 s', ['16:9'], null, 2.5],
  ['mp4', ['16:9'], null, null],
  ['hologram', ['16:9'], null, null, 'hologram'],
  ['16:9 gif', ['16:9'], null, null, 'gif'],
  ['9:16 ProRes 4444', ['9:16'], null, null, 'ProRes', '4444'],
  ['no captions', ['16:9'], null, null, 'no', 'captions'],
  ['116:9', ['16:9'], null, null, '116:9'],
  ['16:99', ['16:9'], null, null, '16:99'],
  ['5ft', ['16:9'], null, null, '5ft'],
];

test.for(table)('%s', ([text, aspects, resolution, seconds, ...unread]) => {
  const read = readFormats([text], []);
  expect({ aspects: read.aspects, requested: read.requested, unread: read.unread }).toEqual({
    aspects,
    requested: { ...open, resolution, seconds },
    unread,
  });
  for (const part of unread) expect(read.warnings.join('\n')).toContain(JSON.stringify(part));
});

test.for([
  ['21:9', '21:9 is none of the shapes that are made (16:9, 9:16, 1:1, 4:5): 16:9 is the nearest.'],
  ['1080x1440', '1080x1440 is none of the shapes that are made (16:9, 9:16, 1:1, 4:5): 4:5 is the nearest.'],
  ['1080p60', '60 frames a second were requested; films here have 24.'],
  ['30 fps', '30 frames a second were requested; films here have 24.'],
] as const)('%s is said to be made otherwise', ([text, warning]) => {
  expect(readFormats([text], []).warnings).toEqual([`targetFormats: ${warning}`]);
});

const film = 'makes films with sound (MP4 with H.264 and AAC).';
test.for([
  ['video', '16:9 png', `"png" asks for a picture; a brief of the mode video ${film}`],
  ['avatar', 'Images', `"Images" asks for a picture; a brief of the mode avatar ${film}`],
  ['campaign', 'wav', `"wav" asks for a recording; a brief of the mode campaign ${film}`],
  ['persona', 'still', `"still" asks for a picture; a brief of the mode persona ${film}`],
  [
    'publish',
    'video with audio',
    '"audio" asks for sound; a brief of the mode publish makes films without sound (MP4 with H.264).',
  ],
  ['voice', 'mp4', '"mp4" asks for a film; a brief of the mode voice makes speech (WAV).'],
  ['voice', 'aac', '"aac" asks for the sound of a film; a brief of the mode voice makes speech (WAV).'],
  [
    'voice',
    '9:16',
    'the shape 9:16 was requested, which sound does not have; a brief of the mode voice makes speech (WAV).',
  ],
  ['voice', '4k', '2160p was requested, which sound does not have; a brief of the mode voice makes speech (WAV).'],
] as const)('a %s of the format %s: what is made instead is said', ([mode, text, warning]) => {
  expect(readFormats([text], [], null, mode).warnings).toEqual([`targetFormats: ${warning}`]);
});

test.for([
  ['video', 'mp4 with audio, AAC, H.264'],
  ['publish', 'film'],
  ['voice', 'wav audio for TikTok'],
] as const)('a %s of the format %s is made as requested', ([mode, text]) => {
  expect(readFormats([text], [], null, mode).warnings).toEqual([]);
});

test('of several lengths or resolutions the first is taken, and that is said', () => {
  const { seconds, resolution, warnings } = readFormats(['9:16 15s 720p', '16:9 30s 1080p'], []);
  expect({ seconds, resolution }).toEqual({ seconds: 15, resolution: 720 });
  expect(warnings).toEqual([
    'targetFormats: several resolutions are named (720p, 1080p); everything is made with the first: 720p.',
    'targetFormats: several lengths are named (15 s, 30 s); everything is made with the first: 15 s.',
  ]);
});

const both = (text: string, named: string) =>
  `targetFormats: ${JSON.stringify(text)} names shapes that contradict each other (${named}); a film of each is made.`;
test.for([
  ['9:16 1920x1080', ['9:16', '16:9'], '9:16, 1920x1080: 16:9'],
  ['1920x1080 9:16', ['16:9', '9:16'], '1920x1080: 16:9, 9:16'],
  ['square 720x1280', ['1:1', '9:16'], 'square: 1:1, 720x1280: 9:16'],
  ['vertical 1080x1080 5s', ['9:16', '1:1'], 'vertical: 9:16, 1080x1080: 1:1'],
  ['portrait 500x500', ['4:5', '1:1'], 'portrait: 4:5, 500x500: 1:1'],
  ['landscape 9:16', ['16:9', '9:16'], 'landscape: 16:9, 9:16'],
  ['square 16:9', ['1:1', '16:9'], 'square: 1:1, 16:9'],
  ['square vertical', ['1:1', '9:16'], 'square: 1:1, vertical: 9:16'],
  ['TikTok square 16:9', ['1:1', '16:9'], 'square: 1:1, 16:9'],
  ['1:1 4:5 720x1280', ['1:1', '4:5', '9:16'], '1:1, 4:5, 720x1280: 9:16'],
] as const)('%s contradicts itself, and that is said', ([text, aspects, named]) => {
  const read = readFormats([text], []);
  expect(read.aspects).toEqual(aspects);
  expect(read.warnings).toEqual([both(text, named)]);
  expect(readFormats([text], [], null, 'voice').warnings.join()).not.toContain('contradict');
});

test.for([
  ['portrait 9:16', ['9:16']],
  ['portrait 720x1280', ['9:16']],
  ['vertical 1080x1350', ['4:5']],
  ['landscape 16:9 1920x1080', ['16:9']],
  ['square 1:1', ['1:1']],
  ['landscape 16:9, vertical 9:16', ['16:9', '9:16']],
  ['16:9 9:16 1080p', ['16:9', '9:16']],
  ['16:9 and 9:16', ['16:9', '9:16']],
  ['1920x1080 and 1080x1920', ['16:9', '9:16']],
  ['square and vertical', ['1:1', '9:16']],
  ['Instagram, TikTok', ['4:5', '9:16']],
] as const)('%s is one wish or a list, and no contradiction', ([text, aspects]) => {
  expect(readFormats([text], [])).toMatchObject({ aspects, warnings: [] });
});

test('a length of the formats that is another than the prompt names is said', () => {
  expect(readFormats(['15s'], [], 30)).toMatchObject({
    seconds: 15,
    warnings: ['targetFormats: 15 s is named here and 30 s in the prompt; everything is made with the former: 15 s.'],
  });
  expect(readFormats(['15s'], [], 15).warnings).toEqual([]);
  expect(readFormats(['720p'], [], 15).warnings).toEqual([]);
});

test('what is left open comes from the channels, and a length from the brief itself', () => {
  const read = readFormats(['hologram'], ['tiktok', 'linkedin'], 15);
  expect(read).toMatchObject({ aspects: ['9:16', '1:1'], resolution: 720, seconds: 15, unread: ['hologram'] });
  expect(readFormats(['4s'], [], 15).seconds).toBe(4);
});

test.for([
  ['4k', 'video is 1080p; 2160p was requested.', { width: 1_920, height: 1_080, seconds: 9 }],
  [
    '720p 6s',
    'video is 9.3 s long, 3.3 s longer than the requested 6 s, because its narration takes 8.9 s.',
    { width: 1_280, height: 720, seconds: 9.3 },
  ],
  [
    '720p',
    'video is 6 s long and its narration takes 8.9 s: 2.9 s of it are outside of the film.',
    { width: 1_280, height: 720, seconds: 6 },
  ],
  [
    '9:16',
    'video is 1280 × 720, which is none of the requested shapes (9:16).',
    { width: 1_280, height: 720, seconds: 9 },
  ],
  [
    '9999s',
    'video is 120 s long, 9879 s shorter than the requested 9999 s.',
    { width: 1_280, height: 720, seconds: 120 },
  ],
] as const)('%s: %s', ([text, warning, made]) => {
  expect(differences(readFormats([text], []), [{ name: 'video', ...made }], 8.9, 'made')).toEqual([warning]);
});

test('a result as requested is no difference', () => {
  const made = { name: 'video', width: 720, height: 1_280, seconds: 15.04 };
  expect(differences(readFormats(['TikTok 15s 720p'], []), [made], 12, 'made')).toEqual([]);
  expect(
    differences(readFormats([], []), [{ name: 'music', width: null, height: null, seconds: 6 }], null, 'made'),
  ).toEqual([]);
});

test('whatever is said, there is something to make, within the bounds, and nothing is dropped without a word', () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: 120 }),
    fc.constantFrom('16:9', '9:16 4k', '0s', '-5s', '99999999p', '0:0', '0x0'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.uniqueArray(fc.constantFrom(...channels)), (texts, where) => {
      const { aspects, resolution, seconds, unread, warnings } = readFormats(texts, where);
      expect(aspects.length).toBeGreaterThan(0);
      expect(new Set(aspects).size).toBe(aspects.length);
      expect(resolution).toBeGreaterThanOrEqual(144);
      expect(resolution).toBeLessThanOrEqual(1_080);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(120);
      expect(warnings.length).toBeGreaterThanOrEqual(unread.length);
    }),
  );
});
