import { expect, test } from 'vitest';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';

test('a caller in time gets the answer of the first; a later one a new answer', async () => {
  let asked = 0;
  const shared = sharedAnswer(60_000, async () => ++asked);
  expect(await Promise.all([shared(), shared()])).toEqual([1, 1]);
  const fresh = sharedAnswer(0, async () => ++asked);
  expect([await fresh(), await fresh()]).toEqual([2, 3]);
});
