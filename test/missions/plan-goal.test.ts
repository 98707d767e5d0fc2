import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planGoal } from '#src/missions/domain/plan-goal.ts';

const symbols = ['SPX', 'SPY', 'QQQ'];
const receipt = '0198c0de-0000-7000-8000-000000000000';
const steps = (goal: string, symbol?: string) =>
  planGoal(goal, { symbols, symbol }).steps.map(({ capability, input }) => [capability, input]);

test.each<[string, unknown[]]>([
  ['Take a snapshot of SPX', [['analytics.snapshot', { symbol: 'SPX' }]]],
  [
    'Stress SPX and QQQ: spot drops 3% and vol rises 10',
    [['analytics.stress', { symbols: ['SPX', 'QQQ'], shocks: 'stress spx and qqq: spot drops 3% and vol rises 10' }]],
  ],
  ['run a stress test of SPY', [['analytics.stress', { symbols: ['SPY'] }]]],
  [
    'Fit the surface of SPX, then hash the result',
    [
      ['analytics.surface', { symbol: 'SPX' }],
      ['content.digest', { value: { $from: 's1' } }],
    ],
  ],
  [
    'Where is the gamma flip of QQQ?',
    [['analytics.oracle', { question: 'Where is the gamma flip of QQQ', symbol: 'QQQ' }]],
  ],
  [`verify the receipt ${receipt.toUpperCase()}`, [['receipt.verify', { receiptId: receipt }]]],
  [`What is the status of job ${receipt}?`, [['job.status', { jobId: receipt }]]],
  [
    'Fetch https://example.com/a.json?b=1. Then notify https://hooks.example.com/x about it.',
    [
      ['http.fetch', { url: 'https://example.com/a.json?b=1' }],
      ['notify.webhook', { url: 'https://hooks.example.com/x', body: { results: { s1: { $from: 's1' } } } }],
    ],
  ],
  ['hash "hello there"', [['content.digest', { value: 'hello there' }]]],
  [
    'Make a picture of a lighthouse at dusk',
    [['media.generate', { capability: 'image.generate', prompt: 'a lighthouse at dusk' }]],
  ],
  [
    'Create a 6-second vertical film about running shoes in 1080p and compose calm music for it',
    [
      [
        'media.generate',
        {
          capability: 'video.generate',
          prompt: 'running shoes in 1080p',
          aspect: '9:16',
          seconds: 6,
          resolution: 1_080,
        },
      ],
      ['media.generate', { capability: 'music.generate', prompt: 'compose calm music for it' }],
    ],
  ],
  [
    'Record a voice-over that says "Hello. We are open, and then we close." Then take a snapshot of SPX',
    [
      ['media.generate', { capability: 'tts.synthesize', prompt: 'Hello. We are open, and then we close.' }],
      ['analytics.snapshot', { symbol: 'SPX' }],
    ],
  ],
  [
    'compose 20 s of music',
    [['media.generate', { capability: 'music.generate', prompt: 'compose 20 s of music', seconds: 20 }]],
  ],
])('%s', (goal, expected) => {
  expect(steps(goal)).toEqual(expected);
  expect(planGoal(goal, { symbols }).unmapped).toEqual([]);
});

test('a part that names no symbol takes that of the part before, or of the inputs, and says so', () => {
  const plan = planGoal('Take a snapshot of SPY and show the surface', { symbols });
  expect(plan.steps.map(({ input }) => input)).toEqual([{ symbol: 'SPY' }, { symbol: 'SPY' }]);
  expect(plan.notes).toEqual(['s2: SPY taken from the clause before']);
  expect(steps('take a snapshot', 'QQQ')).toEqual([['analytics.snapshot', { symbol: 'QQQ' }]]);
  expect(steps('take a snapshot')).toEqual([]);
});

test('what no rule understands is named, never guessed', () => {
  const plan = planGoal('Make me a sandwich. Take a snapshot of SPX. 株価を教えて', { symbols });
  expect(plan.steps).toHaveLength(1);
  expect(plan.unmapped).toEqual(['Make me a sandwich', '株価を教えて']);
  expect(planGoal('record a voice-over', { symbols })).toMatchObject({ steps: [], unmapped: ['record a voice-over'] });
  expect(planGoal('hash it', { symbols })).toMatchObject({ steps: [], unmapped: ['hash it'] });
});

test('a message waits for everything before it', () => {
  const { steps: planned } = planGoal('snapshot SPX; snapshot SPY; post it to https://hooks.example.com', { symbols });
  expect(planned.at(-1)).toMatchObject({ capability: 'notify.webhook', dependsOn: ['s1', 's2'] });
});

test('any text is planned without an error, with names of their own, each part once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (goal) => {
      const { steps: planned } = planGoal(goal, { symbols, symbol: 'SPX' });
      expect(new Set(planned.map(({ id }) => id)).size).toBe(planned.length);
    }),
  );
});

test('a long goal is read in time that grows with its length', () => {
  const goal = `${' '.repeat(50_000)}${'and then . drops 3% https:// '.repeat(4_000)}`;
  expect(planGoal(goal, { symbols, symbol: 'SPX' }).steps.length).toBeGreaterThan(0);
});

test('what comes "then" waits for what came before; what comes beside it does not', () => {
  const dependencies = (goal: string) => planGoal(goal, { symbols }).steps.map(({ dependsOn = [] }) => dependsOn);
  expect(dependencies('snapshot SPX, then stress SPX. Then show the surface')).toEqual([[], ['s1'], ['s2']]);
  expect(dependencies('snapshot SPX and show the surface')).toEqual([[], []]);
});
