import fc from 'fast-check';
import { expect, test } from 'vitest';
import { narrowing } from '#src/jobs/registry/schema/compatible.ts';
import { foreignMisfit } from '#src/jobs/registry/schema/foreign-check.ts';
import { schemaFault } from '#src/jobs/registry/schema/foreign-schema.ts';
import type { ForeignSchema } from '#src/jobs/registry/schema/keywords.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

test.each([
  ['an optional property more', object({ a: { type: 'string' } }), object({ a: { type: 'string' }, b: {} })],
  ['a wider bound', { type: 'integer', minimum: 3 }, { type: 'number', minimum: 1 }],
  ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }],
  ['a type more', { type: 'string' }, { type: ['string', 'null'] }],
  ['no longer required', object({ a: {} }, { required: ['a'] }), object({ a: {} })],
  ['other words', { type: 'string', title: 'A' }, { type: 'string', description: 'B' }],
  [
    'a tree with more in its nodes',
    object({ next: { $ref: '#' }, a: { maximum: 1 } }),
    object({ next: { $ref: '#' }, a: { maximum: 2 } }),
  ],
  ['a value that nothing else took', { type: 'string', enum: ['a', 1] }, { type: 'string', enum: ['a'] }],
  [
    'a list of a thousand values with one more',
    { enum: Array.from({ length: 999 }, (_, index) => index) },
    { enum: Array.from({ length: 1_000 }, (_, index) => 999 - index) },
  ],
  [
    'a property more beside unevaluatedProperties',
    object({ a: {} }, { unevaluatedProperties: false }),
    object({ a: {}, b: {} }, { unevaluatedProperties: false }),
  ],
  ['an open object', object({}, { additionalProperties: false }), object({})],
])('%s takes what was taken before', (_what, earlier, later) => {
  expect(narrowing(earlier, later, '/payload')).toBeNull();
});

test.each([
  ['/payload/required', object({ a: {} }), object({ a: {} }, { required: ['a'] })],
  ['/payload/properties/a/minimum', object({ a: { type: 'integer' } }), object({ a: { type: 'integer', minimum: 1 } })],
  ['/payload/type', { type: ['string', 'null'] }, { type: 'string' }],
  ['/payload/enum', { enum: ['a', 'b'] }, { enum: ['a'] }],
  ['/payload/enum', { type: 'string' }, { enum: ['a'] }],
  ['/payload/additionalProperties', object({ a: {} }), object({ a: {} }, { additionalProperties: false })],
  [
    '/payload/additionalProperties',
    object({ a: {} }, { additionalProperties: false }),
    object({}, { additionalProperties: false }),
  ],
  ['/payload/items/maxLength', { items: { maxLength: 9 } }, { items: { maxLength: 8 } }],
  ['/payload/pattern', { pattern: 'a' }, { pattern: 'b' }],
  [
    '/payload/$defs',
    { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } },
    { $ref: '#/$defs/a', $defs: { a: false } },
  ],
  ['/payload', {}, false],
  ['/payload/minContains', { contains: { type: 'string' }, minContains: 0 }, { contains: { type: 'string' } }],
  [
    '/payload/patternProperties',
    { patternProperties: { '^a': true }, additionalProperties: false },
    { additionalProperties: false },
  ],
  ['/payload/prefixItems', { prefixItems: [{ type: 'string' }], items: false }, { items: false }],
  [
    '/payload/allOf',
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { unevaluatedProperties: false },
  ],
  [
    '/payload/properties/abc',
    object({}, { patternProperties: { '^a': { type: 'number' } } }),
    object({ abc: { type: 'string' } }, { patternProperties: { '^a': { type: 'number' } } }),
  ],
  [
    '/payload/$defs',
    object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string' } } }),
    object({ a: { $ref: '#/$defs/x' }, b: {} }, { $defs: { x: { type: 'number' } } }),
  ],
  [
    '/payload/properties/a',
    { properties: { a: {} }, unevaluatedProperties: false },
    { properties: {}, unevaluatedProperties: false },
  ],
  [
    '/payload/additionalProperties',
    { additionalProperties: true, unevaluatedProperties: false },
    { unevaluatedProperties: false },
  ],
  ['/payload/items', { items: {}, unevaluatedItems: false }, { unevaluatedItems: false }],
  [
    '/payload/properties/b/not/$ref',
    object({ a: { maximum: 1 }, b: { not: { $ref: '#/properties/a' } } }),
    object({ a: { maximum: 2 }, b: { not: { $ref: '#/properties/a' } } }),
  ],
  [
    '/payload/properties/c/oneOf/0/properties/x/$ref',
    object({ a: { maximum: 1 }, c: { oneOf: [object({ x: { $ref: '#/properties/a' } }), {}] } }),
    object({ a: {}, c: { oneOf: [object({ x: { $ref: '#/properties/a' } }), {}] } }),
  ],
  [
    '/payload/properties/c/$ref',
    object({ a: { properties: { x: {} } }, c: { $ref: '#/properties/a', unevaluatedProperties: false } }),
    object({ a: {}, c: { $ref: '#/properties/a', unevaluatedProperties: false } }),
  ],
  [
    '/payload/enum',
    { $ref: '#/$defs/a', enum: ['x', 'y'], $defs: { a: { type: 'string' } } },
    { $ref: '#/$defs/a', enum: ['x'], $defs: { a: { type: 'string' } } },
  ],
])('error: a narrower schema is named at %s', (path, earlier, later) => {
  expect(narrowing(earlier, later, '/payload')?.path).toBe(path);
});

