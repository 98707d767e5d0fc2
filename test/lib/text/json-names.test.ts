import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedName } from '#src/lib/text/json-names.ts';

test.each([
  ['{"a": 1, "a": 2}', '"a"', 9],
  ['{"a": [{"b": {}, "\\u0062" : 1}]}', '"\\u0062"', 17],
  ['{"x": "}", "\\"": 1, "\\"":2}', '"\\""', 20],
])('error: %s has a name twice', (text, words, index) => {
  expect(repeatedName(text)).toEqual({ words, index });
});

test('any value as JSON has no name twice, whatever its texts hold', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(repeatedName(JSON.stringify(value, null, 1))).toBeNull();
    }),
  );
});

test('a long text of escapes is read without exhausting the stack', () => {
  expect(repeatedName(JSON.stringify({ a: '\\'.repeat(5_000_000), b: 1 }))).toBeNull();
});
