import { expect, test } from 'vitest';
import { fence, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const unique = { key: 'one', while: 'queued', conflict: 'replace' } as const;
const url = '/v1/queues/acme.resize-image/jobs';
const far = { run_at: '2100-01-01T00:00:00Z' };
const send = async (api: RemoteApi, key: string, width: number, more: object = {}) =>
  await api.call(
    'POST',
    url,
    { payload: { width }, unique, ...more },
    { 'idempotency-key': key, prefer: 'respond-async' },
  );
const bulk = async (api: RemoteApi, atomic: boolean, key: string, width: number) => {
  const line = { queue: 'acme.resize-image', payload: { width }, unique, ...far, idempotency_key: key };
  const answer = await api.call('POST', `/v1/jobs/bulk?atomic=${atomic}`, [line]);
  return JSON.parse(answer.body.trim().split('\n')[0]!);
};

test('a request that is repeated after its job was replaced changes nothing, and is answered with the job as it is', async () => {
  await using api = await remoteApi();
  const { id } = (await send(api, 'key-one', 1, far)).json();
  expect((await send(api, 'key-two', 2, far)).json()).toMatchObject({ id });
  expect((await send(api, 'key-three', 3, far)).json()).toMatchObject({ id });
  for (const [key, width] of [
    ['key-one', 1],
    ['key-two', 2],
    ['key-three', 3],
  ] as const) {
    const again = await send(api, key, width, far);
    expect([again.statusCode, again.headers['idempotency-replayed'], again.json().id]).toEqual([202, 'true', id]);
    expect(await api.job(id)).toMatchObject({ payload: { width: 3 } });
  }
  const other = await send(api, 'key-one', 9, far);
  expect([other.statusCode, other.json().code]).toEqual([409, 'idempotency_conflict']);
});

test('a former key makes no second job once the replaced one has begun, or has ended', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const { id } = (await send(api, 'key-one', 1, far)).json();
  await send(api, 'key-two', 2);
  const worker = await api.worker();
  const [job] = await worker.take();
  expect(job).toMatchObject({ id, payload: { width: 2 } });
  expect((await send(api, 'key-one', 1, far)).json()).toMatchObject({ id, state: 'running' });
  await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 1 } });
  await send(api, 'key-one', 1, far);
  expect((await api.call('GET', '/v1/jobs')).json().data).toHaveLength(1);
});

test.each([false, true])('a former key among many jobs is answered with its job, all or none: %s', async (atomic) => {
  await using api = await remoteApi();
  const { id } = await bulk(api, false, 'key-one', 1);
  expect(await bulk(api, false, 'key-two', 2)).toMatchObject({ id, created: false });
  expect(await bulk(api, atomic, 'key-one', 1)).toMatchObject({ id, created: false });
  expect(await api.job(id)).toMatchObject({ payload: { width: 2 } });
});