test.each([
  [
    'definitions under their newer name',
    { $ref: '#/definitions/a', definitions: { a: { type: 'string' } } },
    { $ref: '#/$defs/a', $defs: { a: { type: 'string', title: 'A' } } },
  ],
  [
    'a reference by an anchor',
    { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } },
    { $ref: '#a', $defs: { a: { $anchor: 'a', type: 'string' } } },
  ],
  ['another name of its own', { $id: 'urn:a', type: 'string' }, { $id: 'urn:b', type: 'string' }],
  ['a discriminator', { anyOf: [{}] }, { anyOf: [{}], discriminator: { propertyName: 'kind' } }],
  ['a format that nothing checks', { format: 'binary' }, { format: 'password' }],
])('%s takes the same', (_what, earlier, later) => {
  expect(narrowing(earlier, later, '/payload')).toBeNull();
  expect(narrowing(later, earlier, '/payload')).toBeNull();
});

test('error: a changed definition is named as its contract has it', () => {
  const schema = (type: string) => ({ items: { $ref: '#/definitions/a' }, definitions: { a: { type } } });
  expect(narrowing(schema('string'), schema('number'), '/payload')?.path).toBe('/payload/definitions');
});

const value = fc.jsonValue({ maxDepth: 2, noUnicodeString: true });
const scalar = fc.oneof(fc.constantFrom('a', 'b', '', null, true), fc.integer({ min: -3, max: 3 }));
const schema: fc.Arbitrary<ForeignSchema> = fc.letrec<{ schema: ForeignSchema }>((tie) => ({
  schema: fc.record(
    {
      type: fc.constantFrom('object', 'array', 'string', 'integer', 'number', ['string', 'null']),
      enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
      minimum: fc.integer({ min: -2, max: 2 }),
      maxLength: fc.integer({ min: 0, max: 2 }),
      minItems: fc.integer({ min: 0, max: 2 }),
      required: fc.subarray(['a', 'b']),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: fc.oneof({ maxDepth: 2 }, fc.boolean(), tie('schema')),
      items: fc.oneof({ maxDepth: 2 }, fc.boolean(), tie('schema')),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
})).schema;
const fitting = fc.oneof(
  value,
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), scalar, { noNullPrototype: true }),
);

const keys = [
  'type',
  'enum',
  'minimum',
  'maxLength',
  'minItems',
  'required',
  'properties',
  'additionalProperties',
  'items',
];
const some = fc.subarray(keys, { maxLength: 1 });
const picked = (from: ForeignSchema, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

test('what no narrowing is found between: every value that fitted still fits', () => {
  let decided = 0;
  fc.assert(
    fc.property(
      schema,
      schema,
      some,
      some,
      fc.array(fitting, { minLength: 30, maxLength: 30 }),
      (earlier, other, gone, added, values) => {
        const kept = keys.filter((name) => !gone.includes(name));
        const later = { ...picked(earlier, kept), ...picked(other, added) };
        expect(schemaFault(later, '')).toBeNull();
        if (narrowing(earlier, later, '') !== null) return;
        decided++;
        for (const one of values)
          if (foreignMisfit(earlier, one) === null) expect(foreignMisfit(later, one)).toBeNull();
      },
    ),
    { numRuns: 200 },
  );
  expect(decided).toBeGreaterThan(10);
});
