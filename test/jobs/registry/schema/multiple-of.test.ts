import { expect, test } from 'vitest';
import { compileFault, foreignMisfit } from '#src/jobs/registry/schema/foreign-check.ts';

test.each([
  [19.99, 0.01],
  [0.07, 0.01],
  [4.35, 0.01],
  [-4.35, 0.01],
  [12_345_678.91, 0.01],
  [0.3, 0.1],
  [1.1, 0.1],
  [7, 0.5],
  [10, 5],
  [0, 0.01],
  [1e-7, 1e-8],
  [1e300, 1e-300],
  [1e22, 10],
])('%d is a multiple of %d', (value, multipleOf) => {
  const schema = { type: 'number', multipleOf };
  expect(compileFault(schema)).toBeNull();
  expect(foreignMisfit(schema, value)).toBeNull();
});

test.each([
  [19.995, 0.01],
  [0.30000000000000004, 0.1],
  [7.25, 0.5],
  [11, 5],
  [5e-324, 1],
  [1e22, 3],
])('error: %d is no multiple of %d', (value, multipleOf) => {
  expect(foreignMisfit({ multipleOf }, value)).toEqual({ path: '', message: `must be multiple of ${multipleOf}` });
});

test('a long list of prices is checked, and what is no number is none of its business', () => {
  const schema = { items: { multipleOf: 0.01 } };
  const prices = Array.from({ length: 20_000 }, (_, index) => (index + 1) / 100);
  expect(foreignMisfit(schema, prices)).toBeNull();
  expect(foreignMisfit(schema, [...prices, 0.005])?.path).toBe('/20000');
  expect(foreignMisfit(schema, ['0.005', null])).toBeNull();
});

test('error: many numbers of hundreds of digits are given up within bounds', () => {
  const numbers = Array.from({ length: 20_000 }, () => 1.7976931348623157e308);
  expect(foreignMisfit({ items: { multipleOf: 5e-324 } }, numbers)?.message).toContain('evaluations');
});
