import { expect, test } from 'vitest';
import { writeScript } from '#src/providers/local/film/script.ts';
import { narrationOf, SAMPLES_PER_FRAME } from '#src/providers/local/film/soundtrack.ts';
import { FRAMES_PER_SECOND, layOut } from '#src/providers/local/film/timeline.ts';
import { frameSize } from '#src/providers/local/media/frame-size.ts';
import { openSpeaker } from '#src/providers/local/sound/speech.ts';
import { cuesOf, spreadWords, webVtt } from '#src/providers/local/text/captions.ts';

const film = {
  title: 'Harbour',
  prompt: 'A harbour wakes. The café opens. Night falls over the town.',
  seconds: null,
  leastSeconds: 0,
  mostSeconds: 120,
  speaker: null,
  size: { width: 640, height: 360 },
  images: [],
  notes: [],
};

test('the four shapes, with even sides and the requested short side', () => {
  expect(frameSize('16:9', 720)).toEqual({ width: 1_280, height: 720 });
  expect(frameSize('9:16', 720)).toEqual({ width: 720, height: 1_280 });
  expect(frameSize('1:1', 721)).toEqual({ width: 722, height: 722 });
  expect(frameSize('4:5', 720)).toEqual({ width: 720, height: 900 });
  expect(frameSize('16:9', 64)).toEqual({ width: 114, height: 64 });
});

test('spans follow one another and add up to the requested length', () => {
  const spans = layOut([1.7, 2.9, 1.5], 6, 120);
  expect(spans[0]?.from).toBe(0);
  for (const [i, { from, frames }] of spans.entries()) if (i < 2) expect(spans[i + 1]?.from).toBe(from + frames);
  expect(spans.reduce((sum, { frames }) => sum + frames, 0)).toBe(6 * FRAMES_PER_SECOND);
  expect(layOut([1, 1], 500, 10).reduce((sum, { frames }) => sum + frames, 0)).toBe(10 * FRAMES_PER_SECOND);
});

test('a film without a length takes what its words need: a title, and a shot for each line', () => {
  const { shots, notes } = writeScript(film, null);
  expect(shots.map(({ kind }) => kind)).toEqual(['title', 'scene', 'scene', 'scene']);
  expect(notes).toEqual([]);
});

test('a prompt of 32,000 characters is shown as far as the film goes, and that is said', () => {
  const prompt = 'Somebody walks along the pier and looks at the sea. '.repeat(620).slice(0, 32_000);
  const { shots, frames, notes } = writeScript({ ...film, prompt }, null);
  expect(shots.length).toBeLessThan(60);
  expect(frames).toBeGreaterThan(110 * FRAMES_PER_SECOND);
  expect(frames).toBeLessThanOrEqual(120 * FRAMES_PER_SECOND);
  expect(notes.join()).toMatch(
    /^The prompt has 6\d\d lines; the first \d+ are shown, as no more fit into 120 seconds\. Left out: “Somebody walks/,
  );
});

test('every picture has a shot, also beyond the lines', () => {
  expect(writeScript({ ...film, prompt: 'One line.', title: '', images: ['a', 'b', 'c'] }, null).shots).toHaveLength(3);
});

test('captions say every word once, in order, while it is spoken', async () => {
  const script = writeScript(film, await openSpeaker(null, 'en'));
  expect(script.cues.map(({ text }) => text).join(' ')).toBe(film.prompt);
  const narration = narrationOf(script, null);
  for (const [index, { from, to }] of script.cues.entries()) {
    expect(to).toBeGreaterThan(from);
    expect(from).toBeGreaterThanOrEqual(script.cues[index - 1]?.to ?? 0);
    const spoken = narration.subarray(from * 48_000, to * 48_000);
    expect(Math.max(...spoken.subarray(0, 100_000))).toBeGreaterThan(0.1);
  }
  for (const { from, frames, speech } of script.shots) {
    expect(speech?.samples.length ?? 0).toBeLessThanOrEqual(frames * SAMPLES_PER_FRAME);
    expect(from).toBeLessThan(script.frames);
  }
});

test('a sentence that does not fit into a short film is not begun, and that is said', async () => {
  const prompt =
    'Incomprehensibly extraordinary responsibilities overwhelm administrative representatives internationally.';
  const { shots, notes, frames } = writeScript({ ...film, prompt, seconds: 2 }, await openSpeaker(null, null));
  expect(frames).toBe(2 * FRAMES_PER_SECOND);
  expect(shots.map(({ speech }) => speech)).toEqual([null]);
  expect(notes).toEqual([
    'Nothing is spoken: the first sentence does not fit into 2 seconds. Its words are captions alone; ask for more seconds, or shorten it.',
  ]);
});

test('of too many sentences the first ones are spoken whole, and the others are named', async () => {
  const { shots, notes } = writeScript({ ...film, title: '', seconds: 4 }, await openSpeaker(null, null));
  const spoken = shots.flatMap(({ speech }) => speech?.words.map(({ text }) => text) ?? []).join(' ');
  expect(spoken).toBe('A harbour wakes. The café opens.');
  expect(notes.join()).toContain('Left out: “Night falls over the town.”');
});

test('a caption ends with its sentence, and holds no more than is read at a glance', () => {
  const words = spreadWords('One two three. Four five six seven eight nine ten eleven twelve thirteen', 1, 6);
  const cues = cuesOf(words, 30);
  expect(cues[0]).toMatchObject({ from: 1, text: 'One two three.' });
  for (const { text } of cues) expect(text.length).toBeLessThanOrEqual(30);
  expect(cues.at(-1)?.to).toBeCloseTo(7, 9);
});

test('a WebVTT file escapes what it says, and a note cannot begin a caption', () => {
  const file = webVtt([{ from: 3_661.5, to: 3_662.0004, text: 'a <b> & c --> d' }], ['x --> y\n\nz']);
  expect(file).toBe('WEBVTT\n\nNOTE x → y  z\n\n1\n01:01:01.500 --> 01:01:02.000\na &lt;b&gt; &amp; c --&gt; d\n');
});
