import { expect, test } from 'vitest';
import { compileFault, foreignMisfit } from '#src/jobs/registry/schema/foreign-check.ts';
import { schemaFault } from '#src/jobs/registry/schema/foreign-schema.ts';

const times = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

test.each([
  [
    'the length of a long text, again and again',
    { allOf: times(250, () => ({ minLength: 1 })) },
    'ab'.repeat(1_000_000),
  ],
  [
    'the members of a large object, again and again',
    { allOf: times(250, () => ({ minProperties: 1 })) },
    Object.fromEntries(times(20_000, (index) => [`m${index}`, 1])),
  ],
  [
    'each large item with every other',
    { type: 'array', maxItems: 1_000, uniqueItems: true },
    times(500, (index) => [index, ...times(2_000, () => 0)]),
  ],
  [
    'each item with many objects',
    { items: { not: { enum: times(900, (index) => ({ a: index, b: {}, c: {} })) } } },
    times(20_000, (index) => ({ a: -1 - index, b: {}, c: {} })),
  ],
  [
    'long addresses by many parts',
    { items: { allOf: times(250, () => ({ format: 'uri' })) } },
    times(200, () => `http://a.example/${'x'.repeat(8_000)}`),
  ],
])('error: a schema that compares %s is given up within bounds', (_what, schema, value) => {
  expect(schemaFault(schema, '')).toBeNull();
  expect(compileFault(schema)).toBeNull();
  expect(foreignMisfit(schema, value)?.message).toContain('evaluations');
});

test.each([
  ['a text of a megabyte', { type: 'string', minLength: 1, maxLength: 2_000_000 }, 'x'.repeat(1_000_000)],
  [
    'items that are all different',
    { type: 'array', maxItems: 1_000, uniqueItems: true },
    times(1_000, (index) => ({ name: `n${index}`, place: [index, 1] })),
  ],
  [
    'a code of many',
    { type: 'array', items: { enum: times(1_000, (index) => `code-${index}`) } },
    ['code-1', 'code-999'],
  ],
  [
    'many objects that take no more',
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'string', format: 'uri' }, b: {} },
        additionalProperties: false,
      },
    },
    times(50_000, (index) => ({ a: 'https://a.example/b', b: index })),
  ],
])('%s is checked as before', (_what, schema, value) => {
  expect(foreignMisfit(schema, value)).toBeNull();
});

test('error: a definition is compiled once, in however many places it is used', () => {
  const wide = {
    properties: Object.fromEntries(times(140, (index) => [`p${index}`, { type: 'string', maxLength: 3 }])),
  };
  const schema = {
    $defs: { wide },
    properties: Object.fromEntries(times(140, (index) => [`q${index}`, { $ref: '#/$defs/wide' }])),
  };
  expect(schemaFault(schema, '')).toBeNull();
  expect(compileFault(schema)).toBeNull();
  expect(foreignMisfit(schema, { q139: { p139: 'long' } })?.path).toBe('/q139/p139');
});
