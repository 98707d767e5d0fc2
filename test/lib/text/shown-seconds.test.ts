import { expect, test } from 'vitest';
import { shownSeconds } from '#src/lib/text/shown-seconds.ts';

test.each([
  [0.001, '1 ms'],
  [0.25, '250 ms'],
  [1.44, '1.4 s'],
  [99, '99 s'],
  [1_500, '25 min'],
  [11_000, '3.1 h'],
])('%d s is %s', (seconds, shown) => expect(shownSeconds(seconds)).toBe(shown));
