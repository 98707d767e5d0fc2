import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inlineRefs } from '#test/helpers/documents/inline-refs.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { type Document, type Route, routesOf } from '#test/studio/fuzz/document.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
}

let api: TestApi;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await testApi({ RATE_STANDARD_PER_MINUTE: '100000000', RATE_STANDARD_PER_DAY: '100000000' });
  const human = Buffer.alloc(32, 1);
  await api.context.db.query(sql.unsafe`
    insert into humans (nullifier, commitment, provider, assurance, scopes, tier)
    values (${sql.binary(human)}, ${sql.binary(Buffer.alloc(32, 2))}, 'operator-invite', 'enrolled', '{}', 'standard')`);
  ({ headers } = await api.key({ operator: true, human: human.toString('hex') }));
});
afterAll(() => api[Symbol.asyncDispose]());

/** Stands in a body where the text that is tried goes: JSON.stringify writes no `1e999`. */
const mark = '\u2116';
const tried = ['1e308', '-1e308', '1e999', '-1e999', '"NaN"', '"Infinity"'];

interface Leaf {
  readonly body: unknown;
  /** The member that an answer must name where it refuses the number; null in a free object, where any number may stand. */
  readonly name: string | null;
  readonly at: string;
}

const uuid = '01a1fc5b-0711-78a0-9bec-a19fe873a55a';
const byFormat: Readonly<Record<string, string>> = {
  uuid,
  'date-time': '2099-01-01T00:00:00Z',
  date: '2026-11-20',
  uri: 'https://example.com/x',
};
const byPattern: readonly string[] = [
  'a'.repeat(64),
  '1',
  'A'.repeat(43),
  'A'.repeat(86),
  'a',
  'a/b',
  '127.0.0.1',
  uuid,
  '0',
];

/** The smallest value that fits. */
function least(schema: Shape): unknown {
  const { examples, enum: values, anyOf, oneOf } = schema;
  if ('const' in schema) return schema.const;
  if (examples) return examples[0];
  if (values) return values[0];
  const [first] = anyOf ?? oneOf ?? [];
  const type = [schema.type].flat()[0];
  if (schema.properties && (type === 'object' || type === undefined)) {
    const names = [...(schema.required ?? []), ...(first?.required ?? [])];
    return Object.fromEntries(names.map((name) => [name, least(schema.properties?.[name] ?? {})]));
  }
  if (first) return least(first);
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => least(schema.items ?? {}));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'string') return leastText(schema);
  return {};
}

function leastText({ format, pattern, minLength = 1 }: Shape): string {
  if (format !== undefined && byFormat[format] !== undefined) return byFormat[format];
  if (pattern === undefined) return 'a'.repeat(Math.max(1, minLength));
  return byPattern.find((text) => new RegExp(pattern, 'u').test(text) && text.length >= minLength) ?? 'a';
}

/** Every value of this schema that has the mark at one place where a number, or anything, may be. */
function* leaves(schema: Shape, at: string, name: string | null): Generator<Leaf> {
  const types = [schema.type].flat();
  if ((types.includes('number') || types.includes('integer')) && !schema.enum) yield { body: mark, name, at };
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* leaves(one, at, name);
  for (const [key, inner] of Object.entries(schema.properties ?? {}))
    for (const leaf of leaves(inner, `${at}.${key}`, key))
      yield { ...leaf, body: { ...(least(schema) as object), [key]: leaf.body } };
  if (schema.items) for (const leaf of leaves(schema.items, `${at}[]`, name)) yield { ...leaf, body: [leaf.body] };
  const { additionalProperties: more } = schema;
  if (typeof more === 'object' && Object.keys(more).length > 0)
    for (const leaf of leaves(more, `${at}.*`, name)) yield { ...leaf, body: { a: leaf.body } };
  const isFree = Object.keys(schema).every((key) =>
    ['description', 'title', 'additionalProperties', 'type'].includes(key),
  );
  if (isFree && (types[0] === undefined || types[0] === 'object') && more !== false && typeof more !== 'object')
    yield { body: { free: [mark] }, name: null, at: `${at}.free` };
}

interface Tried extends Leaf {
  readonly route: Route;
}

async function numericLeaves(): Promise<readonly Tried[]> {
  const found: Tried[] = [];
  const seen = new Set<string>();
  for (const url of ['/v1/openapi.json', '/api/openapi.json'])
    for (const route of routesOf(inlineRefs<Document>((await api.app.inject(url)).json()))) {
      const name = `${route.method} ${route.path}`;
      if (route.body === null || seen.has(name)) continue;
      seen.add(name);
      for (const leaf of leaves(route.body, 'body', null)) found.push({ ...leaf, route });
    }
  return found;
}

test('no number of any body is taken that is not finite, or that overflows: never 5xx, and what is refused is named', async () => {
  const found = await numericLeaves();
  // an empty table would prove nothing
  expect(found.length).toBeGreaterThan(100);
  const wrong: unknown[] = [];
  for (const { route, body, name, at } of found) {
    for (const text of tried) {
      const response = await api.app.inject({
        method: route.method as 'POST',
        url: route.path.replaceAll(/\{[^}]+\}/g, uuid),
        headers: { ...headers, 'content-type': 'application/json', prefer: 'respond-async' },
        payload: JSON.stringify(body).replace(JSON.stringify(mark), text),
      });
      // an answer of lines refuses each job for itself
      const isRefusedLine =
        response.headers['content-type']?.toString().includes('ndjson') && /"error":/.test(response.body);
      const status = isRefusedLine ? 400 : response.statusCode;
      const isOverflow = text.includes('999');
      const isNamed =
        status < 400 ? !isOverflow : isOverflow || name !== null ? response.body.includes(name ?? 'free') : true;
      // no provider makes anything here
      const isServed = status < 500 || response.json().code === 'providers_exhausted';
      if (isServed && isNamed) continue;
      wrong.push({ path: `${route.method} ${route.path}`, at, text, status, body: response.body.slice(0, 300) });
    }
  }
  expect(wrong).toEqual([]);
});
