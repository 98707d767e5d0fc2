import { expect, test } from 'vitest';
import { durationMs } from '#src/lib/duration.ts';

test.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
])('%s is a length of %d ms', (text, ms) => expect(durationMs(text)).toBe(ms));

test.each(['', '5', 'm', '-5m', '1.m', '5 m', '5w', '5m5', '٥m'])('error: %s is no length of time', (text) =>
  expect(durationMs(text)).toBeNaN(),
);
