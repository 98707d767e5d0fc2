import { expect, test } from 'vitest';
import { type LimitedCaller, limitScopes } from '#src/access/limits/limit-kinds.ts';
import { removeLimit, setLimit } from '#src/access/limits/limit-rows.ts';
import { limitsOf } from '#src/access/limits/limits-known.ts';
import { gaugeRefusedGroups } from '#src/access/limits/refused-groups.ts';
import { openContext } from '#src/system/context.ts';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const setBy = 'key:test';
const line = { queue: 'acme.resize-image', payload: { width: 1 } };

/** A call with a key of its own. */
async function caller(api: RemoteApi, request: object = {}) {
  const key = await api.key({ scopes: ['jobs.submit', 'jobs.manage'], ...request });
  const send = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
    await api.app.inject({
      method,
      url,
      headers: { ...key.headers, prefer: 'respond-async' },
      ...(payload && { payload }),
    });
  const submit = async () => await send('POST', '/v1/queues/acme.resize-image/jobs', { payload: { width: 1 } });
  return { id: key.id, send, submit };
}

test('the most specific limit decides: key, owner, plan, default, setting', async () => {
  await using api = await remoteApi({ OWNER_QUEUE_DEPTH: '77' });
  const { context } = api;
  const limits = limitsOf(context);
  const subject = { key: '0198c0de-0000-7000-8000-000000000001', owner: 'acme', plan: 'high', default: '' };
  const who: LimitedCaller = { owner: 'acme', keyId: subject.key, tier: 'high' };
  const held = async (one: LimitedCaller) => await limits.of('queue_depth', one);
  expect(await held(who)).toEqual({ most: 77, scope: 'setting' });
  for (const [most, scope] of limitScopes.entries())
    await setLimit(context, { kind: 'queue_depth', scope, subject: subject[scope], most, setBy });
  await limits.refresh();
  for (const [most, scope] of limitScopes.entries()) {
    expect(await held(who)).toEqual({ most, scope });
    await removeLimit(context, { kind: 'queue_depth', scope, subject: subject[scope] }, setBy);
    await limits.refresh();
  }
  await setLimit(context, { kind: 'queue_depth', scope: 'plan', subject: 'high', most: 5, setBy });
  await limits.refresh();
  expect(await held({ owner: 'acme' })).toEqual({ most: 77, scope: 'setting' });
});

test('another process goes by a change without being asked', async () => {
  await using api = await remoteApi();
  await using other = await openContext(api.context.config, 'test');
  const [mine, theirs] = [limitsOf(api.context), limitsOf(other)];
  expect(await theirs.of('queue_depth', { owner: 'owner-1' })).toMatchObject({ scope: 'setting' });
  await setLimit(api.context, { kind: 'queue_depth', scope: 'owner', subject: 'owner-1', most: 3, setBy });
  for (const limits of [mine, theirs])
    await expect
      .poll(async () => await limits.of('queue_depth', { owner: 'owner-1' }), { timeout: 2_000 })
      .toEqual({ most: 3, scope: 'owner' });
});

test('a full queue says which limit it was, how much of it is used, and when to come again; a key is counted for itself', async () => {
  await using api = await remoteApi();
  const operator = await caller(api, { owner: 'op', operator: true });
  const [one, two] = [await caller(api), await caller(api)];
  const set = async (body: object) => (await operator.send('PUT', '/v1/limits', body)).statusCode;
  expect(await set({ kind: 'queue_depth', scope: 'owner', subject: 'owner-1', most: 3 })).toBe(200);
  expect(await set({ kind: 'queue_depth', scope: 'key', subject: one.id, most: 1 })).toBe(200);
  expect((await one.submit()).statusCode).toBe(202);
  const refused = await one.submit();
  expect([refused.statusCode, refused.json()]).toMatchObject([
    429,
    { code: 'quota_exceeded', details: { queue: 'acme.resize-image', limit: 1, limit_of: 'key', used: 1 } },
  ]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  for (const wanted of [202, 202, 429]) expect((await two.submit()).statusCode).toBe(wanted);
  expect((await two.submit()).json()).toMatchObject({ details: { limit: 3, limit_of: 'owner', used: 3 } });
  expect((await operator.send('DELETE', '/v1/limits?kind=queue_depth&scope=owner&subject=owner-1')).statusCode).toBe(
    204,
  );
  // operators see whom limits refuse, and how often
  const refusals = async () => (await operator.send('GET', '/v1/limits/refusals')).json().data;
  await expect.poll(refusals).toEqual([
    { owner: 'owner-1', policy: 'owner-depth', queue: 'acme.resize-image', group: 'owner-1', refused: 2 },
    { owner: 'owner-1', policy: 'key-depth', queue: 'acme.resize-image', group: 'owner-1', refused: 1 },
  ]);
  expect((await one.send('GET', '/v1/limits/refusals')).statusCode).toBe(403);
  const text = await api.context.metrics.registry.metrics();
  expect(text).toContain('proofline_limit_refusals_total{policy="owner-depth"} 2');
  await expect.poll(async () => (await two.submit()).statusCode).toBe(202);
});

test('refused jobs are counted by group: for the owner of the queue, for operators, in the metrics', async () => {
  await using api = await remoteApi();
  gaugeRefusedGroups(api.context);
  const operator = await caller(api, { owner: 'op', operator: true });
  const one = await caller(api);
  const { context } = api;
  await setLimit(context, { kind: 'queue_depth', scope: 'owner', subject: 'owner-1', most: 1, setBy });
  await limitsOf(context).refresh();
  const jobs = '/v1/queues/acme.resize-image/jobs';
  expect((await one.send('POST', jobs, { payload: { width: 1 }, group: 'first' })).statusCode).toBe(202);
  const many = 22;
  const named = (index: number) => `g-${String(index).padStart(2, '0')}`;
  // each a different number of times, so that the order tells
  const wanted = Array.from({ length: many }, (_, index) =>
    Array.from({ length: index + 1 }, () => ({ ...line, group: named(index) })),
  ).flat();
  const bulk = await one.send('POST', '/v1/jobs/bulk', [...wanted, line]);
  const codes = bulk.body
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text).error.code);
  expect(codes).toEqual(Array(wanted.length + 1).fill('quota_exceeded'));
  expect((await one.send('POST', jobs, { payload: { width: 1 }, group: 'first' })).statusCode).toBe(429);

  const groups = async () => (await one.send('GET', '/v1/queues/acme.resize-image/groups')).json();
  await expect.poll(async () => (await groups()).data[0]).toMatchObject({ group: 'first', waiting: 1, refused: 1 });
  const { data, rest } = await groups();
  expect(data).toHaveLength(20);
  expect(data[1]).toEqual({ group: named(21), waiting: 0, running: 0, oldest_waiting_seconds: 0, refused: 22 });
  // what is beside the twenty: g-00 to g-02, and the owner's own
  expect(rest).toEqual({ waiting: 0, running: 0, oldest_waiting_seconds: 0, refused: 1 + 2 + 3 + 1 });
  const [most] = (await operator.send('GET', '/v1/limits/refusals')).json().data;
  const policy = 'owner-depth';
  expect(most).toEqual({ owner: 'owner-1', policy, queue: 'acme.resize-image', group: named(21), refused: 22 });
  const text = await context.metrics.registry.metrics();
  expect(text).toContain('proofline_group_refused{queue="acme.resize-image",group="g-21"} 22');
  expect(text).toContain('proofline_group_refused{queue="acme.resize-image"} 5');
});

