import { expect, test } from 'vitest';
import { fleets } from '#queues/fleets.ts';
import { queues } from '#queues/index.ts';
import { handlers } from '#workers/handlers.ts';

test('every work is of a known queue and in a fleet, so that no job waits for a worker that nobody starts', () => {
  const names = handlers.map(({ queue }) => queue.name);
  expect(names.filter((name) => !queues.has(name))).toEqual([]);
  const consumed = Object.values(fleets).flat();
  expect(names.filter((name) => !consumed.includes(name))).toEqual([]);
});
