import { expect, test } from 'vitest';
import { pacedAnswer } from '#src/lib/async/paced-answer.ts';

/** An answer that takes so many milliseconds of a clock that only the test moves. */
function world(took: number, longest = 1_000) {
  let at = 0;
  let asked = 0;
  const read = pacedAnswer({ rest: 10, longest, now: () => at }, async () => {
    asked++;
    at += took;
    return asked;
  });
  return { read, pass: (ms: number) => (at += ms) };
}

test('an answer stands for a multiple of the time that it took', async () => {
  const { read, pass } = world(7);
  expect(await read()).toBe(1);
  pass(69);
  expect(await read()).toBe(1);
  pass(1);
  expect(await read()).toBe(2);
});

test('a costly answer stands for no longer than is said', async () => {
  const { read, pass } = world(500);
  await read();
  pass(1_000);
  expect(await read()).toBe(2);
});

test('callers at the same time share one answer, and a failure is asked for again', async () => {
  let asked = 0;
  const read = pacedAnswer({ rest: 10, longest: 1_000, now: () => 0 }, async () => {
    asked++;
    if (asked === 1) throw new Error('away');
    return asked;
  });
  const both = await Promise.allSettled([read(), read()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read()).toBe(2);
});
