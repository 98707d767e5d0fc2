import fc from 'fast-check';
import type { Schema } from '#test/helpers/documents/json-schema.ts';
import { near } from '#test/helpers/documents/schema-bounds.ts';
import type { Route } from './document.ts';

export const callers = ['full', 'person', 'other', 'scopeless', 'nobody', 'unknown'] as const;
export type Caller = (typeof callers)[number];

/** One request, as data: the same seed gives the same ones. */
export interface Shot {
  readonly route: Route;
  readonly caller: Caller;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; undefined for none. */
  readonly payload: string | undefined;
}

/** Values that mean something where a field or parameter has this name. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** Requests to these routes: some as documented, many nearly so, some nothing of the kind. */
export function shots(routes: readonly Route[], known: Known): fc.Arbitrary<Shot> {
  const each = routes.map((route) =>
    fc
      .record({
        caller: callerOf,
        url: urlOf(route, known),
        headers: headersOf(route, known),
        body: bodyOf(route, known),
      })
      .map(({ caller, url, headers, body }) => ({
        route,
        caller,
        url,
        headers: { ...headers, ...(body && { 'content-type': body.mediaType }) },
        payload: body?.text,
      })),
  );
  // what takes a body can go wrong in more ways
  return fc.oneof(...each.map((arbitrary, index) => ({ arbitrary, weight: routes[index]?.body ? 3 : 1 })));
}

const callerOf = fc.oneof(
  ...([9, 6, 2, 2, 1, 1] as const).map((weight, index) => ({
    weight,
    arbitrary: fc.constant(callers[index] ?? 'full'),
  })),
);

/** A schema in which what has a known name may also be one of the known values, and what has a pattern may fit it. */
function withKnown(schema: Schema, known: Known, name = ''): Schema {
  const { properties, items, anyOf } = schema;
  const inner: Schema = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, withKnown(one, known, key)])),
    }),
    ...(items && { items: withKnown(items, known, name) }),
    ...(anyOf && { anyOf: anyOf.map((one) => withKnown(one, known)) }),
  };
  if (schema.type === 'array' || schema.enum) return inner;
  const { fit = known[name], misfit = [] } = hardTexts(schema);
  if (fit === undefined) return inner;
  // mostly what fits, so that what stands beside it is looked at too
  const fits = Array.from({ length: 6 }, () => ({ enum: fit }));
  return { anyOf: [...fits, inner, ...(misfit.length > 0 ? [{ enum: misfit }] : [])] };
}

interface Texts {
  readonly fit?: readonly string[];
  readonly misfit?: readonly string[];
}

/** Texts that fit, and nearly fit, what bounds alone do not describe. */
function hardTexts({ type, pattern, format }: Schema): Texts {
  if (type === 'string' && format === 'date-time') return dateTimes;
  if (type !== 'string' || pattern === undefined) return {};
  return new RegExp(pattern).test('1234567') ? decimals : addresses;
}

const dateTimes: Texts = {
  fit: ['2099-01-01T00:00:00Z', '2099-12-31T23:59:59.999999999+14:00', '9999-12-31T23:59:59Z'],
  misfit: ['2099-12-31T23:59:60Z', '2099-02-30T00:00:00Z', '1969-01-01T00:00:00.1Z', '9999-12-31T23:59:59-23:59'],
};
const decimals: Texts = {
  fit: ['0', '1', '9'.repeat(76)],
  misfit: ['9'.repeat(78), '9'.repeat(79), '-1', '01', '0x1'],
};
/** An idempotency key may be any of them. */
const addresses: Texts = {
  fit: ['127.0.0.1', '10.0.0.255/32', '0.0.0.0'],
  misfit: ['10.0.0.256', '::1', '10.0.0.0/24', '10.0.0.01'],
};

