import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fence, remoteApi } from '#test/http/workers/remote.ts';

const url = '/v1/queues/acme.resize-image/jobs';
const late = { prefer: 'respond-async' };

test('a job is submitted with everything that may be said of it, and shows it', async () => {
  await using api = await remoteApi();
  const run_at = '2099-01-01T00:00:00.000Z';
  const said = {
    priority: 7,
    group: 'customer-1',
    metadata: { order: 12, tags: ['a'] },
    expires_at: '2099-01-02T00:00:00.000Z',
  };
  const answer = await api.call('POST', url, { payload: { width: 1 }, run_at, ...said }, late);
  expect([answer.statusCode, answer.headers['location']]).toEqual([202, `/v1/jobs/${answer.json().id}`]);
  expect(await api.job(answer.json().id)).toMatchObject({ run_at, ...said, version: 1, queue: 'acme.resize-image' });
});

test('a repeated request gets the same job, whatever the order of its properties; another one under its key is refused', async () => {
  await using api = await remoteApi();
  const more = { ...late, 'idempotency-key': 'once' };
  const [first, second] = [
    await api.call('POST', url, { payload: { width: 1 }, priority: 2 }, more),
    await api.call('POST', url, { priority: 2, payload: { width: 1 } }, more),
  ];
  expect(second.json().id).toBe(first.json().id);
  expect((await api.call('POST', url, { payload: { width: 2 } }, more)).statusCode).toBe(409);
  const bulk = await api.call('POST', '/v1/jobs/bulk', [
    { queue: 'acme.resize-image', payload: { width: 1 }, priority: 2, idempotency_key: 'once' },
  ]);
  expect(bulk.body).toBe(`{"index":0,"id":"${first.json().id}","created":false}\n`);
});

test('error: what does not fit is refused with its place', async () => {
  await using api = await remoteApi();
  for (const [body, field] of [
    [{ payload: { width: 0 } }, '/width'],
    [{ payload: { width: 1 }, run_at: '2099-01-01T00:00:00Z', delay_ms: 1 }, 'body.delay_ms'],
    [{ payload: { width: 1 }, expires_at: '2001-01-01T00:00:00Z' }, 'body.expires_at'],
    [{ payload: { width: 1 }, metadata: { a: 'x'.repeat(17_000) } }, 'body.metadata'],
    [{ payload: { width: 1 }, version: 9 }, 'version'],
  ] as const) {
    const answer = await api.call('POST', url, body, late);
    expect([answer.statusCode < 500, answer.body]).toEqual([true, expect.stringContaining(field)]);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  }
});

test('many jobs are submitted as lines, each answered for itself in its place', async () => {
  await using api = await remoteApi();
  const items = [
    { queue: 'acme.resize-image', payload: { width: 1 } },
    { queue: 'acme.resize-image', payload: { width: 0 } },
    { queue: 'acme.other', payload: {} },
    { queue: 'acme.resize-image' },
  ];
  const bad = [
    '{"queue":',
    '',
    '{"queue":"acme.resize-image","payload":{"width":1,"width":2}}',
    '{"queue":"acme.resize-image","payload":{"width":1e999}}',
    '{"queue":"acme.resize-image","payload":{"width":1,"__proto__":{}}}',
  ];
  const lines = [...items.map((item) => JSON.stringify(item)), ...bad, JSON.stringify(items[0])].join('\n');
  const answer = await api.call('POST', '/v1/jobs/bulk', lines, { 'content-type': 'application/x-ndjson' });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    expect.stringContaining('application/x-ndjson'),
  ]);
  const answers = answer.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { index: 0, created: true },
    { index: 1, error: { code: 'invalid_payload', details: { path: '/width' } } },
    { index: 2, error: { code: 'not_found', details: { field: 'queue' } } },
    { index: 3, error: { code: 'invalid_request' } },
    { index: 4, error: { code: 'malformed_body' } },
    { index: 5, error: { code: 'malformed_body' } },
    { index: 6, error: { code: 'invalid_request', details: { field: 'body.payload.width' } } },
    { index: 7, error: { code: 'malformed_body' } },
    { index: 8, created: true },
  ]);
  expect(await api.job(answers[8].id)).toMatchObject({ state: 'queued', payload: { width: 1 } });
});

