import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queueTypes } from '#src/commands/jobs/queue-types.ts';
import { schemaType } from '#src/commands/jobs/schema-type.ts';
import { testFolder } from '#test/helpers/processes.ts';

const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

test.each<[unknown, string]>([
  [true, 'unknown'],
  [false, 'never'],
  [{}, 'unknown'],
  ['nonsense', 'unknown'],
  [{ type: 'string', format: 'uri' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 'a"b' }, '"a\\"b"'],
  [{ const: { deep: [1, null] } }, '{"deep":[1,null]}'],
  [{ type: 'string', enum: ['a', 'b', 'a'] }, '"a" | "b"'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
  [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
  [{ allOf: [{ anyOf: [{ const: 1 }, { const: 2 }] }, { type: 'number' }] }, '(1 | 2) & number'],
  [{ type: 'array' }, 'unknown[]'],
  [{ type: 'array', items: { enum: [1, 2] } }, '(1 | 2)[]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, '[string]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'null' } }, '[string, ...null[]]'],
  [{ type: 'object' }, '{ [key: string]: unknown }'],
  [{ type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number; }'],
  [{ type: 'object', patternProperties: { '^a': { type: 'null' } } }, '{ [key: string]: null; }'],
  [
    {
      properties: { 'a-b': { type: 'string', description: 'ends */ here' }, c: { $ref: '#/$defs/c' } },
      required: ['c'],
      $defs: { c: { type: 'null' } },
    },
    '{\n  /** ends *\\/ here */\n  "a-b"?: string;\n  c: null;\n}',
  ],
  [
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    '{\n  a?: string;\n  [key: string]: unknown;\n}',
  ],
  [{ type: 'object', properties: { next: { $ref: '#' } } }, '{\n  next?: {\n    next?: unknown;\n  };\n}'],
  [{ $ref: 'https://example.com/schema.json' }, 'unknown'],
  [{ $ref: '#/$defs/none' }, 'unknown'],
])('the schema %j is the type %s', (schema, type) => {
  expect(schemaType(schema)).toBe(type);
});

test('a schema whose references would grow without end is a type of bounded size', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      { type: 'array', prefixItems: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }], items: false },
    ]),
  );
  expect(schemaType({ $ref: '#/$defs/d0', $defs }).length).toBeLessThan(200_000);
});

test('a reference to an anchor has the type of what it names', () => {
  const schema = { items: { $ref: '#dog' }, type: 'array', $defs: { dog: { $anchor: 'dog', type: 'string' } } };
  expect(schemaType(schema)).toBe('string[]');
});

test('property: whatever names, texts and values schemas have, their types compile', { timeout: 120_000 }, () => {
  const text = fc.oneof(fc.constantFrom('*/', "'", '"', '`', '\\', '${x}', '\n', '\u2028', '};', '//'), fc.string());
  const schema = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom({}, true, { type: 'string' }, { type: ['number', 'null'] }, { $ref: '#' }),
      fc.record({ const: fc.jsonValue() }),
      fc.record({ enum: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('array'), items: tie('any') }),
      fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
      fc.dictionary(text, fc.tuple(tie('any'), text, fc.boolean()), { maxKeys: 3 }).map((members) => ({
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(members).map(([key, [value, description]]) => [
            key,
            typeof value === 'object' ? { ...value, description } : value,
          ]),
        ),
        required: Object.entries(members).flatMap(([key, [, , isNeeded]]) => (isNeeded ? [key] : [])),
      })),
    ),
  })).any;
  const contracts = fc
    .sample(fc.tuple(schema, text), { numRuns: 100, seed: 7 })
    .map(([payload, title], n) => ({ name: `acme.q${n}`, version: 1, contract: { title, payload, result: payload } }));
  using folder = testFolder();
  const file = join(folder.path, 'queues.ts');
  const own = queueTypes('http://a.example', contracts).replaceAll("'@proofline/client'", "'./client.ts'");
  writeFileSync(join(folder.path, 'client.ts'), 'export interface Queues {}\n');
  writeFileSync(file, own);
  const { stdout, status } = spawnSync(
    process.execPath,
    [compiler, '--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions', file],
    { encoding: 'utf8' },
  );
  expect([stdout, status]).toEqual(['', 0]);
});
