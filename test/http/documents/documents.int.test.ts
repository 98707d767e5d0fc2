import { Parser } from '@asyncapi/parser';
import '@hyperjump/json-schema/openapi-3-1';
import { setMetaSchemaOutputFormat, validate } from '@hyperjump/json-schema/openapi-3-1';
import { expect, test } from 'vitest';
import { testApi } from '#test/http/api.ts';

interface Operation {
  readonly summary?: string;
  readonly operationId?: string;
  readonly tags?: string[];
  readonly responses: Record<string, unknown>;
  readonly requestBody?: { readonly content: Record<string, unknown> };
}
interface OpenApi {
  readonly servers: { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: object; readonly securitySchemes: object };
}

test('the OpenAPI document is valid 3.1; every operation has a name, a summary, a tag and problem answers', async () => {
  await using api = await testApi({ PUBLIC_URL: 'https://api.example.com' });
  const document = (await api.app.inject('/v1/openapi.json')).json() as OpenApi;
  setMetaSchemaOutputFormat('DETAILED');
  const output = await validate('https://spec.openapis.org/oas/3.1/schema-base', document as never, 'BASIC');
  expect(output).toEqual({ valid: true });
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Problem', 'Job']));
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'session', 'apiKey']);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      '/v1/health',
      '/v1/jobs',
      '/v1/jobs/{id}',
      '/v1/jobs/{id}/events',
      '/v1/jobs/{id}/redrive',
    ]),
  );
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    expect(operation).toMatchObject({
      summary: expect.any(String),
      operationId: expect.any(String),
      tags: expect.arrayContaining([expect.any(String)]),
    });
    // the studio documents each status, in a shape of its own
    const errors = operation.tags?.includes('studio') ? ['400', '401', '403', '429', '500'] : ['4XX', '5XX'];
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(errors));
  }
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});

test('no description in any of the documents says a thing twice', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  const paths = [
    '/v1/openapi.json',
    '/api/openapi.json',
    '/api/v1/openapi.json',
    '/api/studio/v1/openapi',
    '/v1/asyncapi.json',
  ];
  for (const path of paths) {
    const answer = await api.app.inject({ url: path, headers });
    expect(answer.statusCode, path).toBe(200);
    const texts = descriptionsOf(answer.json());
    expect(texts.length, path).toBeGreaterThan(20);
    const paragraphs = texts.map((text) => [text, text.split('\n\n')] as const);
    expect(
      paragraphs.filter(([, parts]) => new Set(parts).size < parts.length).map(([text]) => text),
      path,
    ).toEqual([]);
  }
});

function descriptionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'description' in value && typeof value.description === 'string' ? [value.description] : [];
  return [...own, ...Object.values(value).flatMap(descriptionsOf)];
}

test('missions describe themselves: their own routes, that of machine clients, and what these refer to', async () => {
  await using api = await testApi();
  const document = (await api.app.inject('/api/v1/openapi.json')).json() as OpenApi;
  const output = await validate('https://spec.openapis.org/oas/3.1/schema-base', document as never, 'BASIC');
  expect(output).toEqual({ valid: true });
  const paths = Object.keys(document.paths);
  expect(paths).toEqual(expect.arrayContaining(['/api/v1/missions', '/api/v1/receipts/{id}', '/api/mcp']));
  expect(paths.filter((path) => !/^\/(api\/v1\/|api\/mcp$|\.well-known\/)/.test(path))).toEqual([]);
  const refs = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
  const named = new Set([...refs].map(([, name]) => name));
  expect(new Set(Object.keys(document.components.schemas))).toEqual(named);
});

test('the OpenAPI document says where the API is, and what a chain may come as', async () => {
  const read = async (settings: Record<string, string>) => {
    await using api = await testApi(settings);
    const response = await api.app.inject({ url: '/v1/openapi.json', headers: { host: 'here:4000' } });
    return response.json() as OpenApi;
  };
  const document = await read({});
  expect(document.servers).toEqual([{ url: 'http://here:4000' }]);
  expect(Object.keys(document.paths['/v1/snapshot']?.['post']?.requestBody?.content ?? {})).toEqual([
    'application/json',
    'text/csv',
  ]);
  expect((await read({ PUBLIC_URL: 'https://api.example.com' })).servers).toEqual([{ url: 'https://api.example.com' }]);
});

