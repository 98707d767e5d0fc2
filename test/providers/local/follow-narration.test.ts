import { expect, test } from 'vitest';
import { alignWords } from '#src/providers/local/film/align-words.ts';
import { followNarration } from '#src/providers/local/film/follow-narration.ts';
import { narrationOf } from '#src/providers/local/film/soundtrack.ts';
import { FRAMES_PER_SECOND } from '#src/providers/local/film/timeline.ts';
import { openSpeaker, USUAL_RATE } from '#src/providers/local/sound/speech.ts';

const prompt =
  'The harbour wakes. Boats leave before dawn. The lamp lights up. The town hears them go. Open from May until the first storm of autumn.';
const film = {
  title: 'Harbour',
  prompt,
  seconds: null,
  leastSeconds: 6,
  mostSeconds: 120,
  speaker: null,
  size: { width: 640, height: 360 },
  images: [],
  notes: [],
};

async function read(text: string, language: string | null = 'en') {
  const { samples, words } = (await openSpeaker(null, language)).speak(text, USUAL_RATE, 600);
  return { samples, words };
}

test.for([
  ['no length', {}],
  ['a length that is too short', { seconds: 6 }],
  ['a length without room for a title', { seconds: 10.5 }],
  ['a length to spare', { seconds: 30 }],
  ['no title', { title: '' }],
  ['a speaker', { speaker: 'Ada' }],
] as const)('with %s all of the narration is heard, and its captions are shown while it is said', async ([, more]) => {
  const narration = await read(prompt);
  const script = followNarration({ ...film, ...more }, narration);
  const seconds = script.frames / FRAMES_PER_SECOND;
  const from = script.narration?.from ?? 0;
  expect(script.narration?.seconds).toBe(narration.samples.length / 48_000);
  expect(seconds).toBeGreaterThanOrEqual(from + narration.samples.length / 48_000);
  if ('seconds' in more) expect(seconds).toBeGreaterThanOrEqual(more.seconds);
  expect(script.cues.map(({ text }) => text).join(' ')).toBe(prompt);
  // each caption begins with its first word, as the voice has it
  let index = 0;
  for (const cue of script.cues) {
    expect(cue.from).toBeCloseTo(from + (narration.words[index]?.from ?? -1), 6);
    index += cue.text.split(' ').length;
  }
  const track = narrationOf(script, narration.samples);
  expect(track.subarray(Math.round(from * 48_000), Math.round(from * 48_000) + 48_000)).toEqual(
    narration.samples.subarray(0, 48_000),
  );
  expect(script.shots.reduce((sum, { frames }) => sum + frames, 0)).toBe(script.frames);
  expect(script.notes).toEqual([]);
});

test('a scene changes with what is said', async () => {
  const narration = await read(prompt);
  const { shots, narration: heard } = followNarration(film, narration);
  for (const { text, from, kind } of shots.filter((shot) => shot.text !== '')) {
    if (kind === 'title' || text.startsWith('The harbour')) continue;
    const at = narration.words.findIndex((word, index) =>
      text.startsWith([word.text, narration.words[index + 1]?.text].join(' ')),
    );
    expect(Math.abs(from / FRAMES_PER_SECOND - (heard?.from ?? 0) - (narration.words[at]?.from ?? 99))).toBeLessThan(
      0.15,
    );
  }
});

test('a title has a card of its own where there is time, and else is over the first picture', async () => {
  const narration = await read(prompt);
  expect(followNarration(film, narration)).toMatchObject({
    titleFrames: 0,
    shots: [{ kind: 'title', text: 'Harbour' }, {}, {}, {}, {}, {}],
  });
  const tight = followNarration({ ...film, seconds: 6 }, narration);
  expect(tight.titleFrames).toBe(Math.round(1.8 * FRAMES_PER_SECOND));
  expect(tight.shots.map(({ kind }) => kind)).not.toContain('title');
});

test('what is longer than a film can be ends with a whole sentence, and what is not heard is named', async () => {
  const narration = await read(prompt);
  const { notes, narration: heard, cues } = followNarration({ ...film, mostSeconds: 6, title: '' }, narration);
  const last = cues.at(-1)?.text ?? '';
  expect(last).toMatch(/\.$/);
  expect(heard?.seconds).toBeLessThan(6);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/it ends after “up\.”\. Not heard: “The town hears them go\. .* autumn\.”\.$/);
});

test.for([
  ['en', prompt],
  ['de', 'Der Hafen erwacht. Boote fahren vor der Dämmerung hinaus, und die Lampe leuchtet auf. Geöffnet ab Mai.'],
  ['zh', '港口醒来了。渔船在黎明前出海。灯亮了。我们从五月开始营业。'],
] as const)('where the times of words are not known, they are found in the sound: %s', async ([language, text]) => {
  const { samples, words } = await read(text, language);
  const found = alignWords(text, samples);
  expect(found.map((word) => word.text)).toEqual(words.map((word) => word.text));
  const off = found.map(({ from }, index) => Math.abs(from - (words[index]?.from ?? 99)));
  expect(off.reduce((sum, one) => sum + one, 0) / off.length).toBeLessThan(0.1);
  expect(Math.max(...off)).toBeLessThan(0.3);
});

test('silence has no words', () => {
  expect(alignWords('Hello there', new Float32Array(48_000))).toEqual([]);
  expect(alignWords('', new Float32Array(48_000).fill(0.5))).toEqual([]);
});
