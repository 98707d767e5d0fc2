import { expect, test } from 'vitest';
import { compileFault, foreignMisfit } from '#src/jobs/registry/schema/foreign-check.ts';
import { schemaFault } from '#src/jobs/registry/schema/foreign-schema.ts';

const deep = (depth: number): object => (depth === 0 ? {} : { not: deep(depth - 1) });
const nestedList = (depth: number): unknown => (depth === 0 ? 1 : [nestedList(depth - 1)]);
const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
const wide = (count: number) => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }])),
});

test.each([
  ['remote reference', { properties: { a: { $ref: 'https://example.com/a.json' } } }, '/payload/properties/a/$ref'],
  ['reference to nothing', { $ref: '#/$defs/a' }, '/payload/$ref'],
  ['reference into a note', { $ref: '#/x-a', 'x-a': { pattern: '(?=a)b' } }, '/payload/$ref'],
  ['reference into a value', { $ref: '#/const/a', const: { a: { type: 'string' } } }, '/payload/$ref'],
  ['reference to a list of schemas', { $ref: '#/allOf', allOf: [{}] }, '/payload/$ref'],
  ['reference that goes up', { $dynamicRef: '#a' }, '/payload/$dynamicRef'],
  ['identity below the root', { items: { $id: 'https://example.com/a' } }, '/payload/items/$id'],
  ['anchor twice', { items: { $anchor: 'a' }, contains: { $anchor: 'a' } }, '/payload/contains/$anchor'],
  ['reference to no anchor', { $ref: '#a', items: { $anchor: 'b' } }, '/payload/$ref'],
  ['endless reference by an anchor', { $anchor: 'a', allOf: [{ $ref: '#a' }] }, '/payload'],
  [
    'endless reference by older definitions',
    { $ref: '#/definitions/a', definitions: { a: { $ref: '#' } } },
    '/payload',
  ],
  [
    'reference through a value to definitions',
    { $ref: '#/const/definitions/a', const: { definitions: { a: {} } } },
    '/payload/$ref',
  ],
  ['definition in two places', { $defs: { a: {} }, definitions: { a: {} } }, '/payload/definitions/a'],
  ['value of 200 levels', { const: nestedList(200) }, '/payload'],
  [
    'many names that depend on one',
    { properties: { a: { dependentRequired: { a: names(900) } } } },
    '/payload/properties/a',
  ],
  [
    'thousands of names on which one depends',
    { dependentRequired: Object.fromEntries(names(3_000).map((name) => [name, ['a']])) },
    '/payload',
  ],
  ['thousands of false schemas', { allOf: Array.from({ length: 9_000 }, () => false) }, /^\/payload\/allOf\/\d+$/],
  ['endless reference', { allOf: [{ $ref: '#' }] }, '/payload'],
  [
    'endless reference over two',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    '/payload',
  ],
  ['look-ahead', { pattern: '(?=a)b' }, '/payload/pattern'],
  ['back-reference', { patternProperties: { '(a)\\1': {} } }, '/payload/patternProperties/(a)\\1'],
  ['repetition of repetitions', { pattern: '((a{100}){100}){100}' }, '/payload/pattern'],
  ['long pattern', { pattern: 'a'.repeat(501) }, '/payload/pattern'],
  ['misspelt keyword', { propertys: {} }, '/payload/propertys'],
  ['other draft', { $schema: 'http://json-schema.org/draft-04/schema#' }, '/payload/$schema'],
  ['items compared one by one', { type: 'array', uniqueItems: true }, '/payload/uniqueItems'],
  ['text for a schema', { items: 'string' }, '/payload/items'],
  ['nothing to choose from', { enum: [] }, '/payload/enum'],
  ['too many schemas', wide(301), '/payload/properties/p299'],
  ['too large', { description: 'x'.repeat(70_000) }, '/payload'],
])('error: a schema with a %s is refused, with the place', (_what, schema, path) => {
  expect(schemaFault(schema, '/payload')?.path).toEqual(typeof path === 'string' ? path : expect.stringMatching(path));
});

test('error: a schema that is 10,000 deep is refused, and no process falls', () => {
  expect(schemaFault(deep(10_000), '/payload')?.message).toMatch(/expected a schema of at most|deep/);
  expect(schemaFault(deep(40), '/payload')?.message).toContain('at most 32 deep');
});

test('a schema as tools write it is taken, and checks what it says', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      url: { type: 'string', format: 'uri' },
      width: { type: 'integer', minimum: 1, description: 'Pixels' },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      next: { $ref: '#' },
      'x-y': { 'x-note': 'ours' },
    },
    required: ['url'],
    additionalProperties: false,
  };
  expect(schemaFault(schema, '/payload')).toBeNull();
  expect(compileFault(schema)).toBeNull();
  expect(foreignMisfit(schema, { url: 'https://a.example', width: 3, next: { url: 'a:b' } })).toBeNull();
  expect(foreignMisfit(schema, { url: 'nowhere' })).toMatchObject({ path: '/url' });
  expect(foreignMisfit(schema, { url: 'a:b', next: { url: 'a:b', width: 0 } })).toMatchObject({ path: '/next/width' });
  expect(foreignMisfit(schema, { url: 'a:b', heigth: 1 })).toEqual({
    path: '',
    message: 'must NOT have additional properties (heigth)',
  });
});