function urlOf({ path, operation }: Route, known: Known): fc.Arbitrary<string> {
  const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const parts = path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? segment(path, known) : fc.constant(part)));
  const pairs = query.map(({ name, schema }) =>
    fc.oneof(
      fc.constant([]),
      fc.constant([]),
      textOf(schema, known, name).map((value) => [[name, value] as const]),
    ),
  );
  const more = fc.oneof(
    { weight: 20, arbitrary: fc.constant([]) },
    // twice the same, and what no route knows
    {
      weight: 1,
      arbitrary: fc.constant(query.slice(0, 1).flatMap(({ name }) => [[name, '1'] as const, [name, '2'] as const])),
    },
    { weight: 1, arbitrary: fc.tuple(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 })).map((pair) => [pair]) },
  );
  return fc.tuple(fc.tuple(...parts), fc.tuple(...pairs, more)).map(([texts, all]) => {
    const search = all.flat().map((pair) => pair.map(encoded).join('='));
    return texts.join('') + (search.length > 0 ? `?${search.join('&')}` : '');
  });
}

/** The id in a path, escaped as a client would, or badly. */
function segment(path: string, known: Known): fc.Arbitrary<string> {
  const ids = known[path.replace(/^.*\/(\w+)\/\{.*$/, '$1')] ?? known['id'] ?? [];
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...ids).map(String) },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 170 }).map(encoded) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%00', '%ff', '..%2f..', '%2e%2e', 'NaN', '-1', "'--") },
  );
}

/** A lone surrogate has no escape. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function textOf(schema: Schema, known: Known, name: string): fc.Arbitrary<string> {
  return near(withKnown(schema, known, name)).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
}

/** As they could stand in a request: a client cannot send others. */
const inHeader = (value: string): string => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '~').trim();

const otherHeaders: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json', 'text/html', 'text/event-stream', 'application/xml;q=0', '', ',;=', '*/*'],
  'accept-encoding': ['gzip', 'br;q=1, *;q=0', 'identity;q=0'],
  'if-none-match': ['*', '"x"', 'W/"x"', ','],
  'last-event-id': ['0', '1', '-1', '99999999999999999999', 'x'.repeat(600), '1.1', 'é'],
  prefer: ['respond-async', 'wait=0', 'wait=-1', 'wait=1, wait=2', '='],
  range: ['bytes=0-1', 'bytes=9-1'],
  traceparent: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '00-0-0-0'],
  'x-request-id': ['mine', 'x'.repeat(300), '{}'],
  origin: ['https://elsewhere.example', 'null', ''],
};

function headersOf({ operation }: Route, known: Known): fc.Arbitrary<Readonly<Record<string, string>>> {
  const own = (operation.parameters ?? [])
    .filter((one) => one.in === 'header')
    .map(({ name, schema }) => fc.option(textOf(schema, known, name).map((value) => [name, inHeader(value)] as const)));
  const other = fc.option(
    fc
      .constantFrom(...Object.entries(otherHeaders))
      .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const)),
    { freq: 3 },
  );
  return fc.tuple(...own, other).map((pairs) => Object.fromEntries(pairs.filter((pair) => pair !== null)));
}

interface Body {
  readonly mediaType: string;
  readonly text: string;
}

const json = (text: string): Body => ({ mediaType: 'application/json', text });

function bodyOf({ body, method }: Route, known: Known): fc.Arbitrary<Body | null> {
  const odd = fc.oneof(
    fc.constantFrom<Body>(
      json(''),
      json('{'),
      json('{"a":1}}'),
      json('null'),
      json('{"__proto__": {"admin": true}}'),
      json('{"constructor": {"prototype": 1}}'),
      json('{"name": "a", "name": "b"}'),
      json('[1e999, -0, 1E-400]'),
      json(`${'['.repeat(2_000)}${']'.repeat(2_000)}`),
      json(`{"prompt": "\\ud800 \\u0000", "mode": "video"}`),
      json(`{"prompt": "${'a'.repeat(2_000_000)}"}`),
      { mediaType: 'text/plain', text: '{}' },
      { mediaType: 'application/json; charset=utf-16', text: '{}' },
      { mediaType: 'multipart/form-data', text: '--' },
      { mediaType: 'rubbish', text: '{}' },
    ),
    fc.json().map(json),
    fc.constant(null),
  );
  if (body === null)
    return method === 'GET' ? fc.constant(null) : fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, odd);
  const fit = near(withKnown(body, known)).map((value) => json(JSON.stringify(value)));
  return fc.oneof({ weight: 9, arbitrary: fit }, { weight: 1, arbitrary: odd });
}
