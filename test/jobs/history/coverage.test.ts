import { expect, test } from 'vitest';
import { coverageOf } from '#src/jobs/history/coverage.ts';

const span = (since: number, until: number) => ({ since: new Date(since), until: new Date(until) });

test.each([
  ['within a span', 10, 20, 'whole'],
  ['to its end', 90, 100, 'whole'],
  ['the minute that is not over', 95, 105, 'part'],
  ['before anything was counted', -20, 0, 'none'],
  ['between two spans', 100, 200, 'none'],
  ['over a gap', 90, 210, 'part'],
  ['what was forgotten', 0, 5, 'none'],
  ['what was forgotten in part', 0, 8, 'part'],
] as const)('%s', (_, from, to, known) => {
  expect(coverageOf([span(0, 100), span(200, 300)], 5)(from, to)).toBe(known);
});
