import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { testApi } from '#test/http/api.ts';

const Body = Type.Object(
  { symbols: Type.Array(Type.String(), { minItems: 1 }), days: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
);

const open = (settings = {}) =>
  testApi(settings, (app) => {
    app.post('/test/echo', { schema: { body: Body } }, async (request) => request.body);
    app.get(
      '/test/query',
      { schema: { querystring: Type.Object({ n: Type.Integer({ default: 7 }) }) } },
      async (request) => request.query,
    );
    app.post('/test/raw', { config: { rawBody: 'chain' }, bodyLimit: 4_000_000 }, async (request) => ({
      bytes: (request.body as Buffer).length,
    }));
    app.get('/test/broken', async () => {
      throw new Error('connect to /secret/path failed with sk-platform-abcdef');
    });
    app.get('/test/scoped', { config: { scope: 'studio.plan' } }, async () => ({}));
  });

test('every refusal is problem details with code, request id and the offending value', async () => {
  await using api = await open();
  const { headers } = await api.key({ scopes: ['platform.mcp.read'] });
  const ask = async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: string | object,
    more: Record<string, string> = {},
  ) => {
    const response = await api.app.inject({
      method,
      url,
      headers: { ...headers, ...more },
      ...(payload !== undefined && { payload }),
    });
    return {
      status: response.statusCode,
      type: response.headers['content-type'],
      id: response.headers['x-request-id'],
      allow: response.headers['allow'],
      body: response.json(),
    };
  };
  const json = { 'content-type': 'application/json' };
  const table = [
    [
      await ask('POST', '/test/echo', { symbols: ['SPX'], colour: 'red' }),
      400,
      'invalid_request',
      'body.colour: expected no such property, got a string.',
    ],
    [
      await ask('POST', '/test/echo', { symbols: 'SPX' }),
      400,
      'invalid_request',
      'body.symbols: expected array, got "SPX".',
    ],
    [
      await ask('POST', '/test/echo', { symbols: ['SPX'], days: '1' }),
      400,
      'invalid_request',
      'body.days: expected integer, got "1".',
    ],
    [
      await ask('POST', '/test/echo', { symbols: [] }),
      400,
      'invalid_request',
      'body.symbols: expected at least 1 item, got an array of 0 items.',
    ],
    [await ask('POST', '/test/echo', {}), 400, 'invalid_request', 'body.symbols: expected a value, got nothing.'],
    [
      await ask('POST', '/test/echo', '{"symbols": [', json),
      400,
      'malformed_body',
      'expected a JSON body, got text that is not JSON.',
    ],
    [await ask('POST', '/test/echo', '', json), 400, 'malformed_body', 'expected a JSON body, got an empty one.'],
    [
      await ask('POST', '/test/echo', 'a,b', { 'content-type': 'text/csv' }),
      415,
      'unsupported_media_type',
      'expected Content-Type application/json, got "text/csv".',
    ],
    [
      await ask('POST', '/test/echo', 'x'.repeat(1_100_000), json),
      413,
      'payload_too_large',
      'expected a body of at most 1048576 bytes, got 1100000.',
    ],
    [await ask('GET', '/test/query?n=seven'), 400, 'invalid_request', 'query.n: expected integer, got "seven".'],
    [
      await ask('GET', '/test/nothing'),
      404,
      'not_found',
      'expected a path of this API (/v1/openapi.json lists them), got /test/nothing.',
    ],
    [await ask('PUT', '/test/echo'), 405, 'method_not_allowed', 'expected POST, got PUT.'],
    [
      await ask('GET', '/test/%zz'),
      400,
      'invalid_request',
      'expected a well-formed path, got one with a broken % escape.',
    ],
    [
      await ask('GET', '/test/scoped'),
      403,
      'forbidden',
      'expected a key with scope studio.plan, got one with platform.mcp.read.',
    ],
    [await ask('GET', '/v1/jobs/not-a-uuid'), 400, 'invalid_request', 'path.id: expected a uuid, got "not-a-uuid".'],
    [
      await ask('GET', '/v1/jobs?limit=101'),
      400,
      'invalid_request',
      'query.limit: expected a number of at most 100, got 101.',
    ],
  ] as const;
  for (const [answer, status, code, detail] of table) {
    expect(answer).toMatchObject({
      status,
      type: 'application/problem+json',
      body: { status, code, detail, request_id: answer.id },
    });
    expect(answer.id).toBeTruthy();
  }
  expect(table[11][0].allow).toBe('POST');
  expect(table[0][0].body.errors).toEqual([
    { field: 'body.colour', message: 'body.colour: expected no such property, got a string.', value: 'red' },
  ]);
});

test('an unforeseen error answers 500 and tells nothing of itself', async () => {
  await using api = await open();
  const response = await api.app.inject({ url: '/test/broken', headers: (await api.key()).headers });
  expect(response.statusCode).toBe(500);
  expect(response.json()).toMatchObject({ code: 'internal' });
  expect(response.body).not.toMatch(/secret|path|sk-platform|at /);
});

test('queries are converted, bodies are not; defaults apply', async () => {
  await using api = await open();
  const { headers } = await api.key();
  expect((await api.app.inject({ url: '/test/query?n=5', headers })).json()).toEqual({ n: 5 });
  expect((await api.app.inject({ url: '/test/query', headers })).json()).toEqual({ n: 7 });
});

