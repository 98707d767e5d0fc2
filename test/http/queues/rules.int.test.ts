import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApi, testApi } from '#test/http/api.ts';

const contract = { title: 'Count', payload: { type: 'object' }, result: { type: 'object' } };
const queue = 'acme.count-words';

let api: TestApi;
let mine: Readonly<Record<string, string>>;
let operator: Readonly<Record<string, string>>;
beforeAll(async () => {
  api = await testApi();
  mine = (await api.key({ owner: 'acme', scopes: ['jobs.manage', 'jobs.submit'] })).headers;
  operator = (await api.key({ owner: 'house', scopes: [], operator: true })).headers;
  const url = `/v1/queues/${queue}`;
  await api.app.inject({ method: 'PUT', url, headers: mine, payload: { contract } });
});
afterAll(async () => await api[Symbol.asyncDispose]());

const call = async (
  method: 'GET' | 'PUT' | 'DELETE',
  headers: Readonly<Record<string, string>>,
  { payload, of = queue, query = '' }: { payload?: object; of?: string; query?: string } = {},
) => await api.app.inject({ method, url: `/v1/queues/${of}/rules${query}`, headers, ...(payload && { payload }) });

test('a rule is written, read, replaced as a whole, and taken away', async () => {
  const payload = { kind: 'group', name: 'desk', weight: 2.5, concurrency: 4, rate: { jobs: 10, per_seconds: 60 } };
  const made = await call('PUT', mine, { payload });
  expect([made.statusCode, made.json()]).toMatchObject([200, { ...payload, paused: false, reason: null }]);
  const changed = await call('PUT', mine, { payload: { kind: 'group', name: 'desk', paused: true, reason: 'a test' } });
  expect(changed.json()).toMatchObject({ weight: null, concurrency: null, rate: null, paused: true, reason: 'a test' });
  await call('PUT', mine, { payload: { kind: 'queue', concurrency: 0 } });
  const listed = (await call('GET', mine)).json();
  expect(listed.data).toMatchObject([
    { kind: 'queue', name: null, concurrency: 0 },
    { kind: 'group', name: 'desk', paused: true },
  ]);
  expect(listed.data[0].changed_by).toMatch(/^key:/);
  expect((await call('DELETE', mine, { query: '?kind=group&name=desk' })).statusCode).toBe(204);
  expect((await call('DELETE', mine, { query: '?kind=queue' })).statusCode).toBe(204);
  const gone = await call('DELETE', mine, { query: '?kind=queue' });
  expect([gone.statusCode, gone.json()]).toMatchObject([404, { code: 'not_found' }]);
  expect((await call('GET', mine)).json()).toEqual({ data: [] });
});

test('a queue of another is not there; a built-in one, and all queues, are an operator’s', async () => {
  const stranger = (await api.key({ owner: 'eve', scopes: ['jobs.manage'] })).headers;
  const payload = { kind: 'owner', name: 'acme', paused: true };
  expect((await call('PUT', stranger, { payload })).statusCode).toBe(404);
  expect((await call('GET', stranger)).statusCode).toBe(404);
  for (const of of ['analytics.stress', '*']) {
    expect((await call('PUT', mine, { payload, of })).statusCode).toBe(404);
    expect((await call('PUT', operator, { payload, of })).statusCode).toBe(200);
    expect((await call('DELETE', operator, { of, query: '?kind=owner&name=acme' })).statusCode).toBe(204);
  }
});

test.each([
  [{ kind: 'group' }, 'name: expected the group, or * for each, got none.'],
  [{ kind: 'queue', name: 'x' }, 'name: expected none for a rule of the queue itself, got "x".'],
])('error: %j', async (payload, message) => {
  expect((await call('PUT', mine, { payload })).json()).toMatchObject({ code: 'invalid_request', detail: message });
});

test('error: a rule of all queues is an owner’s, or a key’s', async () => {
  const answer = await call('PUT', operator, { payload: { kind: 'group', name: 'x' }, of: '*' });
  expect(answer.json().detail).toBe('kind: expected "owner" or "key" for a rule of all queues, got "group".');
});

test.each([
  [{ kind: 'queue', weight: 0 }],
  [{ kind: 'queue', concurrency: -1 }],
  [{ kind: 'queue', rate: { jobs: 1 } }],
  [{ kind: 'group', name: 'a\u0000b' }],
  [{ kind: 'somebody', name: 'x' }],
  [{ kind: 'group', name: 'a\ud800b' }],
  [{ kind: 'queue', paused: true, reason: 'a\ud800b' }],
  [{ kind: 'key', name: 'not-a-key', concurrency: 1 }],
  [{ kind: 'owner', name: 'acme', weight: 2 }],
  [{ kind: 'queue', weight: 2 }],
])('error: %j is refused', async (payload) => {
  expect((await call('PUT', mine, { payload })).statusCode).toBe(400);
});

test('who waits is told by group, the 20 with the most and the others together', async () => {
  await api.context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, group_key)
    select gen_random_uuid(), 'acme', ${queue}, 'queued', 0, '{}', '', case n % 3 when 0 then 'fed' else 'ready' end, 'group ' || g
    from generate_series(1, 25) g, generate_series(1, 30 - g) n`);
  const answer = await api.app.inject({ url: `/v1/queues/${queue}/groups`, headers: mine });
  const { data, rest } = answer.json();
  expect(data).toHaveLength(20);
  expect(data[0]).toMatchObject({ group: 'group 1', waiting: 29, running: 0 });
  expect(data[19]).toMatchObject({ group: 'group 20', waiting: 10 });
  expect(rest).toMatchObject({ waiting: 9 + 8 + 7 + 6 + 5, running: 0 });
});
