import { expect, test } from 'vitest';
import { testApi } from '#test/http/api.ts';

const bodies = [
  ['a form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--\r\n'],
  ['text', { 'content-type': 'text/plain' }, 'a'],
  ['JSON that is none', { 'content-type': 'application/json' }, '{'],
  ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'x'],
  ['a body of no type', {}, 'a'],
  ['more than is taken', { 'content-type': 'application/json' }, 'x'.repeat(1_100_000)],
] as const;

test('a path that does not exist is 404 and a wrong method 405, whatever the body', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  for (const [what, type, payload] of bodies) {
    for (const [url, description] of [
      ['/v1/nope', '/v1/openapi.json'],
      ['/api/v1/nope', '/v1/openapi.json'],
      ['/api/v2/nope', '/api/openapi.json'],
      ['/api/v2/audio/translations', '/api/openapi.json'],
      ['/api/studio/v1/nope', '/v1/openapi.json'],
    ] as const) {
      const answer = await api.app.inject({ method: 'POST', url, headers: { ...headers, ...type }, payload });
      expect(answer.statusCode, `${what} to ${url}`).toBe(404);
      expect(answer.body).toContain(`expected a path of this API (${description} lists them), got ${url}.`);
    }
    for (const [url, allow] of [
      ['/v1/jobs', 'GET, HEAD'],
      ['/api/v2/models', 'GET, HEAD'],
      ['/api/studio/v1/capabilities', 'GET, HEAD'],
    ] as const) {
      const answer = await api.app.inject({ method: 'POST', url, headers: { ...headers, ...type }, payload });
      expect(answer.statusCode, `${what} to ${url}`).toBe(405);
      expect(answer.headers['allow']).toBe(allow);
    }
  }
  const studio = await api.app.inject({ method: 'POST', url: '/api/studio/v1/nope', headers, payload: '' });
  expect(studio.json()).toMatchObject({ error: { code: 'not_found', request_id: studio.headers['x-request-id'] } });
  const platform = await api.app.inject({ method: 'POST', url: '/api/v2/nope', headers, payload: '' });
  expect(platform.json()).toMatchObject({ code: 'not_found', error: { type: 'not_found_error' } });
});