test('a route that asks for raw bytes gets them, whatever they are, within its own limit', async () => {
  await using api = await open();
  const { headers } = await api.key();
  const post = async (type: string, size: number) =>
    await api.app.inject({
      method: 'POST',
      url: '/test/raw',
      payload: 'x'.repeat(size),
      headers: { ...headers, 'content-type': type },
    });
  expect((await post('application/json', 3_000_000)).json()).toEqual({ bytes: 3_000_000 });
  expect((await post('text/csv', 10)).json()).toEqual({ bytes: 10 });
  expect((await post('application/json', 4_000_001)).statusCode).toBe(413);
  expect((await post('image/png', 10)).json()).toMatchObject({
    status: 415,
    detail: 'expected Content-Type application/json or text/csv, got "image/png".',
  });
});

test('a client that sends 50 MB hears why it is refused', async () => {
  await using api = await open();
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(`${url}/test/echo`, {
    method: 'POST',
    body: Buffer.alloc(50_000_000, 0x20),
    headers: { ...(await api.key()).headers, 'content-type': 'application/json' },
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({
    code: 'payload_too_large',
    detail: 'expected a body of at most 1048576 bytes, got 50000000.',
    details: { limit_bytes: 1_048_576 },
  });
  const streamed = await fetch(`${url}/test/raw`, {
    method: 'POST',
    body: new Blob([Buffer.alloc(4_000_001)]).stream(),
    duplex: 'half',
    headers: { ...(await api.key()).headers, 'content-type': 'text/csv' },
  });
  expect(await streamed.json()).toMatchObject({ detail: 'expected a body of at most 4000000 bytes, got more.' });
});

test('a compressed body is refused with a sentence, before it is read', async () => {
  await using api = await open();
  const { headers } = await api.key();
  const post = async (coding: string) =>
    await api.app.inject({
      method: 'POST',
      url: '/test/raw',
      payload: 'x',
      headers: { ...headers, 'content-type': 'text/csv', 'content-encoding': coding },
    });
  const refused = await post('gzip');
  expect(refused.json()).toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
    detail: 'expected a body without Content-Encoding, got "gzip"; send it uncompressed.',
  });
  expect(refused.headers['accept-encoding']).toBe('identity');
  expect((await post('identity')).statusCode).toBe(200);
});

test('a sane x-request-id is kept, another is replaced; answers carry the headers of an API', async () => {
  await using api = await open();
  const ask = async (id: string) =>
    (await api.app.inject({ url: '/v1/health', headers: { 'x-request-id': id } })).headers;
  expect((await ask('abc-1.2:3'))['x-request-id']).toBe('abc-1.2:3');
  expect((await ask('two words'))['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(await ask('x')).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

test('bytes that are no HTTP are answered with a problem as well', async () => {
  await using api = await open();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { connect } = await import('node:net');
  const { text } = await import('node:stream/consumers');
  const address = api.app.server.address();
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  socket.write('NONSENSE\r\n\r\n');
  expect(await text(socket)).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json[^]*"code":"invalid_request"/,
  );
});

test('health is public; probes say what is wrong', async () => {
  await using api = await open();
  const health = (await api.app.inject('/v1/health')).json();
  expect(health).toEqual({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    uptime_seconds: expect.any(Number),
  });
  expect((await api.app.inject('/livez')).statusCode).toBe(200);
  expect((await api.app.inject('/readyz')).body).toBe('ready\n');
});

test('answers are counted by route pattern and status, never by path', async () => {
  await using api = await open();
  const { headers } = await api.key();
  await api.app.inject({ url: '/v1/jobs/0198c0de-0000-7000-8000-000000000000', headers });
  await api.app.inject({ url: '/no/such', headers });
  const text = await api.context.metrics.registry.metrics();
  expect(text).toContain('proofline_http_requests_total{method="GET",route="/v1/jobs/:id",status="404"} 1');
  expect(text).toContain('proofline_http_requests_total{method="GET",route="unmatched",status="404"} 1');
});

test('a query parameter that a route does not know is refused, with those it knows; lists come with commas or repeated', async () => {
  await using api = await testApi({}, (app) => {
    const list = Type.Optional(Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')])));
    const schema = { querystring: Type.Object({ list }) };
    app.get('/test/list', { schema }, async (request) => request.query);
  });
  const { headers } = await api.key();
  const ask = async (url: string) => (await api.app.inject({ url, headers })).json() as Record<string, unknown>;
  expect(await ask('/v1/gex/SPX?genration=3')).toMatchObject({
    code: 'invalid_request',
    detail: 'query: expected one of from, generation, vol_regime, ssr, got "genration".',
    errors: [{ field: 'query.genration' }],
  });
  expect(await ask('/v1/oracle/tools?x=1')).toMatchObject({ detail: 'query: expected no parameters, got "x".' });
  expect(await ask('/v1/gex/SPX?__proto__=1')).toMatchObject({ code: 'invalid_request' });
  expect(await ask('/v1/nowhere?x=1')).toMatchObject({ code: 'not_found' });
  expect((await api.app.inject('/livez?x=1')).statusCode).toBe(200);
  expect(await ask('/test/list?list=a,b')).toEqual({ list: ['a', 'b'] });
  expect(await ask('/test/list?list=a&list=b,a')).toEqual({ list: ['a', 'b', 'a'] });
  expect(await ask('/test/list?list=a,c')).toMatchObject({
    detail: 'query.list[1]: expected "a" or "b", got "c".',
  });
});
