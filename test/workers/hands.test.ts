import { expect, test } from 'vitest';
import { openHands } from '#workers/run/hands.ts';

test('hands go to those who wait longest, as many as are free, and never more than there are', async () => {
  const hands = openHands(3);
  expect([hands.takeFree(2), await hands.take(5), hands.takeFree(1)]).toEqual([2, 1, 0]);
  const [first, second] = [hands.take(2), hands.take(2)];
  hands.give(3);
  expect([await first, await second]).toEqual([2, 1]);
  hands.give(3);
  expect(hands.takeFree(9)).toBe(3);
});

test('closed hands end every wait, and are refused from then on', async () => {
  const hands = openHands(1);
  expect(await hands.take(1)).toBe(1);
  const waiting = hands.take(1);
  hands.close();
  hands.give(1);
  expect([await waiting, await hands.take(1), hands.takeFree(1)]).toEqual([0, 0, 0]);
});

test('without a bound there are as many as anyone wants', async () => {
  const hands = openHands(Number.POSITIVE_INFINITY);
  expect([await hands.take(256), hands.takeFree(256)]).toEqual([256, 256]);
  hands.give(512);
  expect(hands.takeFree(7)).toBe(7);
});
