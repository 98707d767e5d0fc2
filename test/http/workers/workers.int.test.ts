import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contract, fence, remoteApi } from './remote.ts';

test('a job is handed to a worker elsewhere, which says how far it is, and its result is the answer', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const answer = api.call(
    'POST',
    '/v1/queues/acme.resize-image/jobs',
    { payload: { width: 8 } },
    { prefer: 'wait=30' },
  );
  const [job] = await worker.take();
  expect(job).toMatchObject({ queue: 'acme.resize-image', version: 1, attempt: 1, payload: { width: 8 } });
  expect(
    await worker.report(
      { ...fence(job!), type: 'log', level: 'info', message: 'half way' },
      { ...fence(job!), type: 'progress', data: { done: 0.5 } },
      { ...fence(job!), type: 'succeeded', result: { bytes: 7 } },
    ),
  ).toEqual([{ status: 'accepted' }, { status: 'accepted' }, { status: 'accepted' }]);
  const { statusCode, body } = await answer;
  expect([statusCode, body]).toEqual([200, '{"bytes":7}']);
  expect(await api.job(job!.id)).toMatchObject({ state: 'succeeded', result: { bytes: 7 }, attempt: 1, version: 1 });
});

test('a worker is handed no more than it has hands for, and what waits is handed out as hands come free', async () => {
  await using api = await remoteApi();
  const ids = await Promise.all(Array.from({ length: 7 }, (_, index) => api.submit(index + 1)));
  const worker = await api.worker([{ name: 'acme.resize-image' }], 3);
  const done = new Set<string>();
  while (done.size < ids.length) {
    const jobs = await worker.take(10);
    expect(jobs.length).toBeLessThanOrEqual(3);
    await worker.report(...jobs.map((job) => ({ ...fence(job), type: 'succeeded', result: { bytes: 1 } })));
    for (const { id } of jobs) done.add(id);
  }
  expect(done).toEqual(new Set(ids));
});

test('a report is answered for itself: taken once, stale from others, refused where it does not fit', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  await api.submit(2);
  const jobs = [...(await worker.take(1)), ...(await worker.take(1))];
  const [first, second] = jobs;
  const stranger = { job: first!.id, attempt: 1, token: randomUUID() };
  expect(await worker.report({ ...stranger, type: 'succeeded', result: { bytes: 1 } })).toMatchObject([
    { status: 'stale' },
  ]);
  const success = { ...fence(first!), type: 'succeeded', result: { bytes: 1 } };
  expect(await worker.report(success, success)).toEqual([{ status: 'accepted' }, { status: 'accepted' }]);
  expect(await worker.report({ ...fence(first!), type: 'failed', error: { message: 'late' } })).toMatchObject([
    { status: 'stale' },
  ]);
  expect(await worker.report({ ...fence(second!), type: 'succeeded', result: { bytes: 'x' } })).toMatchObject([
    { status: 'refused', code: 'invalid_result', path: '/bytes' },
  ]);
  expect(await api.job(second!.id)).toMatchObject({ state: 'failed', error: { code: 'invalid_result' } });
});

test('a report under the id of another worker is stale, but for what has happened outside', async () => {
  await using api = await remoteApi();
  const [worker, other] = [await api.worker(), await api.worker()];
  const id = await api.submit(1);
  const [job] = await worker.take();
  const intended = { ...fence(job!), type: 'effect_intended', name: 'charge', request: { amount: 1 } };
  const done = { ...fence(job!), type: 'effect_done', name: 'charge', outcome: { ok: true } };
  const end = { ...fence(job!), type: 'succeeded', result: { bytes: 1 } };
  expect(await other.report(end, intended)).toMatchObject([{ status: 'stale' }, { status: 'stale' }]);
  expect(await worker.report(intended)).toMatchObject([{ status: 'accepted' }]);
  expect(await other.report(done)).toMatchObject([{ status: 'stale' }]);
  expect(await api.job(id)).toMatchObject({ state: 'running', attempt: 1 });
  expect(await worker.report(intended, end)).toMatchObject([
    { status: 'accepted', effect: { state: 'done', outcome: { ok: true } } },
    { status: 'accepted' },
  ]);
});

