import { expect, test } from 'vitest';
import { assertStorable } from '#src/lib/assert-storable.ts';

test.for([
  ['prompt', { prompt: 'a\0b' }],
  ['prompt', { prompt: 'a \ud800 b' }],
  ['params', { params: { one: [{ two: 'a\0' }] } }],
  ['params', { params: { 'a\0b': 1 } }],
  ['body', { '\udfff': 1 }],
  ['body', '\0'],
] as const)('error: %s of %j cannot be kept', ([field, input]) => {
  expect(() => assertStorable(input)).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: expect.objectContaining({ field }) }),
  );
});

test('everything else can, however deep', () => {
  const fine = [
    null,
    { prompt: 'שלום 🌊 \u0001\u202e\uffff', list: [1, null, true, ''], nothing: undefined },
    JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ];
  for (const input of fine) expect(() => assertStorable(input)).not.toThrow();
});
