import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReceipt, parseStrict } from '#src/receipts/verify/parse-strict.ts';

const exactJson = fc
  .jsonValue()
  .map(
    (value) =>
      JSON.parse(
        JSON.stringify(value, (_name, one) => (typeof one === 'number' ? Math.trunc(one % 1e9) || 0 : one)),
      ) as unknown,
  );

test('property: what names nothing twice is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(exactJson, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseStrict(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['{"a":1,"a":1}', 'got "a" again at character 7'],
  ['{"a":{"b":1},"c":[{"d":1,"d":2}]}', 'got "d" again'],
  ['{"a":1 , "\\u0061" : 2}', 'got "\\u0061" again'],
  ['{"a":{},"b":{},"a":{}}', 'got "a" again'],
  ['{"__proto__":1,"__proto__":1}', 'got "__proto__" again'],
  ['[1.0]', 'got 1.0'],
  ['[1e2]', 'got 1e2'],
  ['[-0]', 'got -0'],
  ['[9007199254740993]', 'got 9007199254740993'],
])('error: %s', (text, message) => {
  expect(() => parseStrict(text)).toThrow(message);
});

test.each(['{"a":1,}', '{a:1}', '', '[01]', "['a']", '{"a":1}x', '[NaN]'])('error: %s is no JSON', (text) => {
  expect(() => parseStrict(text)).toThrow(SyntaxError);
});

test('names may repeat in different objects, and in texts', () => {
  const text = '{"a":{"a":1},"b":[{"a":"\\"a\\":1,\\"a\\":2"},{"a":2}]}';
  expect(parseStrict(text)).toEqual(JSON.parse(text));
});

test('a byte order mark before the text is no part of it, and anywhere else is what it is', () => {
  const text = '{"version":"receipt/v1","note":"\uFEFF"}';
  expect(parseReceipt(`\uFEFF${text}`)).toEqual({ version: 'receipt/v1', note: '\uFEFF' });
  expect(() => parseStrict('\uFEFF{"a":1,"a":1}')).toThrow('got "a" again at character 7');
  for (const wrong of [`\uFEFF\uFEFF${text}`, `${text}\uFEFF`, '{\uFEFF"a":1}', '\uFEFF'])
    expect(() => parseStrict(wrong)).toThrow(SyntaxError);
});

test('a long text and a deep value are read', () => {
  const long = JSON.stringify({ a: '\\"'.repeat(500_000) });
  expect(parseStrict(long)).toEqual(JSON.parse(long));
  expect(parseStrict('['.repeat(5_000) + ']'.repeat(5_000))).toBeInstanceOf(Array);
});

test('the opinion of the service that a receipt came from is set aside', () => {
  expect(parseReceipt('{"version":"receipt/v1","attestation":{"anchor":{"verdict":"pass"}}}')).toEqual({
    version: 'receipt/v1',
  });
  expect(parseReceipt('[1]')).toEqual([1]);
});
