import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { fence, type RemoteApi, remoteApi, type TestWorker } from './remote.ts';

const statuses = async (worker: TestWorker, ...reports: object[]) =>
  (await worker.report(...reports)).map(({ status }) => status);

const take = async (worker: TestWorker) => (await worker.take(1))[0]!;

const logOf = async (api: RemoteApi, id: string): Promise<string[]> =>
  (await api.call('GET', `/v1/jobs/${id}/logs`))
    .json()
    .data.map(({ message }: { readonly message: string }) => message);

test('a failure that is said again is accepted again and changes nothing, whatever has become of the job', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const id = await api.submit(1);
  const first = await take(worker);
  const failed = { ...fence(first), type: 'failed', error: { code: 'no_luck', message: 'no', details: { n: 1 } } };
  expect(await statuses(worker, failed)).toEqual(['accepted']);
  await until(async () => (await logOf(api, id)).includes('another attempt follows'));
  const [before, log] = [await api.job(id), await logOf(api, id)];
  const others = [
    { ...failed, error: { ...failed.error, message: 'yes' } },
    { ...failed, error: { ...failed.error, details: { n: 2 } } },
    { ...failed, retryable: false },
    { ...failed, token: first.id },
    { ...fence(first), type: 'released' },
    { ...fence(first), type: 'succeeded', result: { bytes: 1 } },
  ];
  const stale = others.map(() => 'stale');
  for (const repeated of [failed, { ...failed, retryable: true }])
    expect(await statuses(worker, repeated, ...others)).toEqual(['accepted', ...stale]);
  expect([await api.job(id), await logOf(api, id)]).toEqual([before, log]);

  // another attempt has it by now: its reports are taken beside the old one
  const second = await take(worker);
  expect(second).toMatchObject({ id, attempt: 2 });
  const another = await api.worker();
  expect(await statuses(another, failed)).toEqual(['stale']);
  const end = { ...fence(second), type: 'succeeded', result: { bytes: 2 } };
  expect(await statuses(worker, failed, ...others.slice(0, 3), end, end, failed)).toEqual([
    'accepted',
    ...stale.slice(0, 3),
    'accepted',
    'accepted',
    'accepted',
  ]);
  expect(await statuses(worker, failed, end, { ...end, result: { bytes: 3 } })).toEqual([
    'accepted',
    'accepted',
    'stale',
  ]);
  expect(await api.job(id)).toMatchObject({ state: 'succeeded', result: { bytes: 2 } });
});

test('the last failure, and a result that does not fit, are answered as before', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const first = await take(worker);
  const failed = { ...fence(first), type: 'failed', error: { message: 'no' }, retryable: false };
  expect(await statuses(worker, failed)).toEqual(['accepted']);
  expect(await statuses(worker, failed, { ...failed, retryable: true })).toEqual(['accepted', 'stale']);
  await api.submit(2);
  const second = await take(worker);
  const misfit = { ...fence(second), type: 'succeeded', result: { bytes: 'x' } };
  const [refusal] = await worker.report(misfit);
  expect(refusal).toMatchObject({ status: 'refused', code: 'invalid_result', path: '/bytes' });
  expect(await worker.report(misfit)).toEqual([refusal]);
  expect(await statuses(worker, { ...misfit, result: {} }, { ...misfit, result: { bytes: 1 } })).toEqual([
    'stale',
    'stale',
  ]);
});

test('a suspension that is said again is accepted again, also once the job goes on', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const id = await api.submit(1);
  const first = await take(worker);
  const on = { kind: 'signal', name: 'go', timeout_ms: 3_600_000 };
  const suspended = { ...fence(first), type: 'suspended', after: 0, on };
  const others = [
    { ...suspended, on: { ...on, name: 'stop' } },
    { ...suspended, on: { ...on, timeout_ms: 1_000 } },
    { ...suspended, on: { kind: 'signal', name: 'go' } },
    { ...suspended, on: { kind: 'sleep', name: 'go', until: '2100-01-01T00:00:00Z' } },
    { ...suspended, after: 1 },
    { ...fence(first), type: 'released' },
  ];
  const stale = others.map(() => 'stale');
  expect(await statuses(worker, suspended)).toEqual(['accepted']);
  expect(await statuses(worker, suspended, ...others)).toEqual(['accepted', ...stale]);
  expect((await api.call('POST', `/v1/jobs/${id}/signals/go`, { payload: 1 })).statusCode).toBeLessThan(300);
  const second = await take(worker);
  expect(second).toMatchObject({ id, attempt: 2 });
  expect(await statuses(worker, suspended, ...others)).toEqual(['accepted', ...stale]);
  expect(await statuses(worker, { ...fence(second), type: 'succeeded', result: { bytes: 1 } })).toEqual(['accepted']);
  expect(await statuses(worker, suspended)).toEqual(['accepted']);
});

test('what was given back is given back once', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const id = await api.submit(1);
  const first = await take(worker);
  const released = { ...fence(first), type: 'released' };
  expect(await statuses(worker, released)).toEqual(['accepted']);
  expect(await statuses(worker, released, { ...fence(first), type: 'failed', error: { message: 'no' } })).toEqual([
    'accepted',
    'stale',
  ]);
  const second = await take(worker);
  expect(second).toMatchObject({ id, attempt: 2 });
  expect(await statuses(worker, released)).toEqual(['accepted']);
  expect(await api.job(id)).toMatchObject({ state: 'running' });
});
