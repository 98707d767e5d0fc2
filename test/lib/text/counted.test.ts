import { expect, test } from 'vitest';
import { counted } from '#src/lib/text/counted.ts';

test.for([
  [counted(0, 'hour'), '0 hours'],
  [counted(1, 'hour'), '1 hour'],
  [counted(24, 'hour'), '24 hours'],
  [counted(1.5, 'day'), '1.5 days'],
  [counted('1', 'day'), '1 day'],
  [counted(1, 'property', 'properties'), '1 property'],
  [counted(2, 'property', 'properties'), '2 properties'],
] as const)('a number and its noun: %s', ([written, expected]) => {
  expect(written).toBe(expected);
});
