import { expect, test } from 'vitest';
import { testApi } from '#test/http/api.ts';

type Json = Record<string, any>;

const documents = ['/v1/openapi.json', '/api/v1/openapi.json', '/api/studio/v1/openapi', '/api/openapi.json'];

/** Every schema of a member named `job` in whatever the operations of a document answer, by the way to it. */
function jobMembers(document: Json): Map<string, Json> {
  const found = new Map<string, Json>();
  const seen = new Set<string>();
  const walk = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if (Array.isArray(schema)) {
      for (const one of schema) walk(one, at);
      return;
    }
    const { $ref, properties = {}, ...rest } = schema as Json;
    if (typeof $ref === 'string' && $ref.startsWith('#/')) {
      const name = $ref.split('/').at(-1) ?? '';
      if (seen.has($ref)) return;
      seen.add($ref);
      walk(
        $ref
          .slice(2)
          .split('/')
          .reduce((value: Json, key) => value[key], document),
        name,
      );
    }
    for (const [name, member] of Object.entries(properties)) {
      if (name === 'job') found.set(at, member as Json);
      walk(member, `${at}.${name}`);
    }
    for (const [name, part] of Object.entries(rest)) {
      if (name !== 'example' && name !== 'examples' && name !== 'default') walk(part, at);
    }
  };
  for (const operations of Object.values<Json>(document['paths']))
    for (const [method, { operationId, responses }] of Object.entries<Json>(operations))
      walk(responses, operationId ?? method);
  return found;
}
/** Schema that a member has, behind references, beside null. */
function shapeOf(document: Json, schema: Json): Json {
  if (typeof schema['$ref'] === 'string')
    return shapeOf(
      document,
      schema['$ref']
        .slice(2)
        .split('/')
        .reduce((value: Json, key: string) => value[key], document),
    );
  const [only, ...others] = (schema['anyOf'] ?? []).filter(({ type }: Json) => type !== 'null');
  return only && others.length === 0 ? shapeOf(document, only) : schema;
}

/** Members that every `job` has. */
const always = ['id', 'kind', 'state', 'status', 'url'];

test.each(documents)('every `job` that an answer of %s has is one shape, and its url is a path', async (path) => {
  await using api = await testApi();
  const document: Json = (await api.app.inject(path)).json();
  const members = jobMembers(document);
  if (path === '/v1/openapi.json') expect(members.size).toBeGreaterThan(10);
  for (const [at, member] of members) {
    const { type, required = [], properties = {} } = shapeOf(document, member);
    expect({ at, type, lacks: always.filter((name) => !required.includes(name)) }).toEqual({
      at,
      type: 'object',
      lacks: [],
    });
    const kinds: unknown[] = properties.kind.enum ?? [properties.kind.const];
    expect(['job', 'mission'], at).toEqual(expect.arrayContaining(kinds));
    expect(shapeOf(document, properties.url), at).toMatchObject({ type: 'string', pattern: '^/' });
  }
});
