import { expect, test } from 'vitest';
import { readFormats } from '#src/studio/domain/formats.ts';
import { shapeSteps } from '#src/studio/domain/shape-steps.ts';
import { modes } from '#src/studio/domain/words.ts';

const brief = { prompt: 'A harbour wakes', title: null };

test('a film takes a picture, a narration and music, and is made once for each aspect ratio', () => {
  const steps = shapeSteps({ ...brief, mode: 'video' }, readFormats(['16:9', '9:16 8s'], []));
  expect(steps.map(({ step, capability, after }) => [step, capability, after])).toEqual([
    ['image', 'image.generate', []],
    ['narration', 'tts.synthesize', []],
    ['music', 'music.generate', []],
    ['video-16x9', 'video.generate', ['image', 'narration', 'music']],
    ['video-9x16', 'video.generate', ['image', 'narration', 'music']],
  ]);
  expect(steps.at(-1)?.request).toEqual({ prompt: 'A harbour wakes', aspect: '9:16', seconds: 8, resolution: 720 });
});

test('each film of a campaign takes the picture of its own aspect ratio', () => {
  const steps = shapeSteps({ ...brief, mode: 'campaign' }, readFormats(['16:9', '1:1'], []));
  expect(steps.find(({ step }) => step === 'video-1x1')?.after).toEqual(['image-1x1', 'narration', 'music']);
});

test.for(modes)('%s: every step has a name of its own, and needs only earlier steps', (mode) => {
  for (const formats of [[], ['16:9', '9:16', '1:1', '4:5']]) {
    const steps = shapeSteps({ ...brief, mode }, readFormats(formats, []));
    const names = steps.map(({ step }) => step);
    expect(new Set(names).size).toBe(names.length);
    for (const [index, { after }] of steps.entries())
      for (const name of after) expect(names.slice(0, index)).toContain(name);
  }
});
