import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findInexact, inexactByItem } from '#src/lib/text/inexact-integer.ts';

test.each([
  ['{"id":12345678901234567890}', '.id'],
  ['[1,[2,{"a":"x,\\"]","b":[0,-9007199254740993]}]]', '[1][1].b[1]'],
  ['9007199254740993', ''],
  ['{"a":"12345678901234567890","b":9223372036854775807}', '.b'],
  ['{"\\u0061":[[],{},9223372036854775807]}', '.a[2]'],
])('an integer that no double holds is found with its place: %s', (text, place) => {
  expect(findInexact(text)).toMatchObject({ place });
});

test.each([
  '9007199254740991',
  '9007199254740992',
  '1152921504606846976',
  '12345678901234567000',
  '{"a":"12345678901234567890"}',
  '{"12345678901234567890":1}',
  '1.2345678901234567890',
  '12345678901234567890.5',
  '12345678901234567890e3',
  '1e1234567890123456',
  '0.00000000000000000001',
])('what a double holds, or is written as a measure or as text, is taken: %s', (text) => {
  expect(findInexact(text)).toBe(null);
});

test('only the part that is asked for is looked at', () => {
  const text = '{"id":12345678901234567890,"params":{"n":[12345678901234567891]}}';
  expect(findInexact(text, '.params')).toEqual({ place: '.params.n[0]', words: '12345678901234567891' });
  expect(findInexact(text, '.more')).toBe(null);
});

test('of a list the first of each item is found, with its way and its JSON pointer within the item', () => {
  const big = '12345678901234567890';
  const text = `{"id":${big},"others":[${big}],"reports":[{"a/b":[0,${big}],"c":${big}},1,[${big}],{"reports":[${big}]}],"last":${big}}`;
  expect([...inexactByItem(text, 'reports')]).toEqual([
    [0, { place: '.a/b[1]', pointer: '/a~1b/1', words: big }],
    [2, { place: '[0]', pointer: '/0', words: big }],
    [3, { place: '.reports[0]', pointer: '/reports/0', words: big }],
  ]);
  expect(inexactByItem(`{"reports":{"a":[${big}]}}`, 'reports').size).toBe(0);
  expect(inexactByItem(`[[${big}]]`, 'reports').size).toBe(0);
});

test('one is found wherever in the text it begins', () => {
  for (let before = 0; before < 40; before++)
    expect(findInexact(`["${'x'.repeat(before)}",9007199254740993]`)).toMatchObject({ place: '[1]' });
});

test('nothing that JSON.stringify writes is refused', () => {
  const values = fc.oneof(
    fc.jsonValue(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => [Math.round(value)]),
  );
  fc.assert(
    fc.property(values, (value) => {
      expect(findInexact(JSON.stringify(value))).toBe(null);
    }),
  );
});