test('the AsyncAPI document is valid 3.0 and has every stream with both transports', async () => {
  await using api = await testApi({ PUBLIC_URL: 'https://api.example.com' });
  const text = (await api.app.inject('/v1/asyncapi.json')).body;
  const { document, diagnostics } = await new Parser().parse(text);
  expect(diagnostics).not.toContainEqual(expect.objectContaining({ severity: 0 }));
  expect(document?.version()).toBe('3.0.0');
  expect(
    document
      ?.channels()
      .all()
      .map((channel) => channel.address()),
  ).toEqual(
    expect.arrayContaining([
      '/v1/jobs/{id}/events',
      '/ws/v1/jobs/{id}',
      '/v1/jobs/events',
      '/ws/v1/jobs',
      '/v1/operations/events',
      '/ws/v1/operations',
      '/ws/v1/workers',
    ]),
  );
  const types = document
    ?.channels()
    .get('job_sse')
    ?.messages()
    .all()
    .map((message) => message.title());
  expect(types).toEqual([
    'queued',
    'awaiting_approval',
    'started',
    'progress',
    'retrying',
    'released',
    'waiting',
    'replaced',
    'unfolded',
    'node',
    'signalled',
    'succeeded',
    'failed',
    'cancelled',
    'redriven',
    'reprioritised',
    'reset',
    'revoked',
  ]);
  const messagesOf = (channel: string) =>
    document
      ?.channels()
      .get(channel)
      ?.messages()
      .all()
      .map((message) => message.title());
  const market = ['snapshot', 'heartbeat', 'gex', 'levels', 'regime', 'signals', 'reset', 'revoked'];
  expect(messagesOf('market_sse')).toEqual(market);
  const dialogue = ['subscribed', 'unsubscribed', 'error', 'subscribe or unsubscribe'];
  expect(messagesOf('market_websocket')).toEqual([...market, ...dialogue]);
  expect(document?.operations().get('narrow_alerts_websocket')?.action()).toBe('receive');
  const query = document
    ?.channels()
    .get('alerts_websocket')
    ?.bindings()
    .get('ws')
    ?.value<{ query: { properties: object } }>();
  expect(Object.keys(query?.query.properties ?? {})).toEqual(['last_event_id', 'symbols', 'kinds']);
});

test('the AsyncAPI document has the socket of workers: each message with its body, its answer and the refusal', async () => {
  await using api = await testApi();
  const { document } = await new Parser().parse((await api.app.inject('/v1/asyncapi.json')).body);
  const channel = document?.channels().get('workers_websocket');
  expect(channel?.description()).toMatch(/beat_ms[\s\S]*lease_ms[\s\S]*1001[\s\S]*1009[\s\S]*4429/);
  const openApi = (await api.app.inject('/v1/openapi.json')).json();
  const bodies: Readonly<Record<string, readonly [path: string, status: number, answer: string]>> = {
    register: ['/v1/workers', 201, 'RegisteredWorker'],
    poll: ['/v1/workers/{worker}/poll', 200, 'PolledJobs'],
    report: ['/v1/workers/{worker}/report', 200, 'ReportAnswers'],
  };
  const titleOf = (one: { readonly json: () => { readonly title?: string } }) => one.json().title ?? '';
  const operations = document?.operations().filterByReceive() ?? [];
  const own = operations.filter((one) => one.channels().all()[0]?.address() === '/ws/v1/workers');
  expect(own.map(titleOf)).toEqual(['register', 'poll', 'report', 'leave']);
  for (const operation of own) {
    const type = titleOf(operation);
    const [said] = operation.messages().all();
    const { properties, required } = (said?.payload()?.json() ?? {}) as { properties: object; required: string[] };
    const worker = type === 'register' ? [] : ['worker'];
    expect(required).toEqual(expect.arrayContaining(['id', 'type', ...worker]));
    expect(
      operation
        .reply()
        ?.messages()
        .all()
        .map((one) => one.title()),
    ).toEqual([`answer to ${type}`, 'refused']);
    const [path, status, name = ''] = bodies[type] ?? [];
    if (path === undefined) continue;
    const { requestBody } = openApi.paths[path].post;
    const nameIn = (content: any): string => content['application/json'].schema.$ref.split('/').at(-1);
    const body = openApi.components.schemas[nameIn(requestBody.content)];
    expect(Object.keys(properties).toSorted()).toEqual(
      ['id', 'type', ...worker, ...Object.keys(body.properties)].toSorted(),
    );
    const [answer] = operation.reply()?.messages().all() ?? [];
    const answered = answer?.payload()?.json() as {
      properties: { status: { const: number }; body: { properties: object } };
    };
    expect(answered.properties.status.const).toBe(status);
    const whole = openApi.components.schemas[name];
    expect(Object.keys(answered.properties.body.properties)).toEqual(Object.keys(whole.properties));
  }
});
