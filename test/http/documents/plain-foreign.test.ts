import { expect, test } from 'vitest';
import { plainForeign } from '#src/http/documents/plain-foreign.ts';

test('references to anchors and to definitions under their older name lead into the part', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A pet',
    discriminator: { propertyName: 'kind', mapping: { cat: '#/definitions/cat' } },
    oneOf: [{ $ref: '#/definitions/cat' }, { $ref: '#dog' }, true],
    definitions: {
      cat: { title: 'Cat', properties: { kitten: { $ref: '#/definitions/cat' } }, additionalProperties: false },
      dog: { $anchor: 'dog', type: 'object', 'x-breed': 'any' },
    },
  };
  expect(plainForeign(schema, '#/components/schemas/pet')).toEqual({
    description: 'A pet',
    oneOf: [{ $ref: '#/components/schemas/pet/$defs/cat' }, { $ref: '#/components/schemas/pet/$defs/dog' }, {}],
    $defs: {
      cat: {
        title: 'Cat',
        properties: { kitten: { $ref: '#/components/schemas/pet/$defs/cat' } },
        additionalProperties: false,
      },
      dog: { type: 'object' },
    },
  });
});

test('a value that looks like a reference is left out', () => {
  const schema = { type: 'object', default: { $ref: '#/nowhere' }, enum: [{ a: { $ref: '#' } }], title: 'Kept' };
  expect(plainForeign(schema, '#/a')).toEqual({ type: 'object', title: 'Kept' });
});

test.each([
  [true, {}],
  [false, { not: {} }],
])('the schema %s is written as an object', (schema, written) => {
  expect(plainForeign(schema, '#/a')).toEqual(written);
});
