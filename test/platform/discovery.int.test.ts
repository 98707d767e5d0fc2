import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openapiFaults } from '#test/helpers/documents/openapi-faults.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { testHome } from '#test/providers/asset-world.ts';

let home: Awaited<ReturnType<typeof testHome>>;
let api: TestApi;
const base = 'https://platform.proofline.test';
const root = '/api/v2';
const secret = 'a-secret-of-the-vendor';

beforeAll(async () => {
  home = await testHome();
  const file = join(home.path, 'providers.json');
  const offered = { price: { perMillionInput: 1, perMillionOutput: 2 }, latency: { base: 1 }, quality: 0.9 };
  const vendor = { style: 'openai-compatible', url: 'https://vendor.example/v1' };
  const text = { 'text.generate': { ...offered, model: 'maker/talker', limits: { characters: 9_000 } } };
  process.env['DISCOVERY_TEST_KEY'] = secret;
  const providers = [
    { id: 'keyed', title: 'Keyed', ...vendor, credential: 'DISCOVERY_TEST_KEY', concurrency: 3, capabilities: text },
    { id: 'keyless', title: 'Keyless', ...vendor, credential: 'DISCOVERY_TEST_NONE', capabilities: text },
  ];
  writeFileSync(file, JSON.stringify({ providers }));
  api = await testApi({ PROOFLINE_HOME: home.path, PROVIDERS_FILE: file, PLATFORM_PUBLIC_URL: base });
});
afterAll(async () => {
  delete process.env['DISCOVERY_TEST_KEY'];
  await api[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

async function read(url: string, headers = {}): Promise<any> {
  const response = await api.app.inject({ url, headers });
  expect([url, response.statusCode, response.body]).toEqual([url, 200, expect.any(String)]);
  return response.json();
}
const discovery = ['', '/health', '/capabilities', '/capabilities/text.generate', '/families', '/providers', '/models']
  .concat(['/models/auto', '/integrations/catalog', '/personas'])
  .map((path) => root + path);

test.for([...discovery, '/api/openapi.json'])('%s is for anybody, from any page, and tells no secret', async (url) => {
  const response = await api.app.inject(url);
  expect(response).toMatchObject({ statusCode: 200, headers: { 'access-control-allow-origin': '*' } });
  expect(response.body).not.toContain(secret);
});

test.for(discovery)(
  'error: %s refuses a key that does not exist, and parameters that it does not know',
  async (url) => {
    const headers = { authorization: `Bearer sk-platform-${'0'.repeat(49)}` };
    const wrong = await api.app.inject({ url, headers });
    expect([wrong.statusCode, wrong.json().error.type]).toEqual([401, 'authentication_error']);
    const unknown = await api.app.inject({ url: `${url}?nonsense=1` });
    expect([unknown.statusCode, unknown.json().error.param]).toEqual([400, 'nonsense']);
  },
);

test('the contract lists what is served of the platform and no more, with where else to look', async () => {
  const contract = await read(root);
  expect(contract).toMatchObject({ base_url: base + root, links: { openapi: `${base}/api/openapi.json` } });
  const { paths } = await read('/api/openapi.json');
  const described = Object.entries(paths as Record<string, object>)
    .filter(([path]) => path.startsWith(root))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  const listed = contract.routes.map(({ method, path }: any) => `${method} ${path}`);
  expect(listed.toSorted()).toEqual(described.toSorted());
  for (const route of contract.routes) expect(route.purpose).not.toBe('');
  for (const link of ['openapi', 'docs', 'studio', 'health', 'capabilities', 'families', 'providers', 'models'])
    expect([link, (await api.app.inject(new URL(contract.links[link]).pathname)).statusCode]).toEqual([link, 200]);
});

test('the tables of docs/platform.md have the routes that are served, each once', async () => {
  const text = readFileSync(new URL('../../docs/platform.md', import.meta.url), 'utf8');
  const tables = text.match(/^\| route \|.*\n(?:\|.*\n)+/gm) ?? [];
  const documented = tables.flatMap((table) => {
    const columns = table.startsWith('| route | also |') ? 2 : 1;
    const cells = table.split('\n').flatMap((row) => row.split('|').slice(1, 1 + columns));
    return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z]+) (\/[^`]*)`/g)]);
  });
  const named = documented.map(([, method, path = '']) => `${method} ${path.startsWith(root) ? path : root + path}`);
  const { routes } = await read(root);
  expect(named.toSorted()).toEqual(routes.map(({ method, path }: any) => `${method} ${path}`).toSorted());
});

test('health counts the providers that can be called for each capability', async () => {
  const health = await read(`${root}/health`);
  expect(health).toMatchObject({ queue: { reachable: true, reason: null }, provider_calls: 'on' });
  expect(health.capabilities).toMatchObject({
    'text.generate': { configured: 2, healthy: 1 },
    'image.edit': { configured: 0, healthy: 0 },
    'image.generate': { configured: 1 },
  });
});

test('error: health says so where nothing can be queued', async () => {
  await using lost = await testApi();
  lost.context.redis.disconnect();
  const response = await lost.app.inject(`${root}/health`);
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({
    status: 'unavailable',
    queue: { reachable: false, reason: 'Redis does not answer' },
  });
});

test('a capability is described: providers with price, health and limits, and how one is chosen', async () => {
  const { data } = await read(`${root}/capabilities`);
  expect(data.find(({ slug }: any) => slug === 'image.edit')).toMatchObject({ status: 'unavailable', providers: [] });
  const text = await read(`${root}/capabilities/text.generate`);
  expect(text).toMatchObject({ family: 'text', status: 'available' });
  expect(text.providers).toMatchObject([
    {
      id: 'keyed',
      model: 'maker/talker',
      available: true,
      price_usd: { per_million_input: 1, per_million_output: 2 },
      latency_ms: { base: 1_000, per_second: 0 },
      limits: { characters: 9_000 },
      health: { state: 'healthy', circuit: 'closed' },
    },
    { id: 'keyless', available: false, unavailable_because: expect.stringContaining('no key') },
  ]);
  expect(text.policies.map(({ name }: any) => name)).toEqual([
    'quality_first',
    'speed_first',
    'cost_guarded',
    'balanced',
  ]);
});