test('error: a cost that is none refuses its own report alone', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const [job] = await worker.take();
  const intended = { ...fence(job!), type: 'effect_intended', name: 'charge', request: { amount: 1 } };
  const done = { ...fence(job!), type: 'effect_done', name: 'charge', outcome: { ok: true } };
  for (const [cost_usd, got] of [
    [-1, '-1'],
    ['much', '"much"'],
    [2_000_000, '2000000'],
    [null, 'null'],
  ])
    expect(await worker.report(intended, { ...done, cost_usd })).toMatchObject([
      { status: 'accepted' },
      {
        status: 'refused',
        code: 'invalid_request',
        path: '/cost_usd',
        message: expect.stringContaining(`got ${got}.`),
      },
    ]);
  const end = { ...fence(job!), type: 'succeeded', result: { bytes: 1 } };
  expect(await worker.report({ ...done, cost_usd: 0.5 }, end)).toEqual([
    { status: 'accepted' },
    { status: 'accepted' },
  ]);
});

test('a failure leads to another attempt while the contract has one, unless it says that none can help', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const id = await api.submit(1);
  const error = { code: 'card_declined', message: 'The card was declined.', details: { bank: 'b' } };
  for (const attempt of [1, 2]) {
    const [job] = await worker.take();
    expect(job!.attempt).toBe(attempt);
    await worker.report({ ...fence(job!), type: 'failed', error });
  }
  expect(await api.job(id)).toMatchObject({ state: 'failed', failures: 2, error });
  const other = await api.submit(2);
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'failed', error, retryable: false });
  expect(await api.job(other)).toMatchObject({ state: 'failed', failures: 1 });
});

test('a job that is cancelled is told to the worker that has it, at once and where the message was lost', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const jobs = await worker.take();
  const waiting = worker.poll(5, jobs);
  await api.call('DELETE', `/v1/jobs/${jobs[0]!.id}`);
  let { stop } = await waiting;
  if (stop.length === 0) ({ stop } = await worker.poll(5, jobs));
  expect(stop).toMatchObject([{ id: jobs[0]!.id, reason: 'cancelled' }]);
  expect((await worker.poll(0, jobs, { wait_ms: 0 })).stop).toMatchObject([{ id: jobs[0]!.id, reason: 'cancelled' }]);
});

test('a worker that leaves gives back what it has, and one that dies loses it to another', async () => {
  await using api = await remoteApi();
  const leaving = await api.worker();
  const id = await api.submit(1);
  await leaving.take();
  expect([await leaving.leave(), await leaving.leave()]).toEqual([204, 404]);
  const dying = await api.worker();
  const [held] = await dying.take();
  expect(held).toMatchObject({ id, attempt: 2 });
  const heir = await api.worker();
  const [taken] = await heir.take();
  expect(taken).toMatchObject({ id, attempt: 3 });
  expect((await api.call('POST', `/v1/workers/${dying.worker}/poll`, { credits: 1, jobs: [] })).statusCode).toBe(404);
  expect(await dying.report({ ...fence(held!), type: 'succeeded', result: { bytes: 1 } })).toMatchObject([
    { status: 'stale' },
  ]);
  await heir.report({ ...fence(taken!), type: 'succeeded', result: { bytes: 2 } });
  expect(await api.job(id)).toMatchObject({ state: 'succeeded', result: { bytes: 2 }, failures: 0 });
});

test('a worker of several queues is handed jobs of each, without looking at one of them all the time', async () => {
  await using api = await remoteApi();
  await api.call('PUT', '/v1/queues/acme.crop-image', { contract });
  const names = ['acme.resize-image', 'acme.crop-image'];
  const worker = await api.worker(names.map((name) => ({ name })));
  for (const name of [...names, ...names.toReversed()]) {
    const taking = worker.take(3);
    await api.call('POST', `/v1/queues/${name}/jobs`, { payload: { width: 1 } }, { prefer: 'respond-async' });
    const [job] = await taking;
    expect(job).toMatchObject({ queue: name });
    await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 1 } });
  }
  const looks = async () => Number(/evalsha:calls=(\d+)/.exec(await api.context.redis.info('commandstats'))?.[1]);
  const before = await looks();
  await worker.poll(3);
  expect((await looks()) - before).toBeLessThan(100);
});

test('a suspect runs alone: its worker is handed nothing else until it has ended', async () => {
  await using api = await remoteApi();
  const dying = await api.worker();
  await api.submit(1);
  await dying.take();
  const heir = await api.worker();
  const [suspect] = await heir.take(5);
  await api.submit(2);
  expect((await heir.poll(5, [suspect!])).jobs).toEqual([]);
  await heir.report({ ...fence(suspect!), type: 'succeeded', result: { bytes: 1 } });
  expect(await heir.take(5)).toMatchObject([{ payload: { width: 2 } }]);
});

