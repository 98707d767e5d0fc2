import { expect, test } from 'vitest';
import { freshAnswer } from '#src/lib/async/fresh-answer.ts';

test('those who come while an answer is under way share the next one, which is asked for after it', async () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const ask = freshAnswer(async () => {
    const one = Promise.withResolvers<number>();
    asked.push(one);
    return await one.promise;
  });
  const turn = async () => await new Promise((resolve) => setImmediate(resolve));
  const first = [ask(), ask()];
  await turn();
  const later = [ask(), ask()];
  await turn();
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(1);
  expect(await Promise.all(first)).toEqual([1, 1]);
  await turn();
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('error: a failed answer is told to those who shared it, and the next one is asked for', async () => {
  let times = 0;
  const ask = freshAnswer(async () => {
    times++;
    if (times === 1) throw new Error('away');
    return times;
  });
  await expect(ask()).rejects.toThrow('away');
  expect(await ask()).toBe(2);
});
