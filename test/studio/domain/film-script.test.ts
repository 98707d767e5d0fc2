import { expect, test } from 'vitest';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import { readFormats } from '#src/studio/domain/formats.ts';
import { narrationSeconds, openLength, shapeSteps } from '#src/studio/domain/shape-steps.ts';

test('a text without labels is shown, spoken and posted as it is', () => {
  const prompt = 'The harbour wakes.\n\nBoats leave before dawn.';
  expect(readFilmScript(prompt)).toEqual({
    shown: prompt,
    spoken: prompt,
    caption: prompt,
    seconds: null,
    warnings: [],
  });
});

test('labels say what is shown, spoken and posted', () => {
  const prompt = `A 15 second teaser for Harbour Coffee: boats, gulls, morning light.
Narration: The harbour wakes.
Boats leave before dawn.
Caption: Open from May. #harbour`;
  expect(readFilmScript(prompt)).toEqual({
    shown: 'A 15 second teaser for Harbour Coffee: boats, gulls, morning light.',
    spoken: 'The harbour wakes.\nBoats leave before dawn.',
    caption: 'Open from May. #harbour',
    seconds: 15,
    warnings: [],
  });
});

test('what is spoken is the caption where no other is given', () => {
  const { caption, shown } = readFilmScript('Voice-over: The harbour wakes.');
  expect([caption, shown]).toEqual(['The harbour wakes.', 'The harbour wakes.']);
});

test.for([
  ['A 15 second teaser for Harbour Coffee. The harbour wakes.', 15],
  ['Make a 30s vertical video about our new bakery.', 30],
  ['Please create a short film that shows the harbour.', null],
  ['Short film about two friends', null],
  ['An ad for our app: it is out now.', null],
] as const)('%s is pointed out as an instruction', ([prompt, seconds]) => {
  const read = readFilmScript(prompt);
  expect(read.seconds).toBe(seconds);
  expect(read.warnings.join()).toContain('is spoken and posted as the caption as it is written');
});

test.for([
  'The harbour wakes.',
  'Our story began with a boat.',
  'Two friends make bread.',
  '港口醒来了。',
  'We opened in May 15 years ago.',
])('%s is no instruction', (prompt) => {
  expect(readFilmScript(prompt)).toMatchObject({ seconds: null, warnings: [] });
});

const long =
  'The harbour wakes. Boats leave before dawn. The lamp lights up. The town hears them go. Open from May until the first storm of autumn.';

test('a film without a requested length is as long as its narration', () => {
  const brief = { mode: 'video' as const, prompt: long, title: null };
  const spoken = narrationSeconds(brief) ?? 0;
  expect(spoken).toBeGreaterThan(7);
  expect(openLength(brief)).toBe(Math.ceil(spoken + 0.65));
  expect(openLength({ ...brief, prompt: 'Hello.' })).toBe(6);
  expect(openLength({ ...brief, mode: 'publish' })).toBe(6);
  const film = shapeSteps(brief, readFormats([], [])).at(-1);
  expect(film?.request).toMatchObject({ seconds: openLength(brief), isLengthOpen: true });
  const asked = shapeSteps(brief, readFormats(['6s'], [])).at(-1);
  expect(asked?.request.seconds).toBe(6);
  expect(asked?.request.isLengthOpen).toBeUndefined();
});

test('pictures that go into a film are requested without words, and the film gets the spoken text', () => {
  const prompt = 'Visuals: boats at dawn.\nNarration: The harbour wakes.';
  const steps = shapeSteps({ mode: 'video', prompt, title: 'Harbour' }, readFormats([], []));
  const of = (name: string) => steps.find(({ step }) => step === name)?.request;
  expect(of('image')).toMatchObject({ prompt: 'boats at dawn.', withoutText: true });
  expect(of('narration')?.prompt).toBe('The harbour wakes.');
  expect(of('video-16x9')).toMatchObject({ prompt: 'boats at dawn.', script: 'The harbour wakes.' });
});

test('a film has a voice only where a voice is one of its steps, and so of its approval', () => {
  expect.hasAssertions();
  for (const mode of ['video', 'campaign', 'publish', 'avatar', 'persona'] as const) {
    const steps = shapeSteps({ mode, prompt: 'The harbour wakes.', title: null }, readFormats([], []));
    const hasVoice = steps.some(({ capability }) => capability === 'tts.synthesize');
    for (const { capability, request } of steps)
      if (/^(video|avatar)\./.test(capability)) expect(request.isSilent === true).toBe(!hasVoice);
  }
});
