import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { changesKeys } from '#src/http/jobs/job-changes.ts';
import { openChanges } from '#src/http/jobs/publish-changes.ts';
import { startOperations } from '#src/http/operations/publish-operations.ts';
import type { QueueView } from '#src/http/views/operations-view.ts';
import { pauseQueue, resumeQueue } from '#src/jobs/broker/queue-pauses.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import type { JobSummaryView } from '#src/jobs/model/job-view.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { until } from '#test/helpers/processes.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { openSse, openWebSocket } from '#test/http/streams.ts';

type Headers = Record<string, string>;

let api: TestApi;
let url: string;
let operator: Headers;
let caller: Headers;
beforeAll(async () => {
  api = await testApi();
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  operator = (await api.key({ owner: 'op', operator: true })).headers;
  caller = (await api.key({ owner: 'owner-1' })).headers;
  startOperations(api.context);
  // numbers that an earlier leader left: the leader now voids them before it publishes anything
  const { numbers } = changesKeys(api.context.config);
  await api.context.redis.hset(numbers, 'epoch', 'before');
  startRelay(api.context, openChanges);
  await until(async () => (await api.context.redis.exists(numbers)) === 0);
});
afterAll(async () => await api[Symbol.asyncDispose]());

/** The events of a stream as they come, save signs of life, which come when a machine is slow. */
async function follow(path: string, headers: Headers, cursor?: string) {
  const stream = await openSse(`${url}${path}`, { ...headers, ...(cursor && { 'last-event-id': cursor }) });
  const next = async () => {
    for (;;) {
      const { value, done } = await stream.events.next();
      if (done) throw new Error('expected an event, got the end of the stream');
      if (value.event === 'heartbeat') continue;
      const { id, type, data } = JSON.parse(value.data) as { id?: string; type: string; data: unknown };
      return { id, type, data: data as Record<string, unknown> };
    }
  };
  /** The next event of which this holds. */
  const nextThat = async (holds: (event: Awaited<ReturnType<typeof next>>) => boolean) => {
    for (;;) {
      const event = await next();
      if (holds(event)) return event;
    }
  };
  return { next, nextThat, [Symbol.dispose]: stream.close };
}

const submitFit = async (owner: string) =>
  (await submit(api.context, fit, { principal: { owner }, payload: { chainId: randomUUID() } })).job.id;

const pausedIn = ({ data }: { readonly data: Record<string, unknown> }) =>
  (data['queues'] as QueueView[]).find(({ name }) => name === fit.name)?.paused;

test('the figures come at once and whenever they change: everybody’s and the fleets to an operator', async () => {
  await resumeQueue(api.context, fit.name, { by: 'op' });
  using all = await follow('/v1/operations/events', operator);
  const first = await all.next();
  expect(first).toMatchObject({ type: 'operations', data: { whose: 'all', fleets: expect.any(Array) } });
  expect(first.id).toBeUndefined();
  expect(pausedIn(first)).toBeNull();
  await pauseQueue(api.context, fit.name, { by: 'op', reason: 'a test' });
  const paused = await all.nextThat((event) => pausedIn(event) !== null);
  expect(pausedIn(paused)).toMatchObject({ by: 'op', reason: 'a test' });
  // whatever cursor somebody comes with
  using late = await follow('/v1/operations/events', operator, 'elsewhere.7');
  expect(pausedIn(await late.next())).toMatchObject({ by: 'op' });
  await resumeQueue(api.context, fit.name, { by: 'op' });
  await all.nextThat((event) => pausedIn(event) === null);
});

test('who is no operator follows the figures of their own jobs, here by WebSocket', async () => {
  await submitFit('owner-2');
  const own = openWebSocket(`${url}/ws/v1/operations`, caller);
  const [first] = await own.next(1);
  const queuedOf = (data: unknown) =>
    (data as { queues: QueueView[] }).queues.find(({ name }) => name === fit.name)?.depth.queued;
  expect(first).toMatchObject({ type: 'operations', data: { whose: 'own', fleets: null } });
  expect(queuedOf(first?.data)).toBe(0);
  await submitFit('owner-1');
  await until(() => queuedOf(own.messages.at(-1)?.data) === 1);
  own.socket.close();
});

test('changes of jobs are told as they happen: of all to an operator, of their own to anyone else', async () => {
  using all = await follow('/v1/jobs/events', operator);
  expect(await all.next()).toMatchObject({ type: 'snapshot', data: {} });
  const own = openWebSocket(`${url}/ws/v1/jobs`, caller);
  expect(await own.next(1)).toMatchObject([{ type: 'snapshot' }]);
  const other = await submitFit('owner-2');
  const mine = await submitFit('owner-1');
  const isOf = (id: string, state: string) => (event: { type: string; data: Record<string, unknown> }) =>
    event.type === 'job' && event.data['id'] === id && event.data['state'] === state;
  await all.nextThat(isOf(other, 'queued'));
  const { data } = await all.nextThat(isOf(mine, 'queued'));
  const listed = await api.app.inject({ url: `/v1/jobs/${mine}`, headers: operator });
  const {
    payload: _payload,
    result: _result,
    warning: _warning,
    ...summary
  } = listed.json<JobSummaryView & Record<string, unknown>>();
  expect(data).toEqual(summary);
  await cancelJob(api.context, mine, 'op');
  const last = await all.nextThat(isOf(mine, 'cancelled'));
  await until(() => own.messages.some(({ data: job }) => (job as Partial<JobSummaryView>).state === 'cancelled'));
  const told = own.messages.slice(1).map((message) => (message.data as JobSummaryView).id);
  expect(new Set(told)).toEqual(new Set([mine]));
  own.socket.close();

  // who comes back and has missed nothing goes on, by the number of what was seen last
  using again = await follow('/v1/jobs/events', operator, last.id);
  const next = await submitFit('owner-2');
  expect(await again.next()).toMatchObject({ type: 'job', data: { id: next } });
  using late = await follow('/v1/jobs/events', operator, last.id);
  expect(await late.next()).toMatchObject({ type: 'reset', data: { reason: 'gap' } });
});

test('where more jobs change than can be told, followers are told to read the list again, and go on', async () => {
  using all = await follow('/v1/jobs/events', operator);
  expect(await all.next()).toMatchObject({ type: 'snapshot' });
  await api.context.db.query(sql.unsafe`
    with made as (
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, held)
      select uuidv7(), 'owner-3', ${fit.name}, 'queued', 0, '{}', '', true from generate_series(1, 400) returning id
    ) insert into events (job, n, type) select id, 1, 'queued' from made`);
  expect(await all.next()).toMatchObject({ type: 'reset', data: { reason: 'gap', snapshot: {} } });
  const id = await submitFit('owner-1');
  await all.nextThat(({ type, data }) => type === 'job' && data['id'] === id);
});

test('who comes back after nobody has followed begins anew: what happened meanwhile was not read', async () => {
  const { numbers, followed } = changesKeys(api.context.config);
  let cursor: string | undefined;
  {
    using all = await follow('/v1/jobs/events', operator);
    const id = await submitFit('owner-1');
    ({ id: cursor } = await all.nextThat(({ type, data }) => type === 'job' && data['id'] === id));
  }
  // as when the last one has gone for a while
  await api.context.redis.del(followed);
  await submitFit('owner-1');
  await until(async () => (await api.context.redis.exists(numbers)) === 0);
  using again = await follow('/v1/jobs/events', operator, cursor);
  expect(await again.next()).toMatchObject({ type: 'reset' });
});
