import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurns } from '#src/lib/async/in-turns.ts';

test('many are mapped in their order, while others are let in', async () => {
  let isOver = false;
  let turns = 0;
  const other = (async () => {
    for (; !isOver; turns++) await setImmediate();
  })();
  const busy = (n: number) => {
    for (const until = performance.now() + 3; performance.now() < until; );
    return n * 2;
  };
  expect(await inTurns([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], busy)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  isOver = true;
  await other;
  expect(turns).toBeGreaterThan(1);
  const wrong = inTurns([1], () => {
    throw new Error('no');
  });
  await expect(wrong).rejects.toThrow('no');
});