test('a job keeps the version it was accepted under, and goes to workers that take it', async () => {
  await using api = await remoteApi();
  const first = await api.submit(1);
  const narrower = {
    ...contract,
    payload: { ...contract.payload, required: ['width', 'height'], properties: { width: {}, height: {} } },
  };
  expect((await api.call('PUT', '/v1/queues/acme.resize-image', { version: 2, contract: narrower })).statusCode).toBe(
    201,
  );
  const second = (
    await api.call(
      'POST',
      '/v1/queues/acme.resize-image/jobs',
      { payload: { width: 1, height: 2 } },
      { prefer: 'respond-async' },
    )
  ).json();
  expect(second).toMatchObject({ version: 2 });
  const newer = await api.worker([{ name: 'acme.resize-image', versions: [2] }]);
  expect(await newer.take(5)).toMatchObject([{ id: second.id, version: 2 }]);
  const older = await api.worker([{ name: 'acme.resize-image', versions: [1] }]);
  expect(await older.take(5)).toMatchObject([{ id: first, version: 1 }]);
});

test('others neither submit to a queue, nor work for it, nor see its workers', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  await api.submit(1);
  const [job] = await worker.take();
  const { headers } = await api.key({ owner: 'mallory', scopes: ['jobs.submit', 'jobs.work', 'jobs.manage'] });
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    await api.app.inject({ method, url, headers, ...(payload && { payload }) });
  const statuses = [
    await call('POST', '/v1/queues/acme.resize-image/jobs', { payload: { width: 1 } }),
    await call('POST', '/v1/workers', { queues: [{ name: 'acme.resize-image' }], capacity: 1 }),
    await call('POST', `/v1/workers/${worker.worker}/poll`, { credits: 1, jobs: [] }),
    await call('DELETE', `/v1/workers/${worker.worker}`),
  ].map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([404, 404, 404, 404]);
  expect((await call('GET', '/v1/workers')).json()).toEqual({ data: [] });
  const answer = await call('POST', `/v1/workers/${worker.worker}/report`, {
    reports: [{ ...fence(job!), type: 'succeeded', result: { bytes: 1 } }],
  });
  expect(answer.json()).toMatchObject({ answers: [{ status: 'stale' }] });
});

test('two polls at once hand out no more than the worker can hold', async () => {
  await using api = await remoteApi();
  const { poll } = await api.worker(undefined, 2);
  for (const width of [1, 2, 3, 4]) await api.submit(width);
  const polled = await Promise.all([poll(2), poll(2), poll(2)]);
  const first = polled.flatMap(({ jobs }) => jobs);
  expect(first.length).toBeGreaterThan(0);
  expect((await poll(2, first)).jobs.length + first.length).toBe(2);
});

test('a queue and a version that are named twice are taken once', async () => {
  await using api = await remoteApi();
  const queue = { name: 'acme.resize-image', versions: [1, 1] };
  const answer = await api.call('POST', '/v1/workers', { queues: [queue, queue, { name: queue.name }], capacity: 1 });
  expect(answer.json().queues).toEqual([{ name: 'acme.resize-image', versions: [1] }]);
});

test('a job of another owner is told of as one that is not there, also where it was cancelled', async () => {
  await using api = await remoteApi();
  const id = await api.submit(1);
  expect((await api.call('DELETE', `/v1/jobs/${id}`)).statusCode).toBeLessThan(300);
  const { headers } = await api.key({ owner: 'owner-2', scopes: ['jobs.work', 'jobs.manage'] });
  const contractOf = await api.call('PUT', '/v1/queues/other.some-work', { contract }, headers);
  expect(contractOf.statusCode).toBe(201);
  const queues = [{ name: 'other.some-work' }];
  const { worker } = (await api.call('POST', '/v1/workers', { queues, capacity: 1 }, headers)).json();
  const polled = await api.call(
    'POST',
    `/v1/workers/${worker}/poll`,
    { credits: 0, jobs: [{ id, attempt: 1 }], wait_ms: 0 },
    headers,
  );
  expect(polled.json().stop).toEqual([{ id, attempt: 1, reason: 'lost' }]);
});
