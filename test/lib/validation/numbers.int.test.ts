import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildValidators } from '#src/lib/validation/validators.ts';
import { inlineRefs } from '#test/helpers/documents/inline-refs.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
}
interface Parameter {
  readonly required?: boolean;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly schema: Shape;
}

/** What stands beside the parameter that is tried. */
const others: Readonly<Record<string, string>> = { symbol: 'SPX', sha256: 'a'.repeat(64) };

let api: TestApi;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await testApi({ RATE_STANDARD_PER_MINUTE: '100000000', RATE_STANDARD_PER_DAY: '100000000' });
  ({ headers } = await api.key({ operator: true }));
});
afterAll(() => api[Symbol.asyncDispose]());

const notFinite = ['Infinity', '-Infinity', 'NaN', '1e999', '-1e999', '9'.repeat(400), `-${'9'.repeat(400)}`];
const notDecimal = ['0x10', '0o17', '0b1', '010', '%201', '1%20', '%20', '%09', '', '+1', '1_0', '1n', 'true', 'null'];
const notExact = ['9007199254740993', '-9007199254740993', '1e20'];

test('no numeric parameter of any route takes text that is no finite decimal: 400 that names it, never 5xx', async () => {
  const found = await numericParameters();
  // an empty table would prove nothing
  expect(found.length).toBeGreaterThan(40);
  expect(new Set(found.map(({ parameter }) => parameter.name))).toContain('limit');
  const wrong: unknown[] = [];
  for (const { method, path, parameter, beside } of found) {
    const isWhole = typesOf(parameter.schema).includes('integer');
    const texts = [...notFinite, ...notDecimal, ...(isWhole ? notExact : [])];
    const lists = parameter.schema.type === 'array' ? texts.map((text) => `1,${text}`) : [];
    // no text at all in a path is another path
    const tried = [...texts, ...lists].filter((text) => parameter.in !== 'path' || text !== '');
    const answers = await Promise.all(
      tried.map(async (text) => await ask(method, `${path}?${beside}`, parameter, text)),
    );
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 400 && answer.body.includes(parameter.name)) continue;
      wrong.push({ path, name: parameter.name, text: tried[index]?.slice(0, 20), ...answer });
    }
  }
  expect(wrong).toEqual([]);
});

test('lists of numbers are held to it item by item', async () => {
  for (const [query, sentence] of [
    ['days=1,Infinity', 'query.days[1]: expected a finite number in decimal digits, got "Infinity".'],
    ['days=1&days=1e999', 'query.days[1]: expected a finite number in decimal digits, got "1e999".'],
    ['strikes=0x10', 'query.strikes[0]: expected a finite number in decimal digits, got "0x10".'],
    ['k=%20', 'query.k[0]: expected a finite number in decimal digits, got " ".'],
    ['years=', 'query.years[0]: expected number, got "".'],
  ]) {
    const answer = await api.app.inject({ url: `/v1/surface/SPX?${query}`, headers });
    expect(answer.json(), query).toMatchObject({ status: 400, code: 'invalid_request', detail: sentence });
  }
});

test('a number beyond what a double holds exactly is refused, one within is taken', async () => {
  const listed = async (limit: string) => (await api.app.inject({ url: `/v1/jobs?limit=${limit}`, headers })).json();
  expect(await listed('9007199254740993')).toMatchObject({
    status: 400,
    detail: 'query.limit: expected a whole number in decimal digits, up to 9007199254740991, got "9007199254740993".',
  });
  expect(await listed('1e1')).toHaveProperty('next_cursor');
});

async function numericParameters() {
  const found: { method: string; path: string; parameter: Parameter; beside: string }[] = [];
  for (const url of ['/v1/openapi.json', '/api/openapi.json']) {
    const document = inlineRefs((await api.app.inject(url)).json()) as {
      paths: Record<string, Record<string, { parameters?: readonly Parameter[] }>>;
    };
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        for (const parameter of parameters) {
          const types = typesOf(parameter.schema);
          if (types.includes('number') || types.includes('integer'))
            found.push({ method, path, parameter, beside: required(parameters, parameter) });
        }
      }
    }
  }
  return found;
}

/** The query of a request that says all that must be said, save the parameter that is tried. */
function required(parameters: readonly Parameter[], tried: Parameter): string {
  return parameters
    .filter((one) => one.in === 'query' && one.required && one !== tried)
    .filter(({ schema }) => !('default' in schema))
    .map(
      ({ name, schema }) =>
        `${name}=${others[name] ?? (schema.enum?.[0] as string | undefined) ?? '01a1fc5b-0711-78a0-9bec-a19fe873a55a'}`,
    )
    .join('&');
}

function typesOf({ type, items, anyOf = [] }: Shape): string[] {
  return [...[type ?? []].flat(), ...(items ? typesOf(items) : []), ...anyOf.flatMap(typesOf)];
}

async function ask(method: string, path: string, parameter: Parameter, text: string) {
  const fill = (name: string) =>
    parameter.in === 'path' && name === parameter.name
      ? text
      : (others[name] ?? '01a1fc5b-0711-78a0-9bec-a19fe873a55a');
  const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => fill(name));
  const response = await api.app.inject({
    method: method.toUpperCase() as 'GET',
    url: parameter.in === 'query' ? `${url}&${parameter.name}=${text}` : url,
    headers: { ...headers, ...(parameter.in === 'header' && { [parameter.name]: decodeURIComponent(text) }) },
  });
  return { status: response.statusCode, body: response.body.slice(0, 300) };
}

test('bodies, tools and subscriptions, which are JSON, take no number that is not finite either', async () => {
  const payload = '{"symbols":["SPX"],"scenarios":[{"spot_shock_pct":1e999}]}';
  const json = { ...headers, 'content-type': 'application/json' };
  const body = await api.app.inject({ method: 'POST', url: '/v1/portfolio/stress', headers: json, payload });
  expect(body.json()).toMatchObject({ status: 400, errors: [{ field: 'body.scenarios[0].spot_shock_pct' }] });
  const check = buildValidators({})({ schema: { type: 'number' } as object, method: '', url: '', httpPart: 'body' });
  expect([1, Infinity, -Infinity, Number.NaN, '1'].map((value) => check(value))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