test('requests are bounded by the limit of the key, before that of its owner', async () => {
  await using api = await remoteApi();
  const [one, two] = [await caller(api), await caller(api)];
  const { context } = api;
  await setLimit(context, { kind: 'requests_per_minute', scope: 'owner', subject: 'owner-1', most: 500, setBy });
  await setLimit(context, { kind: 'requests_per_minute', scope: 'key', subject: one.id, most: 2, setBy });
  await limitsOf(context).refresh();
  const first = await one.send('GET', '/v1/limits/mine');
  expect(first.headers['ratelimit-policy']).toContain('"key-minute";q=2;w=60');
  expect(first.json().data).toContainEqual({ kind: 'requests_per_minute', most: 2, limit_of: 'key' });
  await one.send('GET', '/v1/limits/mine');
  const third = await one.send('GET', '/v1/limits/mine');
  expect([third.statusCode, third.json().details]).toMatchObject([
    429,
    { policy: 'key-minute', limit: 2, used: 3, 'violated-policies': ['key-minute'] },
  ]);
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
  const other = await two.send('GET', '/v1/limits/mine');
  expect(other.headers['ratelimit-policy']).toContain('"owner-minute";q=500;w=60');
});

test('operators list, set and remove limits, page by page; what is no limit is refused with its place', async () => {
  await using api = await remoteApi();
  const operator = await caller(api, { owner: 'op', operator: true });
  for (const subject of ['a', 'b', 'c with a space'])
    await operator.send('PUT', '/v1/limits', { kind: 'requests_per_day', scope: 'owner', subject, most: 5 });
  const first = (await operator.send('GET', '/v1/limits?limit=2')).json();
  expect(first.data.map(({ subject }: { subject: string }) => subject)).toEqual(['a', 'b']);
  expect(first.settings).toContainEqual({ kind: 'queue_depth', tier: 'high', most: 10_000 });
  const rest = (await operator.send('GET', `/v1/limits?after=${encodeURIComponent(first.next)}`)).json();
  expect(rest).toMatchObject({ data: [{ subject: 'c with a space', most: 5 }], next: null });
  const refusals: readonly (readonly [object, string])[] = [
    [{ kind: 'queue_depth', scope: 'key', subject: 'nobody', most: 1 }, 'body.subject'],
    [{ kind: 'queue_depth', scope: 'plan', subject: 'gold', most: 1 }, 'body.subject'],
    [{ kind: 'queue_depth', scope: 'owner', most: 1 }, 'body.subject'],
    [{ kind: 'queue_depth', scope: 'default', subject: 'x', most: 1 }, 'body.subject'],
    [{ kind: 'requests_per_day', scope: 'default', most: 0 }, 'body.most'],
    [{ kind: 'queue_depth', scope: 'default', most: -1 }, 'body.most'],
    [{ kind: 'wishes', scope: 'default', most: 1 }, 'body.kind'],
  ];
  for (const [body, field] of refusals)
    expect((await operator.send('PUT', '/v1/limits', body)).json()).toMatchObject({ status: 400, errors: [{ field }] });
  expect((await operator.send('GET', '/v1/limits?after=nonsense')).statusCode).toBe(400);
  expect((await operator.send('DELETE', '/v1/limits?kind=queue_depth&scope=default')).statusCode).toBe(404);
});

test('error: a key of no operator neither lists nor sets limits', async () => {
  await using api = await remoteApi();
  const { send } = await caller(api);
  const answers = [
    await send('GET', '/v1/limits'),
    await send('PUT', '/v1/limits', { kind: 'queue_depth', scope: 'default', most: 1 }),
    await send('DELETE', '/v1/limits?kind=queue_depth&scope=default'),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
});
