import { expect, test } from 'vitest';
import { touchedByPublish, touchedByRender } from '#src/studio/domain/boundary.ts';
import type { Mode } from '#src/studio/domain/words.ts';

const touched = (mode: Mode, prompt: string, capabilities: string[] = ['image.generate']) =>
  touchedByRender({
    mode,
    title: null,
    prompt,
    channels: [],
    capabilities,
    providers: ['local'],
    ceiling: 1_500_000,
  });

test('spending is always touched, and says at whom and how much', () => {
  expect(touched('video', 'A harbour wakes')).toEqual([
    { area: 'liveProviderSpend', why: 'runs local, for at most 1.50 dollars' },
  ]);
});

test.for([
  ['avatar', 'avatar.talking-head-text', 'speaking person'],
  ['persona', 'image.generate', 'speaking person'],
  ['voice', 'tts.synthesize', 'voice'],
  ['video', 'tts.synthesize', 'voice'],
  ['video', 'video.lipsync', 'speaking person'],
] as const)('%s with %s touches a %s', ([mode, capability, made]) => {
  const [, area] = touched(mode, 'Hello', [capability]);
  expect(area).toMatchObject({ area: 'voiceAndLikeness', why: expect.stringContaining(`makes a ${made}`) });
});

test.for(['The best coffee, guaranteed', 'Now 20% off', 'Only $9', 'Clinically proven', 'Earn up to $500 a day'])(
  '%j may be a claim',
  (prompt) => {
    expect(touched('video', prompt).map(({ area }) => area)).toContain('commercialClaims');
  },
);

test.for(['A harbour wakes', 'Bestow a crown', 'Freedom at sea'])('%j claims nothing', (prompt) => {
  expect(touched('video', prompt).map(({ area }) => area)).not.toContain('commercialClaims');
});

test('a publication says whether anything is sent outside', () => {
  expect(touchedByPublish(['tiktok'], [], 'Hi')[0]?.why).toBe('packages are made for tiktok; nothing is sent outside');
  expect(touchedByPublish(['tiktok', 'linkedin'], ['linkedin'], 'Hi')[0]?.why).toBe(
    'packages are made for tiktok, linkedin, and those for linkedin are sent there',
  );
});
