import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobScopes } from '#src/lib/principal.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

const contract = { title: 'Count', payload: { type: 'object' }, result: { type: 'object' } };
const narrower = { ...contract, payload: { type: 'object', required: ['url'] } };

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  const { headers } = await api.key({ owner: 'acme', scopes: ['jobs.manage'] });
  const put = async (name: string, payload: object) =>
    expect([201]).toContain(
      (await api.app.inject({ method: 'PUT', url: `/v1/queues/${name}`, headers, payload })).statusCode,
    );
  await put('zeta.count-words', { contract });
  await put('acme.count-words', { contract });
  await put('acme.count-words', { version: 2, contract: narrower });
  await put('acme.count-pages', { contract });
});
afterAll(async () => await api[Symbol.asyncDispose]());

const list = async (headers: object) => await api.app.inject({ url: '/v1/namespaces', headers: { ...headers } });

test('an owner’s namespaces are listed by name, with the number of their queues whatever their versions', async () => {
  for (const scope of jobScopes) {
    const { headers } = await api.key({ owner: 'acme', scopes: [scope] });
    expect((await list(headers)).json()).toEqual({
      data: [
        { name: 'acme', created_at: expect.stringMatching(/^\d{4}-.*Z$/), queues: 2 },
        { name: 'zeta', created_at: expect.any(String), queues: 1 },
      ],
    });
  }
});

test('nobody else sees them: another owner and an operator get their own, and ours are nobody’s', async () => {
  const stranger = await api.key({ owner: 'eve', scopes: ['jobs.work'] });
  const operator = await api.key({ owner: 'house', scopes: [], operator: true });
  for (const { headers } of [stranger, operator]) expect((await list(headers)).json()).toEqual({ data: [] });
});

test('error: without a scope over jobs they are not listed', async () => {
  const { headers } = await api.key({ owner: 'acme', scopes: ['platform.mcp.execute'] });
  const answer = await list(headers);
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'forbidden', details: { reason: 'scope' } }]);
  expect((await list({})).statusCode).toBe(401);
});
