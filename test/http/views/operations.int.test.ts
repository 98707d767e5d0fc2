import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit, stress } from '#queues/analytics.ts';
import { fleets } from '#queues/fleets.ts';
import { queues } from '#queues/index.ts';
import type { FleetView, QueueView } from '#src/http/views/operations-view.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

type Headers = Readonly<Record<string, string>>;

let api: TestApi;
let operator: Headers;
let caller: Headers;
beforeAll(async () => {
  api = await testApi();
  operator = (await api.key({ owner: 'op', operator: true })).headers;
  caller = (await api.key({ owner: 'owner-1' })).headers;
});
afterAll(async () => await api[Symbol.asyncDispose]());

const submitFit = async (owner: string, more: object = {}) =>
  (await submit(api.context, fit, { principal: { owner }, payload: { chainId: randomUUID() }, ...more })).job;

const update = async (id: string, set: ReturnType<typeof sql.fragment>) =>
  await api.context.db.query(sql.unsafe`update jobs set ${set} where id = ${id}`);

async function list(headers: Headers) {
  const response = await api.app.inject({ url: '/v1/queues', headers });
  const { whose, data } = response.json() as { whose: string; data: QueueView[] };
  return { whose, data, fit: data.find(({ name }) => name === fit.name) };
}

test('every queue is listed with its figures: an operator sees everybody’s jobs, anyone else their own', async () => {
  await submitFit('owner-1');
  const old = await submitFit('owner-2');
  await update(old.id, sql.fragment`queued_at = now() - interval '90 s', run_at = now() - interval '90 s'`);
  await submitFit('owner-2', { runAt: new Date(Date.now() + 3_600_000) });
  await submitFit('owner-2', { held: true });
  await submitFit('owner-2', { approvalId: randomUUID() });
  for (const state of ['succeeded', 'succeeded', 'failed', 'cancelled']) {
    const { id } = await submitFit('owner-2');
    await update(id, sql.fragment`state = ${state}, finished_at = now()`);
  }
  const before = await submitFit('owner-2');
  await update(before.id, sql.fragment`state = 'succeeded', finished_at = now() - interval '1 hour'`);
  const running = await submitFit('owner-2');
  const worker = randomUUID();
  await api.context.db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid) values (${worker}, 'analytics+missions', 'here', 7)`,
  );
  await update(running.id, sql.fragment`state = 'running', worker_id = ${worker}`);

  const all = await list(operator);
  expect(all.whose).toBe('all');
  expect(all.data.map(({ name }) => name)).toEqual([...queues.keys()]);
  expect(all.fit).toMatchObject({
    title: fit.title,
    surface: 'analytics',
    fleets: ['analytics'],
    paused: null,
    depth: { queued: 2, delayed: 1, running: 1, waiting: 0, held: 1, awaiting_approval: 1 },
    // two are due, and four ended in the last minute
    drain_seconds: 30,
    finished: { succeeded: 2, failed: 1, cancelled: 1 },
    per_minute: 4,
    attempts: fit.attempts,
    timeout_ms: fit.timeoutMs,
  });
  expect(all.fit?.oldest_waiting_seconds).toBeGreaterThanOrEqual(90);
  expect(all.data.find(({ name }) => name === stress.name)).toMatchObject({
    depth: { queued: 0, running: 0 },
    oldest_waiting_seconds: 0,
    drain_seconds: 0,
    per_minute: 0,
  });
  expect(all.data.find(({ name }) => name === 'providers.generate')?.fleets).toEqual(['studio', 'platform']);

  const own = await list(caller);
  expect(own.whose).toBe('own');
  expect(own.fit).toMatchObject({
    depth: { queued: 1, delayed: 0, running: 0, waiting: 0, held: 0, awaiting_approval: 0 },
    drain_seconds: null,
    finished: { succeeded: 0, failed: 0, cancelled: 0 },
  });

  const listed = await api.app.inject({ url: '/v1/fleets', headers: operator });
  const found = listed.json<{ data: FleetView[] }>().data;
  expect(found.map(({ name }) => name)).toEqual(Object.keys(fleets));
  const workersOf = (name: string) => found.find((fleet) => fleet.name === name)?.workers;
  const one = { id: worker, host: 'here', pid: 7, running: 1, suspects: false };
  expect(workersOf('analytics')).toMatchObject([one]);
  expect(workersOf('missions')).toMatchObject([one]);
  expect(workersOf('studio')).toEqual([]);
});

test('processes of single queues, and those for suspects, are listed by what they do', async () => {
  const names = [fit.name, 'studio+platform-lane', 'api'];
  await api.context.db.query(sql.unsafe`
    insert into workers (id, fleet, host, pid) select gen_random_uuid(), name, 'there', 8 from unnest(${sql.array(names, 'text')}) as n (name)`);
  const { data } = (await api.app.inject({ url: '/v1/fleets', headers: operator })).json() as { data: FleetView[] };
  await api.context.db.query(sql.unsafe`delete from workers where host = 'there'`);
  const there = data.flatMap(({ name, queues: consumed, workers }) =>
    workers.filter(({ host }) => host === 'there').map(({ suspects }) => ({ name, consumed, suspects })),
  );
  expect(there).toEqual([
    { name: 'studio', consumed: fleets['studio'], suspects: true },
    { name: 'platform', consumed: fleets['platform'], suspects: true },
    { name: fit.name, consumed: [fit.name], suspects: false },
    { name: 'api', consumed: [], suspects: false },
  ]);
});

test('an operator pauses a queue with a reason, and resumes it; both may be said again', async () => {
  const say = async (path: string, payload?: object) => {
    const response = await api.app.inject({
      method: 'POST',
      url: `/v1/queues/${stress.name}/${path}`,
      headers: operator,
      ...(payload && { payload }),
    });
    expect(response.statusCode).toBe(200);
    return response.json() as QueueView;
  };
  const paused = await say('pause', { reason: 'a provider is down' });
  expect(paused).toMatchObject({
    name: stress.name,
    paused: { at: expect.any(String), by: 'op', reason: 'a provider is down' },
    drain_seconds: null,
  });
  expect((await say('pause')).paused).toEqual(paused.paused);
  expect((await list(caller)).data.find(({ name }) => name === stress.name)?.paused).toEqual(paused.paused);
  expect((await say('resume')).paused).toBeNull();
  expect((await say('resume')).paused).toBeNull();
});

test('a queue that no fleet is meant to take, such as that of flows, has no warning that no worker takes it', async () => {
  await using quiet = await testApi();
  const { headers } = await quiet.key({ operator: true });
  const taken = new Set(Object.values(fleets).flat());
  const { data } = (await quiet.app.inject({ url: '/v1/queues', headers })).json() as { data: QueueView[] };
  const moved = data.filter(({ name }) => queues.has(name) && !taken.has(name));
  expect(moved.map(({ name }) => name)).toContain('flows.run');
  expect(moved.flatMap(({ versions }) => versions.map(({ warning }) => warning))).toEqual(moved.map(() => null));
  const warned = data.find(({ name }) => name === stress.name)?.versions[0]?.warning;
  expect(warned).toContain(`no worker takes ${stress.name}@1`);
});

test('error: who is no operator neither pauses nor resumes nor sees fleets; queues that there are not are said', async () => {
  const refused = async (method: 'GET' | 'POST', url: string, headers: Headers) => {
    const response = await api.app.inject({ method, url, headers });
    return [response.statusCode, response.json<{ detail?: string }>().detail];
  };
  const flag = 'expected a key of an operator, got one without that flag.';
  expect(await refused('POST', `/v1/queues/${fit.name}/pause`, caller)).toEqual([403, flag]);
  expect(await refused('POST', `/v1/queues/${fit.name}/resume`, caller)).toEqual([403, flag]);
  expect(await refused('GET', '/v1/fleets', caller)).toEqual([403, flag]);
  expect((await refused('GET', '/v1/queues', {}))[0]).toBe(401);
  expect(await refused('POST', '/v1/queues/nothing/pause', operator)).toEqual([
    404,
    'expected the name of a queue (GET /v1/queues lists them), got nothing.',
  ]);
});
