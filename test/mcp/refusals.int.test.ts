import { expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/keys.ts';
import { studioKeyScopes } from '#src/lib/principal.ts';
import { connect, initialize, type McpApi, mcpApi, post } from './mcp-api.ts';
import { counting, waitingTool } from './trial-tools.ts';

const sse = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' };

async function begin(api: McpApi, secret: string): Promise<{ 'x-api-key': string; 'mcp-session-id': string }> {
  const response = await post(api.url, initialize(), { 'x-api-key': secret });
  await response.text();
  expect(response.status).toBe(200);
  return { 'x-api-key': secret, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

test('without a key, or with a wrong one, 401 says where to ask; the metadata is honest about it', async () => {
  await using api = await mcpApi();
  for (const headers of [{}, { authorization: 'Bearer nonsense' }, { 'x-api-key': `sk-platform-${'0'.repeat(49)}` }]) {
    const response = await post(api.url, initialize(), headers);
    expect(response.status).toBe(401);
    const metadata = `${api.url.origin}/.well-known/oauth-protected-resource/api/mcp`;
    expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="proofline", resource_metadata="${metadata}"`);
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { code: 'unauthorized' } },
    });
    for (const url of [metadata, `${api.url.origin}/.well-known/oauth-protected-resource`]) {
      const document = (await (await fetch(url)).json()) as Record<string, unknown>;
      expect(document).toMatchObject({ resource: api.url.href, bearer_methods_supported: ['header'] });
      // no tool asks for a scope over jobs
      expect(document['scopes_supported']).toEqual(studioKeyScopes);
      expect(document).not.toHaveProperty('authorization_servers');
    }
  }
});

test('arrays of messages, texts that are no JSON, and bodies too large are refused as JSON-RPC errors', async () => {
  await using api = await mcpApi({ tools: [counting] }, { TEXT_BODY_LIMIT_BYTES: '1048576' });
  const { secret } = await api.key();
  const session = await begin(api, secret);
  const refusal = async (body: unknown, headers = {}) => {
    const response = await post(api.url, body, { ...session, ...headers });
    const { error, id } = (await response.json()) as { id: unknown; error: { code: number; message: string } };
    return { status: response.status, id, code: error.code, message: error.message };
  };
  for (const body of [[ping, ping], [], [initialize()]]) {
    expect(await refusal(body)).toMatchObject({ status: 400, id: null, code: -32_600 });
  }
  expect(await refusal('{"jsonrpc":')).toMatchObject({ status: 400, code: -32_700 });
  expect(await refusal('"text"')).toMatchObject({ status: 400, code: -32_600 });
  expect(await refusal({ ...ping, params: { fill: 'x'.repeat(1_100_000) } })).toMatchObject({ status: 413 });
  expect(await refusal(ping, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  expect(await refusal(ping, { 'mcp-protocol-version': '1999-01-01' })).toMatchObject({ status: 400 });
  // the session took no harm
  expect((await post(api.url, ping, session)).status).toBe(200);
});

test('a page of another site, and a name that was pointed here, get 403; pages that may call can read', async () => {
  await using api = await mcpApi(
    {},
    { PUBLIC_URL: 'https://api.example.com', ALLOWED_ORIGINS: 'https://app.example.com' },
  );
  const { secret } = await api.key();
  const call = async (headers: Record<string, string>, method = 'POST' as 'POST' | 'OPTIONS') =>
    await api.app.inject({
      method,
      url: '/api/mcp',
      headers: { host: 'localhost', 'x-api-key': secret, accept: 'application/json, text/event-stream', ...headers },
      ...(method === 'POST' && { payload: initialize() }),
    });
  for (const headers of [
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
    { origin: 'https://localhost.evil.example.com' },
    { host: 'evil.example.com' },
    { host: 'localhost.evil.example.com:4000' },
  ]) {
    const response = await call(headers);
    expect([headers, response.statusCode]).toEqual([headers, 403]);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(response.json()).toMatchObject({ error: { data: { code: 'forbidden' } } });
  }
  expect((await call({ origin: 'https://evil.example.com' }, 'OPTIONS')).statusCode).toBe(403);
  for (const headers of [
    {},
    { host: 'api.example.com' },
    { host: '10.1.2.3:4000' },
    { host: '[::1]:4000' },
    { origin: 'http://localhost:6274' },
    { origin: 'https://api.example.com' },
    { origin: 'https://app.example.com' },
  ]) {
    const response = await call(headers);
    expect([headers, response.statusCode]).toEqual([headers, 200]);
    const { origin } = headers as { origin?: string };
    expect(response.headers['access-control-allow-origin']).toBe(origin);
    if (origin) expect(response.headers['access-control-expose-headers']).toContain('mcp-session-id');
  }
  const preflight = await call({ origin: 'https://app.example.com', 'x-api-key': '' }, 'OPTIONS');
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-headers']).toContain('mcp-protocol-version');
  const refused = await call({ origin: 'https://app.example.com', 'x-api-key': '' });
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['access-control-allow-origin']).toBe('https://app.example.com');
});

test('a session is its key’s alone; DELETE ends it', async () => {
  await using api = await mcpApi();
  const { secret } = await api.key();
  const session = await begin(api, secret);
  const thief = await api.key();
  const stranger = await api.key({ owner: 'owner-2' });
  for (const other of [thief, stranger]) {
    const stolen = { ...session, 'x-api-key': other.secret };
    const response = await post(api.url, ping, stolen);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: -32_001 } });
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(api.url, { method, headers: { ...stolen, ...sse } })).status).toBe(404);
  }
  expect((await post(api.url, ping, { 'x-api-key': secret })).status).toBe(400);
  expect((await fetch(api.url, { method: 'DELETE', headers: session })).status).toBe(200);
  expect((await post(api.url, ping, session)).status).toBe(404);
});

test('a revoked key loses its sessions, streams and calls at once', async () => {
  const { waiting, began, stopped } = waitingTool();
  await using api = await mcpApi({ tools: [waiting] });
  const { id, secret } = await api.key();
  const session = await begin(api, secret);
  const stream = await fetch(api.url, { headers: { ...session, ...sse } });
  expect(stream.status).toBe(200);
  await using other = await connect(api.url, secret, { versionNegotiation: { mode: 'auto' } });
  const call = other.client.callTool({ name: 'trial_wait' });
  call.catch(() => {});
  await began;
  await revokeKey(api.context, id, null);
  // the stream ends by itself: nothing was left on it
  expect(await stream.text()).not.toContain('data: {');
  await stopped;
  await expect(call).rejects.toThrow(/endpoint|closed/i);
  expect((await post(api.url, ping, session)).status).toBe(401);
});

test('one session too many takes the place of the one unused for longest; where all are in use it is refused', async () => {
  // no sign of life comes in time: a stream must open by itself
  await using api = await mcpApi({}, { MCP_SESSIONS_PER_KEY: '2', STREAM_HEARTBEAT_MS: '300000' });
  const { secret } = await api.key();
  const first = await begin(api, secret);
  const second = await begin(api, secret);
  const streams = [await fetch(api.url, { headers: { ...second, ...sse } })];
  const third = await begin(api, secret);
  expect((await post(api.url, ping, first)).status).toBe(404);
  expect((await post(api.url, ping, third)).status).toBe(200);
  streams.push(await fetch(api.url, { headers: { ...third, ...sse } }));
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  const refused = await post(api.url, initialize(), { 'x-api-key': secret });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('5');
  // another key has its own
  const others = await begin(api, (await api.key()).secret);
  const metrics = async () => await api.context.metrics.registry.metrics();
  expect(await metrics()).toContain('\nproofline_mcp_sessions 3\n');
  await fetch(api.url, { method: 'DELETE', headers: others });
  expect(await metrics()).toContain('\nproofline_mcp_sessions 2\n');
  expect(await metrics()).toContain('proofline_mcp_sessions_refused_total{reason="unknown"} 1\n');
  expect(await metrics()).toContain('proofline_mcp_sessions_refused_total{reason="too_many"} 1\n');
});

test('versions: what is known is taken, anything else is answered with 2025-06-18', async () => {
  await using api = await mcpApi();
  const { secret } = await api.key();
  for (const [asked, answered] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-06-18'],
    ['2099-01-01', '2025-06-18'],
  ] as const) {
    const text = await (await post(api.url, initialize(asked), { 'x-api-key': secret })).text();
    expect(text).toContain(`"protocolVersion":"${answered}"`);
  }
  expect((await fetch(api.url, { method: 'HEAD', headers: { 'x-api-key': secret } })).status).toBe(405);
});
