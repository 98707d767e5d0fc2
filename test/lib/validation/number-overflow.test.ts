import { expect, test } from 'vitest';
import { findOverflow } from '#src/lib/validation/number-overflow.ts';
import { parseLine } from '#src/platform/batches/parse-line.ts';

test.each([
  ['{"a":[0,{"b":1e999}]}', '.a[1].b'],
  ['{"a":-1E+0999}', '.a'],
  [`[${'9'.repeat(400)}]`, '[0]'],
  ['1e309', ''],
  ['{"a":1e308,"b":1e-999,"c":"1e999"}', null],
  [`"${'9'.repeat(400)}"`, null],
])('%s holds a number that is too large at %s', (text, at) => {
  expect(findOverflow(text, JSON.parse(text))).toBe(at);
});

test('a line of a batch with such a number is told, and not sent with null in its place', () => {
  const body = '{"model":"m","messages":[{"role":"user","content":"hi"}],"metadata":{"a":1e999}}';
  const text = `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":${body}}`;
  expect(parseLine({ number: 1, text }, null, 1_000)).toMatchObject({
    customId: '1',
    code: 'invalid_request',
    message: 'body.metadata.a: expected a finite number, got one beyond 1.8e308.',
  });
});
