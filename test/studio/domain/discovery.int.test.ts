import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobScopes, studioKeyScopes } from '#src/lib/principal.ts';
import { routeTable } from '#src/studio/domain/route-table.ts';
import { resourceTable, toolTable } from '#src/studio/domain/tool-table.ts';
import { Envelope } from '#src/studio/edge/envelope.ts';
import { inlineRefs } from '#test/helpers/documents/inline-refs.ts';
import { openapiFaults } from '#test/helpers/documents/openapi-faults.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ PUBLIC_URL: 'https://studio.proofline.test' });
});
afterAll(async () => await api[Symbol.asyncDispose]());

const isEnvelope = new Ajv2020({ strict: false }).compile(Envelope);
const root = '/api/studio/v1';

async function read(url: string): Promise<Record<string, unknown>> {
  const response = await api.app.inject(url);
  expect(response.statusCode).toBe(200);
  return response.json();
}

/** The output of a public route that answers with the envelope, held against its schema. */
async function outputOf(url: string): Promise<Record<string, unknown>> {
  const envelope = await read(url);
  expect(isEnvelope(envelope), JSON.stringify(isEnvelope.errors)).toBe(true);
  return envelope['output'] as Record<string, unknown>;
}

test('the manifest is the output of the envelope, with the constants of its document', async () => {
  const manifest = await outputOf(root);
  expect(Object.keys(manifest).toSorted().join(' ')).toBe(
    'authentication category flagshipMediaRoadmap governance mcp name routes status urls version',
  );
  expect(manifest).toMatchObject({
    category: 'Creative Operating System',
    version: '0.1.0',
    status: 'foundation_live_read_only_execution_gated',
    governance: {
      liveProviderSpend: 'approval_required',
      publishing: 'approval_required',
      voiceAndLikeness: 'approval_required',
      commercialClaims: 'approval_required',
      receipts: 'required_for_live_execution',
    },
  });
  const base = 'https://studio.proofline.test';
  expect(manifest['urls']).toEqual({
    app: base,
    studio: base + root,
    providers: `${base}${root}/capabilities`,
    discovery: base + root,
    capabilities: `${base}${root}/capabilities`,
    events: `${base}${root}/events`,
    openapi: `${base}${root}/openapi`,
    mcp_manifest: `${base}/.well-known/mcp.json`,
    developer_console: `${base}/developers`,
    api_keys: `${base}${root}/keys`,
    platform_v2_api: `${base}/api/v2`,
    platform_mcp: `${base}/api/mcp`,
  });
  expect(manifest['mcp']).toMatchObject({
    implementationStatus: expect.any(String),
    summary: {
      toolCount: 7,
      resourceCount: 12,
      writesStateToolCount: 5,
      stageCounts: { catalog: 2, planning: 2, execution_gate: 2, operator: 1 },
      freshnessCounts: { catalog: 4, runtime: 6, policy: 2 },
    },
    tools: toolTable,
    resources: resourceTable,
  });
});

test('the roadmap has its five entries, each field of each', async () => {
  const roadmap = (await outputOf(root))['flagshipMediaRoadmap'] as Record<string, unknown>[];
  expect(
    roadmap.map(({ id, duration, aspectRatios, capabilities }) => [id, duration, aspectRatios, capabilities]),
  ).toEqual([
    [
      'hero-command-room',
      '12-15s seamless loop',
      ['16:9', '9:16', '1:1'],
      ['video.from-image', 'video.cinematic-shot', 'storage.upload', 'video.analytics'],
    ],
    [
      'avatar-operators',
      '6-8s per operator',
      ['9:16', '1:1'],
      ['avatar.realtime', 'avatar.lipsync', 'tts.synthesize', 'video.lipsync'],
    ],
    [
      'commercial-transformation',
      '10-12s',
      ['16:9', '9:16', '4:5'],
      ['video.from-image', 'video.cinematic-shot', 'video.edit', 'storage.upload'],
    ],
    [
      'social-content-engine',
      '8-10s',
      ['9:16', '16:9', '1:1'],
      ['video.edit', 'social.publish', 'social.analytics', 'analytics.events'],
    ],
    [
      'cinematic-showcase',
      'five clips, 6-15s each',
      ['16:9', '9:16', '1:1'],
      ['video.generate', 'video.from-image', 'tts.synthesize', 'video.edit', 'storage.upload'],
    ],
  ]);
  for (const entry of roadmap) {
    expect(entry).toMatchObject({
      title: expect.any(String),
      productSurface: expect.any(String),
      primaryRoute: expect.any(String),
      backupRoute: expect.any(String),
      status: 'planned_pre_spend',
    });
    expect(entry['providers']).not.toHaveLength(0);
    expect(entry['seoOutputs']).not.toHaveLength(0);
  }
});

