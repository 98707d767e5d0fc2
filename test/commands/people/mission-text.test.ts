import { expect, test } from 'vitest';
import { missionText } from '#src/commands/people/mission-text.ts';

type Answer = Parameters<typeof missionText>[0];

const step = { jobId: null, input: null, output: null, outputSaltedSha256: null, effectSha256: null };

test('a mission is shown with its steps, and what waits for its human', () => {
  const mission = {
    missionId: 'm-1',
    state: 'awaiting_human',
    goal: 'Take a snapshot,\nthen tell \u001b[31m',
    budgetUsd: 5,
    spentUsd: 0.25,
    error: null,
    answer: 'SPX at 5,000.',
    plan: {
      unmapped: ['every morning'],
      notes: ['It waits for a yes.'],
      steps: [
        { id: 's1', capability: 'market.snapshot' },
        { id: 's2', capability: 'notify.webhook' },
      ],
    },
    steps: [
      { ...step, id: 's1', state: 'succeeded', challenge: null, error: null },
      { ...step, id: 's2', state: 'awaiting_human', challenge: { id: 'c' }, error: null },
    ],
  };
  expect(missionText(mission as unknown as Answer).split('\n')).toEqual([
    'mission   m-1',
    'state     awaiting human',
    'goal      Take a snapshot, then tell \u{FFFD}[31m',
    'spent     $ 0.25 of 5',
    'left out  every morning',
    'note      It waits for a yes.',
    'answer    SPX at 5,000.',
    '',
    'step  capability       state',
    's1    market.snapshot  succeeded',
    's2    notify.webhook   awaiting human  awaits its human: proofline mission approve',
  ]);
});

test('a receipt is shown by what names it', () => {
  const receipt = {
    version: 'receipt/v1',
    id: 'r-1',
    root: '0xab',
    seal: { kid: 'key-1' },
    events: [{}, {}],
    anchor: null,
  };
  const text = missionText(receipt as unknown as Answer);
  expect(text).toMatch(/^receipt +r-1\nevents +2\nroot +0xab\nsealed by +key-1\nanchored in +nothing yet$/m);
});
