import { expect, test } from 'vitest';
import { testApi } from '#test/http/api.ts';

test('an unknown address is answered with problem details that clients of OpenAI’s kind understand', async () => {
  await using api = await testApi();
  const unknown = await api.app.inject({ url: '/api/v2/nothing' });
  expect(unknown.statusCode).toBe(404);
  expect(unknown.headers).toMatchObject({ 'content-type': 'application/problem+json', 'x-should-retry': 'false' });
  const { detail, code, request_id: id, error } = unknown.json();
  expect(id).toBe(unknown.headers['x-request-id']);
  expect(error).toEqual({ message: detail, type: 'not_found_error', code, param: null });
  const wrong = await api.app.inject({ method: 'POST', url: '/api/v2/health' });
  expect(wrong).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD' } });
  expect((await api.app.inject({ url: '/api/v2/health' })).json()).toMatchObject({ status: 'ok' });
});