interface Served {
  readonly summary: string;
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, unknown>>;
}
type Document = { readonly paths: Record<string, Record<string, Served>> } & Record<string, unknown>;

test('what the manifest lists of the studio is what is served and described, no more and no less', async () => {
  const document = (await read(`${root}/openapi`)) as Document;
  const served = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const listed = routeTable
    .filter(({ path }) => path.startsWith(root) || path.startsWith('/.well-known'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(served.toSorted()).toEqual(listed.toSorted());
  for (const { method, path, auth } of routeTable) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation) expect([path, operation.security?.length === 0]).toEqual([path, auth === 'none']);
  }
});

test('every route documents 400, 401, 403, 429 and 500 with the exact error', async () => {
  const document = (await read(`${root}/openapi`)) as Document;
  for (const methods of Object.values(inlineRefs(document).paths))
    for (const { responses } of Object.values(methods))
      for (const status of ['400', '401', '403', '429', '500'])
        expect(responses[status]).toMatchObject({
          content: { 'application/json': { schema: { title: 'StudioError' } } },
        });
  const { components } = document as unknown as { components: { schemas: Record<string, Record<string, unknown>> } };
  const error = (
    components.schemas['StudioError']?.['properties'] as Record<string, Record<string, unknown>> | undefined
  )?.['error'];
  expect(error).toMatchObject({
    additionalProperties: false,
    required: expect.arrayContaining(['type', 'message', 'code', 'request_id']),
  });
  expect(Object.keys(error?.['properties'] as object).toSorted()).toEqual([
    'code',
    'docs',
    'message',
    'request_id',
    'type',
  ]);
});

test('the description is OpenAPI 3.1 by one validator and clean by another', { timeout: 120_000 }, async () => {
  const document = (await read(`${root}/openapi`)) as Document;
  expect(document['openapi']).toBe('3.1.0');
  expect(await openapiFaults(document)).toEqual([]);
});

test('capabilities name the providers that have them, with health, price and latency, and the modes that use them', async () => {
  const { capabilities } = (await outputOf(`${root}/capabilities`)) as { capabilities: Record<string, unknown>[] };
  const film = capabilities.find(({ capability }) => capability === 'video.generate');
  expect(film).toMatchObject({ modes: ['video', 'campaign', 'publish'] });
  expect(film?.['providers']).toContainEqual(
    expect.objectContaining({
      provider: 'local-animatic',
      health: expect.objectContaining({ state: expect.any(String), circuit: expect.any(String) }),
      priceUsd: expect.any(Object),
      latencyMs: { base: expect.any(Number), perSecond: expect.any(Number) },
    }),
  );
  // what only the roadmap names is there as planned
  expect(capabilities).toContainEqual({ capability: 'avatar.realtime', status: 'planned', modes: [], providers: [] });
});

test('machine clients find the transport', async () => {
  expect(await read('/.well-known/mcp.json')).toMatchObject({
    transport: { type: 'streamable-http', url: 'https://studio.proofline.test/api/mcp' },
    authentication: { scopes: studioKeyScopes },
    discovery: { tool: 'explore', arguments: { domain: 'studio' } },
    tools: toolTable.map(({ name }) => name),
  });
});

test('the studio’s document knows the eight scopes alone', async () => {
  const text = JSON.stringify(await read(`${root}/openapi`));
  for (const scope of studioKeyScopes) expect(text).toContain(`"${scope}"`);
  for (const scope of jobScopes) expect(text).not.toContain(`"${scope}"`);
});

test('a process serves the surfaces of its settings, and no others', { timeout: 60_000 }, async () => {
  const pathsOf = async (surfaces: string) => {
    await using some = await testApi({ SURFACES: surfaces });
    const { paths } = (await some.app.inject('/v1/openapi.json')).json() as { paths: object };
    return Object.keys(paths);
  };
  const studio = await pathsOf('studio');
  expect(studio).toEqual(expect.arrayContaining([root, '/v1/jobs', '/api/mcp', '/v1/health']));
  expect(studio).not.toEqual(expect.arrayContaining(['/v1/snapshot']));
  const others = await pathsOf('missions,analytics');
  expect(others).toEqual(expect.arrayContaining(['/v1/snapshot', '/api/v1/missions']));
  expect(others.filter((path) => path.startsWith(root))).toEqual([]);
});