test('all or nothing: one that cannot be taken keeps all out, and a repetition of all finds them', async () => {
  await using api = await remoteApi();
  const item = (width: number) => ({ queue: 'acme.resize-image', payload: { width }, idempotency_key: `w-${width}` });
  const send = async (...widths: number[]) => await api.call('POST', '/v1/jobs/bulk?atomic=true', widths.map(item));
  const bad = await send(1, 2, 0);
  expect([bad.statusCode, bad.json()]).toMatchObject([422, { code: 'invalid_payload', details: { index: 2 } }]);
  expect((await api.call('GET', '/v1/jobs')).json().data).toEqual([]);
  const first = (await send(1, 2)).body;
  expect((await send(1, 2)).body).toBe(first.replaceAll('"created":true', '"created":false'));
  const mixed = await send(1, 3);
  expect([mixed.statusCode, mixed.json()]).toMatchObject([409, { details: { index: 1 } }]);
  expect((await send(4, 4)).statusCode).toBe(409);
  expect((await api.call('GET', '/v1/jobs')).json().data).toHaveLength(2);
});

test('error: none, more than ten thousand, and what is no list of jobs are refused as one', async () => {
  await using api = await remoteApi();
  const statusOf = async (body: unknown, type = 'application/json') =>
    (await api.call('POST', '/v1/jobs/bulk', body, { 'content-type': type })).statusCode;
  expect([
    await statusOf([]),
    await statusOf({}),
    await statusOf('{}\n'.repeat(10_001), 'application/x-ndjson'),
    await statusOf('a,b', 'text/csv'),
  ]).toEqual([400, 400, 400, 415]);
});

test('a job that has not begun in its time is cancelled, and says why', async () => {
  await using api = await remoteApi();
  const expires_at = new Date(Date.now() + 3_000).toISOString();
  const id = await api.submit(1, { expires_at });
  await expect
    .poll(async () => await api.job(id))
    .toMatchObject({
      state: 'cancelled',
      error: { details: { reason: 'expired' } },
    });
});

test('a job that waits for another shows it, and one that is unique is answered with the job that holds its key', async () => {
  await using api = await remoteApi();
  const first = await api.submit(1);
  const second = await api.submit(2, { depends_on: [first], on_failure: 'continue' });
  expect(await api.job(second)).toMatchObject({ state: 'waiting', attempt: 0 });
  expect((await api.call('GET', `/v1/jobs/${second}/timeline`)).json()).toMatchObject({
    depends_on: [{ job_id: first, state: null, on_failure: 'continue' }],
  });
  const unique = { key: 'a', while: 'unfinished', conflict: 'return' };
  const held = await api.submit(3, { unique });
  const again = await api.call('POST', url, { payload: { width: 4 }, unique }, late);
  expect([again.statusCode, again.headers['idempotency-replayed'], again.json().id]).toEqual([202, 'true', held]);
  const refused = await api.call(
    'POST',
    url,
    { payload: { width: 4 }, unique: { ...unique, conflict: 'refuse' } },
    late,
  );
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'unique_conflict', details: { job: held } },
  ]);
  for (const [more, field] of [
    [{ depends_on: [randomUUID()] }, 'body.depends_on'],
    [{ on_failure: 'fail' }, 'body.on_failure'],
    [{ unique: { ...unique, key: '' } }, 'unique'],
    [{ unique: { ...unique, key: 'a\u0000' } }, 'unique.key'],
  ] as const) {
    const answer = await api.call('POST', url, { payload: { width: 1 }, ...more }, late);
    expect([answer.statusCode < 500, answer.body]).toEqual([true, expect.stringContaining(field)]);
  }
});

test('a child that is unique may be another’s job, whose end is waited for', async () => {
  await using api = await remoteApi();
  const held = await api.submit(3, { unique: { key: 'a', while: 'unfinished', conflict: 'return' } });
  const worker = await api.worker();
  const [other] = await worker.take();
  const parent = await api.submit(9);
  const [handed] = await worker.take(1, [other!]);
  const child = { queue: 'acme.resize-image', payload: { width: 5 } };
  const unique = { key: 'a', while: 'unfinished', conflict: 'return' };
  const on = { kind: 'result', name: 'c.result', child: held };
  const answers = await worker.report(
    { ...fence(handed!), type: 'submit', name: 'c', after: 0, ...child, unique },
    { ...fence(handed!), type: 'suspended', after: 1, on },
  );
  expect(answers).toMatchObject([{ status: 'accepted', child: held }, { status: 'accepted' }]);
  await worker.report({ ...fence(other!), type: 'succeeded', result: { bytes: 7 } });
  const [woken] = await worker.take();
  expect(woken).toMatchObject({
    id: parent,
    steps: [{ kind: 'child' }, { kind: 'result', value: { state: 'succeeded' } }],
  });
});