test('error: an unknown capability is reported in a sentence', async () => {
  const response = await api.app.inject(`${root}/capabilities/video.teleport`);
  expect(response.statusCode).toBe(404);
  const { error, detail } = response.json();
  expect(detail).toContain('expected a capability (image.generate, ');
  expect(error).toMatchObject({ type: 'not_found_error', param: 'slug', message: detail });
});

test('every capability is of one family, and every family is there', async () => {
  const { data: families } = await read(`${root}/families`);
  expect(families.map(({ id }: any) => id)).toEqual([
    'text',
    'image',
    'video',
    'speech',
    'transcription',
    'music',
    'avatar',
    'orchestration',
  ]);
  const { data: capabilities } = await read(`${root}/capabilities`);
  const inFamilies = families.flatMap((family: any) => family.capabilities);
  expect(inFamilies.toSorted()).toEqual(capabilities.map(({ slug }: any) => slug).toSorted());
});

test('providers are those of the catalogue, in its order, with their circuit', async () => {
  const { data } = await read(`${root}/providers`);
  expect(data.map(({ id }: any) => id)).toEqual(['local-animatic', 'keyed', 'keyless']);
  expect(data[1]).toMatchObject({
    concurrency: 3,
    health: { circuit: 'closed' },
    capabilities: [{ slug: 'text.generate' }],
  });
  expect(JSON.stringify(data)).not.toContain('DISCOVERY_TEST_KEY');
});

test('the catalogue of integrations has every route and tool of every surface, counted', async () => {
  const { summary, api: routes, mcp } = await read(`${root}/integrations/catalog`);
  const { paths } = await read('/v1/openapi.json');
  const described = Object.values(paths as Record<string, object>).flatMap((methods) => Object.keys(methods));
  expect(routes).toHaveLength(described.length);
  const addresses = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // by the same names as the description: `/api/v1/receipts/{id}.dsse`, say
  const listed = routes.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
  expect(listed.toSorted()).toEqual(addresses.toSorted());
  expect(summary).toMatchObject({
    surfaces: ['studio', 'missions', 'platform', 'analytics'],
    api_routes: routes.length,
    mcp_tools: mcp.tools.length,
    mcp_resources: mcp.resources.length,
    providers: 3,
  });
  const counts = Object.values(summary.api_routes_by_surface as Record<string, number>);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(routes.length);
  expect(routes).toContainEqual(
    expect.objectContaining({ surface: 'missions', path: '/api/v1/missions', method: 'POST' }),
  );
  expect(mcp.endpoint).toBe(`${base}/api/mcp`);
  expect(mcp.tools.map(({ name }: any) => name)).toEqual(
    expect.arrayContaining(['agent_mission_create', 'studio_brief', 'explore']),
  );
  expect(mcp.resources.map(({ uri }: any) => uri)).toEqual(
    expect.arrayContaining(['studio://jobs/{id}', expect.stringContaining('receipt')]),
  );
});

test('a process that serves the platform alone lists itself alone', async () => {
  await using alone = await testApi({ SURFACES: 'platform' });
  const { summary, api: routes } = (await alone.app.inject(`${root}/integrations/catalog`)).json();
  expect(summary.surfaces).toEqual(['platform']);
  expect(new Set(routes.map(({ surface }: any) => surface))).toEqual(new Set(['platform', 'service']));
});

test('OpenAI’s own client lists models, and finds those whose names have slashes', async () => {
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const client = new OpenAI({ apiKey: (await api.key()).secret, baseURL: `${url}${root}`, maxRetries: 0 });
  const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['auto', 'keyed/maker/talker', 'local-animatic/animatic']));
  expect(new Set(ids).size).toBe(ids.length);
  expect(await client.models.retrieve('keyed/maker/talker')).toMatchObject({ object: 'model', owned_by: 'keyed' });
  expect(await read(`${root}/models/keyed/maker/talker`)).toMatchObject({ id: 'keyed/maker/talker' });
  await expect(client.models.retrieve('nobody/nothing')).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('the description is OpenAPI 3.1 by one validator and clean by another', { timeout: 120_000 }, async () => {
  const document = await read('/api/openapi.json');
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: base }] });
  const faults = await openapiFaults(document);
  // clients of OpenAI's kind want ids beside words (`/videos/{id}`, `/videos/generate`); words win here
  expect(faults.filter((fault) => !fault.startsWith('no-ambiguous-paths'))).toEqual([]);
});

test('input schemas of capabilities stand by themselves', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { data } = await read(`${root}/capabilities`);
  const all = await Promise.all(data.map(async ({ slug }: any) => await read(`${root}/capabilities/${slug}`)));
  const schemas = all.flatMap(({ routes }) => routes.map((route: any) => route.input_schema));
  expect(schemas.length).toBeGreaterThan(0);
  // a route that takes forms alone has one too
  for (const schema of schemas) expect(typeof ajv.compile(schema)).toBe('function');
  const { routes } = await read(`${root}/capabilities/orchestrate.run`);
  const isAsked = ajv.compile(routes[0].input_schema);
  const body = { query: 'Hash "a"', timeout_seconds: 60, plan_only: false };
  expect([isAsked(body), isAsked({ ...body, steps: [] })]).toEqual([true, false]);
});