test('two patterns in one schema are two, whatever they have in common', () => {
  const schema = { properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } };
  expect(foreignMisfit(schema, { a: 'aa', b: 'bb' })).toBeNull();
  expect(foreignMisfit(schema, { a: 'bb', b: 'bb' })).toMatchObject({ path: '/a' });
});

test('a schema as generators write it is taken: names that nothing uses, notes, and definitions under their older name', () => {
  const pet = {
    $id: 'https://example.com/pet',
    $anchor: 'pet',
    discriminator: { propertyName: 'kind', mapping: { cat: '#/definitions/cat' } },
    oneOf: [{ $ref: '#/definitions/cat' }, { $ref: '#dog' }],
    definitions: {
      cat: { type: 'object', properties: { kind: { const: 'cat' }, kitten: { $ref: '#pet' } }, required: ['kind'] },
      'big dog': { $anchor: 'dog', type: 'object', properties: { kind: { const: 'dog' } }, required: ['kind'] },
    },
    'x-a': { $id: 'urn:a', type: 1 },
    'x-b': { $id: 'urn:a' },
  };
  expect(schemaFault(pet, '/payload')).toBeNull();
  expect(compileFault(pet)).toBeNull();
  expect(foreignMisfit(pet, { kind: 'dog' })).toBeNull();
  expect(foreignMisfit(pet, { kind: 'cat', kitten: { kind: 'cat' } })).toBeNull();
  expect(foreignMisfit(pet, { kind: 'cat', kitten: { kind: 'cow' } })).not.toBeNull();
});

test('what a text holds once it is decoded is said by a schema, as generators write it, and checked by nobody', () => {
  const schema = {
    properties: {
      order: { type: 'string', contentMediaType: 'application/json', contentSchema: { $ref: '#/$defs/o' } },
    },
    $defs: { o: { type: 'integer' } },
  };
  expect(schemaFault(schema, '')).toBeNull();
  expect(compileFault(schema)).toBeNull();
  expect(foreignMisfit(schema, { order: '{}' })).toBeNull();
  expect(schemaFault({ contentSchema: { $ref: 'https://a.example' } }, '')?.path).toBe('/contentSchema/$ref');
});

test('error: no words of an engine are a reason', () => {
  const nested = names(400).reduce<object>((inner, name) => ({ [name]: inner }), {});
  for (const schema of [{ dependentRequired: { a: names(9_000) } }, { const: nested }, { pattern: '\\p{Nothing}' }])
    expect(JSON.stringify([schemaFault(schema, ''), compileFault(schema)])).not.toMatch(/stack|RangeError|undefined/i);
});

test('error: a value type that does not exist is told before anything is stored', () => {
  expect(compileFault({ type: 'strnig' })).toContain('type');
  expect(compileFault({ required: 'a' })).toContain('required');
});

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

test.each([
  ['a pattern that backtracking engines never end on', { pattern: '^(a+)+$' }, 'a'.repeat(5_000) + '!'],
  ['a pattern of many parts on a long text', { pattern: '(.*a){25}b' }, 'a'.repeat(250_000)],
  [
    'a schema that calls itself twice a level',
    {
      anyOf: [
        { type: 'string' },
        { properties: { a: { $ref: '#' } }, maxProperties: 0 },
        { properties: { a: { $ref: '#' } }, maxProperties: 0 },
      ],
    },
    nested(500),
  ],
  [
    'many alternatives on many items',
    { items: { anyOf: Array.from({ length: 250 }, (_, n) => ({ const: -1 - n })) } },
    Array.from({ length: 50_000 }, (_, n) => n),
  ],
])('error: %s is refused within bounds', (_what, schema, value) => {
  expect(schemaFault(schema, '')).toBeNull();
  expect(foreignMisfit(schema, value)).not.toBeNull();
});

test('error: a check that would take too long says so', () => {
  const twice = { $ref: '#/$defs/a' };
  const schema = {
    $ref: '#/$defs/a',
    $defs: { a: { oneOf: [{ properties: { a: twice } }, { properties: { a: twice } }, { type: 'number' }] } },
  };
  expect(schemaFault(schema, '')).toBeNull();
  expect(foreignMisfit(schema, nested(60))?.message).toContain('evaluations');
});

test('a schema that calls itself on and on is given up soon for a small value, and takes a large one as before', () => {
  const called = Array.from({ length: 29 }, (_, index) => `d${index}`);
  const calls = (index: number) => Array.from({ length: 9 }, () => ({ $ref: `#/$defs/d${index + 1}` }));
  const $defs = Object.fromEntries(called.map((name, index) => [name, index < 28 ? { allOf: calls(index) } : {}]));
  expect(foreignMisfit({ $ref: '#/$defs/d0', $defs }, 1)?.message).toMatch(/takes more than 20300 evaluations/);
  const list = { type: 'array', items: { type: 'object', properties: { a: { type: 'string', minLength: 1 } } } };
  expect(
    foreignMisfit(
      list,
      Array.from({ length: 20_000 }, () => ({ a: 'b' })),
    ),
  ).toBeNull();
});
