import { expect, test } from 'vitest';
import { loopsOf } from '#src/api/serve.ts';

const jobs = [
  'sweep',
  'waker',
  'flows',
  'schedules',
  'relay',
  'operations',
  'history',
  'sealingJobs',
  'governingJobs',
  'notifications',
];
const sealing = ['anchors', 'manifestAnchors', 'assetRetention', 'closingCalls', 'endingUnknownCalls'];

test.for([
  [['analytics'], [...jobs, 'liveFeed']],
  [['missions'], [...jobs, 'conductor', ...sealing]],
  [['studio'], [...jobs, 'studio', ...sealing]],
  [['platform'], [...jobs, 'webhooks', 'platform', ...sealing]],
] as const)('a process that serves %j runs the loops of its surfaces and no others', ([surfaces, expected]) => {
  expect(new Set(loopsOf(surfaces))).toEqual(new Set(expected));
});

test('with every surface every loop runs', () => {
  expect(loopsOf(['studio', 'missions', 'platform', 'analytics'])).toHaveLength(20);
});
