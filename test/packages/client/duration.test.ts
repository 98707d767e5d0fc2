import { type Duration, milliseconds } from '@proofline/client';
import { expect, test } from 'vitest';

test.each<[Duration, number]>([
  [0, 0],
  [1.4, 1],
  ['250ms', 250],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
])('%s is %i ms', (duration, ms) => {
  expect(milliseconds(duration)).toBe(ms);
});

test.each(['', 's', '-1s', '1 s', '2 minutes', '1e3s', '٣s', -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'error: %j is no length of time',
  (text) => {
    expect(() => milliseconds(text as Duration)).toThrow(/expected a length of time such as .*, got/);
  },
);
