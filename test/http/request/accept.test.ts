import { expect, test } from 'vitest';
import { wishFor } from '#src/http/request/negotiate.ts';

test.each([
  ['text/csv', 1],
  ['TEXT/CSV; charset=utf-8', 1],
  ['application/json, text/csv;q=0.5', 0.5],
  ['text/csv ; header=present ; Q=0.25', 0.25],
  ['text/csv;q=0', 0],
  ['text/csv;q=0.000', 0],
  ['text/csv;q=lots', 0],
  ['text/csv-schema', 0],
  ['*/*', 0],
  ['', 0],
  [undefined, 0],
])('an Accept of %s wants CSV by %d', (header, wish) => {
  expect(wishFor('text/csv', header)).toBe(wish);
});
