import { expect, test } from 'vitest';
import { statuses } from '#src/analytics/answers/envelope.ts';
import { testApi } from '#test/http/api.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Every object and list within a value, the value itself first. */
function* within(value: unknown): Generator<Record<string, unknown>> {
  if (!isObject(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* within(inner);
}

test('no schema of any size stands in the document twice', async () => {
  await using api = await testApi();
  const text = (await api.app.inject('/v1/openapi.json')).body;
  const document = JSON.parse(text);
  const counts = new Map<string, number>();
  for (const one of within(document)) {
    if (one['type'] !== 'object' || !isObject(one['properties'])) continue;
    const schema = JSON.stringify(one);
    counts.set(schema, (counts.get(schema) ?? 0) + 1);
  }
  expect([...counts].filter(([schema, count]) => count > 1 && schema.length > 450)).toEqual([]);
  expect(text.length).toBeLessThan(900_000);
});

test('no input with a default is required, in any document, and closed sets are said', async () => {
  await using api = await testApi();
  for (const path of ['/v1/openapi.json', '/api/v1/openapi.json', '/api/studio/v1/openapi', '/api/openapi.json']) {
    const document = (await api.app.inject(path)).json();
    const operations: any[] = Object.values(document.paths).flatMap((one: any) => Object.values(one));
    const taken = operations.flatMap(({ parameters = [] }) => parameters);
    expect(taken.filter((one) => one.required && 'default' in one.schema)).toEqual([]);
    const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    const seen = new Set<string>();
    const reached = function* (value: unknown): Generator<Record<string, unknown>> {
      for (const one of within(value)) {
        yield one;
        const name = typeof one['$ref'] === 'string' ? one['$ref'].split('/').at(-1) : undefined;
        if (name === undefined || seen.has(name)) continue;
        seen.add(name);
        yield* reached(document.components.schemas[name]);
      }
    };
    // a generator of types takes what has a default for always there
    expect([...reached(bodies)].filter((one) => 'default' in one && 'type' in one)).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('x-known-values');
  }
  const { paths, components } = (await api.app.inject('/v1/openapi.json')).json();
  expect(components.schemas.AnswerStatus.enum).toEqual(statuses);
  const symbol = paths['/v1/gex/{symbol}'].get.parameters.find((one: any) => one.name === 'symbol');
  expect(symbol.schema.enum).toEqual(expect.arrayContaining(['SPX', 'RUT']));
  // and one that is none is looked up, and not found
  const { headers } = await api.key();
  expect((await api.app.inject({ url: '/v1/gex/XYZ', headers })).statusCode).toBe(404);
});

test('every number that a request can hold has a least and a greatest value: beyond them sums are no numbers', async () => {
  await using api = await testApi();
  const { paths, components } = (await api.app.inject('/v1/openapi.json')).json();
  const open: string[] = [];
  const seen = new Set<string>();
  const look = (value: unknown, at: string): void => {
    if (!isObject(value)) return;
    const name = typeof value['$ref'] === 'string' ? value['$ref'].split('/').at(-1) : undefined;
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      look(components.schemas[name], name);
    }
    const isNumber = [value['type']].flat().some((type) => type === 'number' || type === 'integer');
    const has = (...names: string[]) => names.some((one) => one in value);
    const isBounded = has('minimum', 'exclusiveMinimum') && has('maximum', 'exclusiveMaximum');
    if (isNumber && !isBounded && !has('enum', 'const')) open.push(at);
    for (const [key, inner] of Object.entries(value)) look(inner, `${at}.${key}`);
  };
  for (const operation of Object.values(paths).flatMap((one: any) => Object.values<any>(one))) {
    for (const { name, schema } of operation.parameters ?? []) look(schema, `${operation.operationId}?${name}`);
    look(operation.requestBody?.content, operation.operationId);
  }
  expect(seen.size).toBeGreaterThan(40);
  expect(open).toEqual([]);
});

test('every answer says its headers, each described once', async () => {
  await using api = await testApi();
  const { paths, components } = (await api.app.inject('/v1/openapi.json')).json();
  const headersOf = (answer: any) =>
    Object.keys((answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer).headers ?? {});
  const work = paths['/v1/portfolio/stress'].post.responses;
  expect(headersOf(work['202'])).toEqual(expect.arrayContaining(['Location', 'X-Job-Id', 'RateLimit', 'X-Request-Id']));
  expect(headersOf(work['4XX'])).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit']));
  for (const { description, schema } of Object.values<any>(components.headers)) {
    expect(description).toMatch(/\w/);
    expect(schema.type).toMatch(/string|integer/);
  }
});
