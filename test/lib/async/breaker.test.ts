import { expect, test } from 'vitest';
import { type BreakerOptions, CircuitOpen, openBreaker } from '#src/lib/async/breaker.ts';

const away = new Error('away');
const fails = () => Promise.reject(away);
const works = () => Promise.resolve('done');

function watched() {
  const clock = { now: 0 };
  const told: boolean[] = [];
  const options: BreakerOptions = {
    name: 'It',
    failures: 3,
    pauseMs: 100,
    isFailure: (error) => error === away,
    changed: (isOpen) => void told.push(isOpen),
    now: () => clock.now,
  };
  return { clock, told, guarded: openBreaker(options) };
}

test('after failures in a row nothing is asked any more, until one asks alone and finds it well', async () => {
  const { clock, told, guarded } = watched();
  await expect(guarded(fails)).rejects.toBe(away);
  expect(await guarded(works)).toBe('done');
  for (let n = 0; n < 3; n++) await expect(guarded(fails)).rejects.toBe(away);
  await expect(guarded(() => expect.unreachable())).rejects.toMatchObject({ code: 'unavailable', waitMs: 100 });

  clock.now = 100;
  const trial = Promise.withResolvers<string>();
  const tried = guarded(() => trial.promise);
  await expect(guarded(() => expect.unreachable())).rejects.toBeInstanceOf(CircuitOpen);
  trial.resolve('well');
  expect(await tried).toBe('well');
  expect(await Promise.all([guarded(works), guarded(works)])).toEqual(['done', 'done']);
  expect(told).toEqual([true, false]);
});

test('a try that fails opens it for another pause', async () => {
  const { clock, told, guarded } = watched();
  await Promise.allSettled([1, 2, 3, 4].map(() => guarded(fails)));
  clock.now = 150;
  await expect(guarded(fails)).rejects.toBe(away);
  clock.now = 249;
  await expect(guarded(() => expect.unreachable())).rejects.toMatchObject({ waitMs: 1 });
  clock.now = 250;
  expect(await guarded(works)).toBe('done');
  expect(told).toEqual([true, false]);
});

test('an error that is no failure of what is asked neither opens nor closes it', async () => {
  const { clock, told, guarded } = watched();
  const other = new Error('too long');
  for (let n = 0; n < 9; n++) await expect(guarded(() => Promise.reject(other))).rejects.toBe(other);
  for (let n = 0; n < 3; n++) await expect(guarded(fails)).rejects.toBe(away);
  clock.now = 100;
  await expect(guarded(() => Promise.reject(other))).rejects.toBe(other);
  // still half open: one at a time
  const held = Promise.withResolvers<string>();
  const tried = guarded(() => held.promise);
  await expect(guarded(() => expect.unreachable())).rejects.toBeInstanceOf(CircuitOpen);
  held.resolve('well');
  await tried;
  expect(told).toEqual([true, false]);
});
