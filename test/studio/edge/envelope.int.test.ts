import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { StudioError } from '#src/studio/edge/studio-error.ts';
import { inlineRefs } from '#test/helpers/documents/inline-refs.ts';
import { testApi } from '#test/http/api.ts';

const fits = Compile(Type.Object({ ...StudioError.properties }, { additionalProperties: false }));

test('whatever goes wrong below the studio’s path is answered in its envelope, and elsewhere as before', async () => {
  await using api = await testApi({ ANONYMOUS_PER_MINUTE: '20', RATE_STANDARD_PER_MINUTE: '30' });
  const { headers } = await api.key({ scopes: ['studio.read'] });
  const path = '/api/studio/v1';
  const json = { ...headers, 'content-type': 'application/json' };
  const requests = [
    [400, 'Invalid request: body', { method: 'POST', url: `${path}/keys`, headers: json, payload: '{"name": 1}' }],
    [400, 'Invalid request: expected a JSON', { method: 'POST', url: `${path}/keys`, headers: json, payload: '{' }],
    [400, 'Invalid request: query', { url: `${path}/keys?limit=1`, headers }],
    [400, 'Invalid request: expected a well-formed path', { url: `${path}/keys/%zz`, headers }],
    [401, 'Authentication required: ', { url: `${path}/keys` }],
    [401, 'Authentication required: ', { url: `${path}/keys`, headers: { authorization: 'Bearer nonsense' } }],
    [403, 'Insufficient scope: ', { url: `${path}/keys`, headers: (await api.key({ scopes: [] })).headers }],
    [404, 'expected a path of this API', { url: `${path}/nothing`, headers }],
    [404, 'expected a path that exists', { url: `${path}/keys/${'a'.repeat(600)}/usage`, headers }],
    [404, 'expected a path of this API', { url: `${path}/`, headers }],
    [405, 'expected GET', { method: 'PUT', url: `${path}/keys`, headers }],
    [413, 'expected a body', { method: 'POST', url: `${path}/keys`, headers: json, payload: ' '.repeat(1_100_000) }],
    [
      415,
      'expected Content-Type',
      { method: 'POST', url: `${path}/keys`, headers: { ...headers, 'content-type': 'text/plain' }, payload: 'x' },
    ],
  ] as const;
  for (const [status, beginning, request] of requests) {
    const answer = await api.app.inject(request);
    const body = answer.json();
    expect([answer.statusCode, answer.headers['content-type'], body.error.message]).toEqual([
      status,
      'application/json',
      expect.stringMatching(new RegExp(`^${beginning}`)),
    ]);
    expect([fits.Check(body), body.error.request_id]).toEqual([true, answer.headers['x-request-id']]);
  }
  const elsewhere = await api.app.inject({ url: '/v1/nothing', headers });
  expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([404, 'not_found']);

  let last = await api.app.inject({ url: `${path}/keys`, headers });
  for (let calls = 0; calls < 40 && last.statusCode !== 429; calls++)
    last = await api.app.inject({ url: `${path}/keys`, headers });
  expect(last.json().error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
});

test('every route of the studio documents its errors in its own shape', async () => {
  await using api = await testApi();
  const document = inlineRefs((await api.app.inject('/v1/openapi.json')).json());
  const routes = Object.entries<Record<string, { responses: Record<string, { content?: object }> }>>(document.paths)
    .filter(([path]) => path.startsWith('/api/studio/v1/'))
    .flatMap(([, methods]) => Object.values(methods));
  expect(routes.length).toBeGreaterThan(5);
  for (const { responses } of routes) {
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '409', '413', '415', '429', '500', '503']),
    );
    expect(responses['400']?.content).toMatchObject({ 'application/json': { schema: { title: 'StudioError' } } });
    expect(Object.keys(responses)).not.toContain('4XX');
  }
});
