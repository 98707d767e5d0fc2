import { expect, test } from 'vitest';
import { type TestApi, testApi } from '#test/http/api.ts';

const origin = 'https://app.example';
const preflight = (method: string, headers = 'authorization,content-type', from = origin) => ({
  origin: from,
  'access-control-request-method': method,
  'access-control-request-headers': headers,
});

async function described(api: TestApi): Promise<readonly (readonly [string, string])[]> {
  const { paths } = (await api.app.inject('/v1/openapi.json')).json() as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) =>
        [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, '01a1fc5b-0711-78a0-9bec-a19fe873a55a')] as const,
    ),
  );
}

const ofSessions = (path: string) => path.startsWith('/auth/');
const ofMachines = (path: string) => path === '/api/mcp';

test('every route answers the preflight of a page with a key, save those of sessions', async () => {
  await using api = await testApi({ ANONYMOUS_PER_MINUTE: '5' });
  const routes = await described(api);
  expect(routes.length).toBeGreaterThan(180);
  for (const [method, url] of routes) {
    const answer = await api.app.inject({ method: 'OPTIONS', url, headers: preflight(method) });
    if (ofMachines(url)) continue;
    if (ofSessions(url)) {
      expect(answer.statusCode, url).toBe(403);
      expect(answer.headers, url).not.toHaveProperty('access-control-allow-origin');
      continue;
    }
    expect(answer.statusCode, `${method} ${url}`).toBe(204);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-max-age': '7200' });
    expect(String(answer.headers['access-control-allow-methods']).split(', '), url).toContain(method);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  }
});

test('a preflight allows the headers that callers send, and others that are names; nothing else gets into the answer', async () => {
  await using api = await testApi();
  const ask = async (names: string) =>
    String(
      (await api.app.inject({ method: 'OPTIONS', url: '/v1/jobs', headers: preflight('GET', names) })).headers[
        'access-control-allow-headers'
      ],
    ).split(', ');
  expect(await ask('X-Stainless-OS, OpenAI-Project, no name, <b>')).toEqual(
    expect.arrayContaining([
      'authorization',
      'x-api-key',
      'content-type',
      'idempotency-key',
      'last-event-id',
      'traceparent',
      'mcp-protocol-version',
      'mcp-session-id',
      'x-stainless-os',
      'openai-project',
    ]),
  );
  expect(await ask('no name, <b>')).not.toContain('<b>');
});

test('a page reads answers and refusals, and the headers that clients go by', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  const ask = async (url: string, more: Record<string, string> = {}) =>
    await api.app.inject({ url, headers: { origin, ...more } });
  for (const answer of [
    await ask('/v1/jobs', headers),
    await ask('/v1/jobs'),
    await ask('/v1/jobs?limit=0', headers),
    await ask('/v1/nowhere'),
    await ask('/api/v2/models'),
    await ask('/api/studio/v1/jobs', headers),
  ]) {
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
    const wanted = ['x-request-id', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy', 'x-job-id'];
    expect(exposed).toEqual(expect.arrayContaining(wanted));
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  }
  for (const url of ['/auth/session', '/auth/sign-in', '/verify', '/api/docs'])
    expect((await ask(url)).headers, url).not.toHaveProperty('access-control-allow-origin');
});

test('an ordinary OPTIONS, and a preflight of no path, are answered as what they are', async () => {
  await using api = await testApi();
  const options = async (url: string, headers = {}) => await api.app.inject({ method: 'OPTIONS', url, headers });
  expect((await options('/v1/jobs')).json()).toMatchObject({ status: 405 });
  expect((await options('/v1/nowhere', preflight('GET'))).json()).toMatchObject({ status: 404 });
});

test('with CORS_ORIGINS only pages of these origins may call; what is public all may read', async () => {
  await using api = await testApi({ CORS_ORIGINS: `${origin}, https://other.example` });
  const { headers } = await api.key();
  const from = async (url: string, page: string) =>
    await api.app.inject({ url, headers: { ...headers, origin: page } });
  expect((await from('/v1/jobs', origin)).headers).toMatchObject({
    'access-control-allow-origin': origin,
    vary: 'origin',
  });
  const stranger = await from('/v1/jobs', 'https://evil.example');
  expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
  expect(stranger.headers['vary']).toBe('origin');
  expect((await from('/api/v2/models', 'https://evil.example')).headers['access-control-allow-origin']).toBe('*');
  const refused = await api.app.inject({
    method: 'OPTIONS',
    url: '/v1/jobs',
    headers: preflight('GET', 'authorization', 'https://evil.example'),
  });
  expect(refused.json()).toMatchObject({
    status: 403,
    detail: 'expected a page of an origin in CORS_ORIGINS, got "https://evil.example".',
  });
  // machines have their own rule, which a listed origin fits
  const mcp = async (page: string) =>
    (await api.app.inject({ method: 'POST', url: '/api/mcp', payload: {}, headers: { ...headers, origin: page } }))
      .headers;
  expect(await mcp(origin)).toMatchObject({ 'access-control-allow-origin': origin });
  expect(await mcp('https://evil.example')).not.toHaveProperty('access-control-allow-origin');
});

test('by default no page of another origin calls tools; CORS_ORIGINS=none shuts out every page but from what is public', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  const mcp = await api.app.inject({ method: 'POST', url: '/api/mcp', payload: {}, headers: { ...headers, origin } });
  expect(mcp.statusCode).toBe(403);
  expect(mcp.headers).not.toHaveProperty('access-control-allow-origin');
  await using shut = await testApi({ CORS_ORIGINS: 'none' });
  const options = async (url: string) =>
    (await shut.app.inject({ method: 'OPTIONS', url, headers: preflight('GET') })).statusCode;
  expect(await options('/v1/jobs')).toBe(403);
  expect(await options('/api/v2/models')).toBe(204);
});

test('metadata that says how a key is brought is told to a client with a wrong one', async () => {
  await using api = await testApi();
  for (const url of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/mcp']) {
    const answer = await api.app.inject({ url, headers: { authorization: 'Bearer sk-platform-wrong', origin } });
    expect(answer.statusCode, url).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  }
  const wrong = await api.app.inject({ url: '/.well-known/oauth-protected-resource?x=1' });
  expect(wrong.headers['content-type']).toBe('application/problem+json');
  expect(wrong.json()).toMatchObject({ status: 400, code: 'invalid_request' });
});
