import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleets } from '#queues/fleets.ts';
import type { QueueView } from '#src/http/views/operations-view.ts';
import { idleWarning, queueWorkers } from '#src/jobs/figures/queue-workers.ts';
import type { Context } from '#src/system/context.ts';
import { csv } from '#test/analytics/chain-text.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

let api: TestApi;
let headers: Record<string, string>;
beforeAll(async () => {
  api = await testApi();
  ({ headers } = await api.key({ operator: true }));
});
afterAll(async () => await api[Symbol.asyncDispose]());

async function register(fleet: string, age = '0 s'): Promise<string> {
  const id = randomUUID();
  await api.context.db.query(sql.unsafe`
    insert into workers (id, fleet, host, pid, beat_at) values (${id}, ${fleet}, 'here', 1, now() - ${age}::interval)`);
  return id;
}

const clear = async () => void (await api.context.db.query(sql.unsafe`delete from workers`));

async function workersOf(queue: string): Promise<number | null | undefined> {
  const answer = await api.app.inject({ url: '/v1/queues', headers });
  return answer.json<{ data: QueueView[] }>().data.find(({ name }) => name === queue)?.workers;
}

/** A chain of one's own: taken as a job of `analytics.fit`. */
const send = async () =>
  await api.app.inject({
    method: 'POST',
    url: '/v1/snapshot?symbol=SPX',
    headers: { ...headers, 'content-type': 'text/csv', prefer: 'respond-async' },
    payload: csv,
  });

test('a job whose queue has no live worker says so in its 202 and when it is read, until one comes', async () => {
  await clear();
  const accepted = await send();
  expect(accepted.statusCode).toBe(202);
  const { id, queue, warning } = accepted.json();
  expect(warning).toMatch(new RegExp(`^No running worker consumes the queue ${queue}: .*fleet analytics\\)\\.$`));
  expect(accepted.headers['x-job-warning']).toBe(warning);
  const read = async () => (await api.app.inject({ url: `/v1/jobs/${id}`, headers })).json();
  expect(await read()).toMatchObject({ state: 'queued', warning });
  expect(await workersOf(queue)).toBe(0);

  await register('studio+analytics');
  await expect.poll(async () => (await read()).warning).toBeUndefined();
  expect(await workersOf(queue)).toBe(1);
  const quiet = await send();
  expect([quiet.json().warning, quiet.headers['x-job-warning']]).toEqual([undefined, undefined]);
});

test('dead workers, those for suspects, API processes and workers of other queues do not count', async () => {
  await clear();
  await register('analytics', '1 hour');
  await register('analytics-lane');
  await register('api');
  await register('missions');
  await register('analytics.stress');
  await expect.poll(async () => await workersOf('missions.execute')).toBe(1);
  expect(await workersOf('analytics.fit')).toBe(0);
  expect(await workersOf('analytics.stress')).toBe(1);
  // two fleets consume it, and neither runs
  expect(await workersOf('providers.generate')).toBe(0);
});

test('where a worker runs whose name says nothing of its queues, nothing is claimed of those without another', async () => {
  await clear();
  await register('of-another-repository');
  await register('missions');
  await expect.poll(async () => await workersOf('analytics.fit')).toBeNull();
  expect(await workersOf('missions.execute')).toBe(1);
  expect((await send()).json().warning).toBeUndefined();
});

test('every queue of the table is counted by its fleets', async () => {
  await clear();
  for (const name of Object.keys(fleets)) await register(name);
  await expect.poll(async () => await workersOf('studio.render')).toBe(1);
  for (const queue of new Set(Object.values(fleets).flat())) expect(await workersOf(queue)).toBeGreaterThan(0);
});

test('a thousand submissions cost one look at the workers; one that fails fails no answer', async () => {
  let looks = 0;
  const any = async () => {
    looks++;
    throw new Error('Postgres is away');
  };
  const context = { ...api.context, db: { any } } as unknown as Context;
  const job = { queue: 'analytics.fit', version: 1, state: 'queued', held: false } as const;
  const warnings = await Promise.all(Array.from({ length: 1_000 }, () => idleWarning(context, job)));
  expect([looks, new Set(warnings)]).toEqual([1, new Set([undefined])]);
  expect(await idleWarning(api.context, { ...job, state: 'running' })).toBeUndefined();
  expect(await idleWarning(api.context, { ...job, held: true })).toBeUndefined();
  await expect(queueWorkers(context)()).rejects.toThrow('Postgres is away');
});
