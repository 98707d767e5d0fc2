import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { setLimit } from '#src/access/limits/limit-rows.ts';
import { limitsOf } from '#src/access/limits/limits-known.ts';
import { contract, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const queue = 'acme.resize-image';
const url = `/v1/queues/${queue}/jobs`;
const late = { prefer: 'respond-async' };

/** Registers a second version, whose payloads those of the first do not fit. */
async function narrow({ call }: RemoteApi): Promise<void> {
  const payload = { ...contract.payload, required: ['width', 'height'], properties: { width: {}, height: {} } };
  const answer = await call('PUT', `/v1/queues/${queue}`, { version: 2, contract: { ...contract, payload } });
  expect(answer.statusCode).toBe(201);
}

const line = (key: string, width = 1) => ({ queue, payload: { width }, idempotency_key: key });
const read = (body: string) =>
  body
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));

test('a repeated request gets its job after the contract has changed; another one under its key does not', async () => {
  await using api = await remoteApi();
  const once = { ...late, 'idempotency-key': 'once' };
  const first = await api.call('POST', url, { payload: { width: 1 } }, once);
  await narrow(api);
  const second = await api.call('POST', url, { payload: { width: 1 } }, once);
  expect([second.statusCode, second.json().id]).toEqual([202, first.json().id]);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect((await api.call('POST', url, { payload: { width: 2 } }, once)).statusCode).toBeGreaterThanOrEqual(400);
  const bulk = await api.call('POST', '/v1/jobs/bulk', [line('once'), line('new')]);
  expect(read(bulk.body)).toMatchObject([
    { index: 0, id: first.json().id, created: false },
    { index: 1, error: { code: 'invalid_payload' } },
  ]);
});

test('a repeated flow is the flow that there is after the contracts of its nodes have changed', async () => {
  await using api = await remoteApi();
  const flow = { nodes: [{ name: 'one', queue, payload: { width: 1 } }] };
  const send = async () => await api.call('POST', '/v1/flows', flow, { 'idempotency-key': 'once' });
  const first = await send();
  expect(first.statusCode).toBe(202);
  await narrow(api);
  const second = await send();
  expect([second.statusCode, second.json().id]).toEqual([202, first.json().id]);
  const other = { nodes: [{ name: 'two', queue, payload: { width: 1, height: 1 } }] };
  const refused = await api.call('POST', '/v1/flows', other, { 'idempotency-key': 'once' });
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'idempotency_conflict']);
});

test('many jobs whose answer was lost are repeated although they have filled the queue', async () => {
  await using api = await remoteApi();
  const items = Array.from({ length: 3 }, (_, index) => line(`key-${index}`, index + 1));
  for (const path of ['/v1/jobs/bulk', '/v1/jobs/bulk?atomic=true']) {
    const made = read((await api.call('POST', path, items)).body).map(({ id }) => id);
    await setLimit(api.context, { kind: 'queue_depth', scope: 'owner', subject: 'owner-1', most: 3, setBy: 'test' });
    await expect.poll(async () => (await limitsOf(api.context).of('queue_depth', { owner: 'owner-1' })).most).toBe(3);
    const again = await api.call('POST', path, items);
    expect([path, again.statusCode, read(again.body)]).toEqual([
      path,
      200,
      made.map((id, index) => ({ index, id, created: false })),
    ]);
  }
  const more = await api.call('POST', '/v1/jobs/bulk?atomic=true', [...items, line('key-3')]);
  expect([more.statusCode, more.json()]).toMatchObject([429, { code: 'quota_exceeded' }]);
});

test('each of many jobs may have a receiver of its end, also one that is repeated', async () => {
  await using api = await remoteApi();
  const webhook = { url: 'https://receiver.example/ends' };
  const items = [{ ...line('a'), webhook }, line('b'), { ...line('c'), webhook: { url: 'nowhere' } }];
  for (const path of ['/v1/jobs/bulk', '/v1/jobs/bulk']) {
    const [first, , third] = read((await api.call('POST', path, items)).body);
    expect(third).toMatchObject({ index: 2, error: { code: 'invalid_request' } });
    const kept = await api.context.db.any(sql.unsafe`
      select w.job, e.url from job_webhooks w join webhook_endpoints e on e.id = w.endpoint`);
    expect(kept).toEqual([{ job: first.id, ...webhook }]);
  }
});
