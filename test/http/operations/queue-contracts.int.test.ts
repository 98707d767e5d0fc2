import { expect, test } from 'vitest';
import { queues } from '#queues/index.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { testApi } from '#test/http/api.ts';

const contract = {
  title: 'Resize an image',
  payload: {
    type: 'object',
    properties: { url: { type: 'string', format: 'uri' }, width: { type: 'integer', minimum: 1 } },
    required: ['url'],
    additionalProperties: false,
  },
  result: { type: 'object' },
  attempts: 5,
};

async function operatorApi() {
  const api = await testApi();
  const { headers } = await api.key({ operator: true });
  const put = async (name: string, payload: object) =>
    await api.app.inject({ method: 'PUT', url: `/v1/queues/${name}`, payload, headers });
  const get = async (path: string) => (await api.app.inject({ url: path, headers })).json();
  return { ...api, headers, put, get, [Symbol.asyncDispose]: api[Symbol.asyncDispose] };
}

test('a queue that is registered is listed, paused, counted and takes jobs, without a line of ours changed', async () => {
  await using api = await operatorApi();
  const { put, get, context, headers } = api;
  const made = await put('acme.resize-image', { contract });
  expect([made.statusCode, made.json()]).toMatchObject([201, { name: 'acme.resize-image', version: 1, contract }]);
  expect((await put('acme.resize-image', { contract })).statusCode).toBe(200);
  const { data } = await get('/v1/queues');
  expect(data.at(-1)).toMatchObject({
    name: 'acme.resize-image',
    surface: 'acme',
    attempts: 5,
    workers: 0,
    fleets: [],
  });
  const queue = registryOf(context).get('acme.resize-image')!;
  const { job } = await submit(context, queue, {
    principal: { owner: 'owner-1' },
    payload: { url: 'https://a.example' },
  });
  expect((await get(`/v1/jobs?queue=acme.resize-image`)).data).toMatchObject([{ id: job.id, state: 'queued' }]);
  await expect(
    submit(context, queue, { principal: { owner: 'owner-1' }, payload: { url: 'https://a.example', width: 0 } }),
  ).rejects.toMatchObject({ code: 'invalid_payload', details: { path: '/width' } });
  const paused = await api.app.inject({ method: 'POST', url: '/v1/queues/acme.resize-image/pause', headers });
  expect(paused.json()).toMatchObject({ name: 'acme.resize-image', paused: { by: 'owner-1' }, depth: { queued: 1 } });
  expect(await context.metrics.registry.metrics()).toContain(
    'proofline_queue_depth{queue="acme.resize-image",state="queued"} 1',
  );
});

test('the registry has every built-in queue, as it is compiled in', async () => {
  await using api = await operatorApi();
  for (const { name, title, attempts } of queues.values())
    expect(await api.get(`/v1/queues/${name}`)).toMatchObject({
      versions: 1,
      data: [{ name, version: 1, registered_by: 'release', contract: { title, attempts } }],
    });
});

test('error: a contract that cannot be taken is refused with the place, and nothing is stored', async () => {
  await using api = await operatorApi();
  const { put, get } = api;
  const remote = { ...contract, payload: { $ref: 'https://example.com/schema.json' } };
  expect((await put('acme.resize-image', { contract: remote })).json()).toMatchObject({
    code: 'invalid_contract',
    status: 422,
    details: { path: '/payload/$ref' },
  });
  expect((await put('studio.render', { contract })).json()).toMatchObject({
    code: 'forbidden',
    details: { reason: 'namespace' },
  });
  expect((await put('acme.resize-image', { contract: { ...contract, atempts: 3 } })).statusCode).toBe(400);
  const deep = JSON.parse(`${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}`);
  expect((await put('acme.resize-image', { contract: { ...contract, payload: deep } })).statusCode).toBe(400);
  expect(await get('/v1/queues/acme.resize-image')).toMatchObject({ code: 'not_found' });
  expect(await get('/v1/jobs?queue=acme.resize-image')).toMatchObject({ code: 'invalid_request' });
});

test('error: who is no operator neither registers nor reads contracts', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  const url = '/v1/queues/acme.resize-image';
  expect((await api.app.inject({ method: 'PUT', url, headers, payload: { contract } })).statusCode).toBe(403);
  expect((await api.app.inject({ url, headers })).statusCode).toBe(403);
});
