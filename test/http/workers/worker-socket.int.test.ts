import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openSocket, socketUrl } from './open-socket.ts';
import { fence, type Handed, remoteApi } from './remote.ts';

test('a worker registers, takes, reports and leaves over one socket', async () => {
  await using api = await remoteApi();
  const url = await socketUrl(api);
  const { headers } = await api.key({ scopes: ['jobs.work'] });
  using worker = await openSocket(url, headers);
  const registered = await worker.ask('register', { queues: [{ name: 'acme.resize-image' }], capacity: 2 });
  expect(registered).toMatchObject({ status: 201, body: { queues: [{ name: 'acme.resize-image', versions: [1] }] } });
  const id = registered.body.worker;
  const submitted = await api.submit(3);
  let jobs: Handed[] = [];
  while (jobs.length === 0) ({ jobs } = (await worker.ask('poll', { worker: id, credits: 2, jobs: [] })).body);
  expect(jobs).toMatchObject([{ id: submitted, payload: { width: 3 } }]);
  const reports = [{ ...fence(jobs[0]!), type: 'succeeded', result: { bytes: 3 } }];
  expect(await worker.ask('report', { worker: id, reports })).toMatchObject({
    status: 200,
    body: { answers: [{ status: 'accepted' }] },
  });
  expect(await worker.ask('leave', { worker: id })).toMatchObject({ status: 204 });
  expect(await worker.ask('poll', { worker: id, credits: 1, jobs: [] })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});

test('a lease outlives its socket, and ends with the key', async () => {
  await using api = await remoteApi();
  const url = await socketUrl(api);
  const key = await api.key({ scopes: ['jobs.work'] });
  const first = await openSocket(url, key.headers);
  const { worker } = (await first.ask('register', { queues: [{ name: 'acme.resize-image' }], capacity: 2 })).body;
  first.socket.terminate();
  using second = await openSocket(url, key.headers);
  expect(await second.ask('poll', { worker, credits: 0, wait_ms: 0, jobs: [] })).toMatchObject({ status: 200 });
  const closed = once(second.socket, 'close');
  api.hub.closeKey(key.id, 'the key was revoked');
  await closed;
});

test('error: what is no message, or does not fit, is answered and ends nothing', async () => {
  await using api = await remoteApi();
  const url = await socketUrl(api);
  const { headers } = await api.key({ scopes: ['jobs.work'] });
  using worker = await openSocket(url, headers);
  expect(await worker.send(null, '{')).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
  expect(await worker.send(null, '{"type":"poll"}')).toMatchObject({ status: 400 });
  expect(await worker.ask('poll', { credits: 1, jobs: [] })).toMatchObject({ status: 400 });
  expect(await worker.ask('register', { capacity: 0 })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
});

test('error: JSON that is not taken is answered under the id of its message, for which its worker waits', async () => {
  await using api = await remoteApi();
  const url = await socketUrl(api);
  const { headers } = await api.key({ scopes: ['jobs.work'] });
  using worker = await openSocket(url, headers);
  const reports = [JSON.parse('{"type": "succeeded", "result": {"__proto__": 1}}')];
  expect(await worker.ask('report', { worker: randomUUID(), reports })).toMatchObject({
    status: 400,
    body: { code: 'malformed_body' },
  });
});

test('error: text that cannot be stored is refused over a socket as it is over HTTP', async () => {
  await using api = await remoteApi();
  const { headers } = await api.key({ scopes: ['jobs.work'] });
  using worker = await openSocket(await socketUrl(api), headers);
  const queues = [{ name: 'acme.resize-image' }];
  expect(await worker.ask('register', { queues, capacity: 1, name: 'a\0b' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
});

test('error: over a socket, too, a report that is none is refused alone, and what is no list whole', async () => {
  await using api = await remoteApi();
  const { headers } = await api.key({ scopes: ['jobs.work'] });
  using socket = await openSocket(await socketUrl(api), headers);
  const { body } = await socket.ask('register', { queues: [{ name: 'acme.resize-image' }], capacity: 1 });
  await api.submit(1);
  const polled = await socket.ask('poll', { worker: body.worker, credits: 1, jobs: [] });
  const [job] = polled.body.jobs as Handed[];
  const step = { ...fence(job!), type: 'step', after: 0, value: 1 };
  const deep = JSON.parse('['.repeat(120) + ']'.repeat(120)) as unknown;
  const reports = [
    { ...step, name: '' },
    { ...step, name: 'deep', value: deep },
    { ...fence(job!), type: 'succeeded', result: { bytes: 1 } },
  ];
  expect(await socket.ask('report', { worker: body.worker, reports })).toMatchObject({
    status: 200,
    body: {
      answers: [
        { status: 'refused', code: 'invalid_request', path: '/name' },
        { status: 'refused', code: 'invalid_request', message: expect.stringContaining('100 levels') },
        { status: 'accepted' },
      ],
    },
  });
  for (const none of [[], {}, null])
    expect(await socket.ask('report', { worker: body.worker, reports: none })).toMatchObject({ status: 400 });
  expect(await socket.ask('poll', { worker: body.worker, credits: 0, jobs: deep })).toMatchObject({ status: 400 });
});
