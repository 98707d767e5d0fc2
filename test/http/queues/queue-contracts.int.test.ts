import { expect, test } from 'vitest';
import { queues } from '#queues/index.ts';
import { gaugeQueues } from '#src/jobs/figures/queue-gauges.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { jobScopes, studioKeyScopes } from '#src/lib/principal.ts';
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
  gaugeQueues(context);
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

/** An API with an owner who has registered a queue, and keys of this owner and of others. */
async function ownedApi() {
  const api = await testApi();
  const owner = await api.key({ owner: 'acme', scopes: ['jobs.manage'] });
  const url = '/v1/queues/acme.resize-image';
  const put = async ({ headers }: Pick<typeof owner, 'headers'>, to = url) =>
    await api.app.inject({ method: 'PUT', url: to, headers, payload: { contract } });
  const get = async ({ headers }: Pick<typeof owner, 'headers'>, from = url) =>
    await api.app.inject({ url: from, headers });
  expect((await put(owner)).statusCode).toBe(201);
  return { ...api, owner, url, put, get, [Symbol.asyncDispose]: api[Symbol.asyncDispose] };
}

test('an owner registers queues with jobs.manage, and reads them with any scope over jobs', async () => {
  await using api = await ownedApi();
  expect((await api.put(api.owner)).json()).toMatchObject({
    name: 'acme.resize-image',
    registered_by: `key ${api.owner.id}`,
  });
  for (const scope of jobScopes) {
    const key = await api.key({ owner: 'acme', scopes: [scope] });
    expect((await api.get(key)).json()).toMatchObject({ versions: 1, data: [{ name: 'acme.resize-image', contract }] });
  }
  const operator = await api.key({ owner: 'house', scopes: [], operator: true });
  expect((await api.get(operator)).json()).toMatchObject({ versions: 1 });
  expect((await api.put(operator, '/v1/queues/house.keep-order')).statusCode).toBe(201);
});

test('error: a queue of another owner is not there: read, listed and searched as if nobody had registered it', async () => {
  await using api = await ownedApi();
  const stranger = await api.key({ owner: 'eve', scopes: [...jobScopes] });
  const [taken, none] = await Promise.all([api.get(stranger), api.get(stranger, '/v1/queues/acme.none')]);
  expect([taken.statusCode, taken.json().code]).toEqual([404, 'not_found']);
  expect(taken.json().detail).toBe(none.json().detail.replace('acme.none', 'acme.resize-image'));
  expect(taken.json().detail).toContain('GET /v1/queues');
  // those of this product are nobody's
  expect((await api.get(stranger, '/v1/queues/studio.render')).statusCode).toBe(404);
  const listed = async (key: typeof stranger): Promise<string[]> =>
    (await api.get(key, '/v1/queues')).json().data.map(({ name }: { name: string }) => name);
  expect(await listed(stranger)).toEqual([...queues.keys()]);
  expect(await listed(api.owner)).toEqual([...queues.keys(), 'acme.resize-image']);
  expect((await api.get(stranger, '/v1/jobs?queue=acme.resize-image')).statusCode).toBe(400);
  expect((await api.get(api.owner, '/v1/jobs?queue=acme.resize-image')).statusCode).toBe(200);
  const put = await api.put(stranger, '/v1/queues/acme.steal-image');
  expect([put.statusCode, put.json().details]).toEqual([403, { reason: 'namespace', namespace: 'acme' }]);
});

test('error: without a scope over jobs no queue is read, and without jobs.manage none is registered', async () => {
  await using api = await ownedApi();
  const others = await api.key({ owner: 'acme', scopes: [...studioKeyScopes] });
  const refused = await api.get(others);
  expect([refused.statusCode, refused.json().details]).toEqual([403, { reason: 'scope', scopes: [...jobScopes] }]);
  const worker = await api.key({ owner: 'acme', scopes: ['jobs.submit', 'jobs.work'] });
  for (const key of [others, worker]) {
    const put = await api.put(key);
    expect([put.statusCode, put.json().details]).toEqual([403, { reason: 'scope', scope: 'jobs.manage' }]);
  }
  expect((await api.app.inject({ url: api.url })).statusCode).toBe(401);
});
