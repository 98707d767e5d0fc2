import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { attemptsOf } from '#src/jobs/read/read-timeline.ts';
import { keepStep } from '#src/jobs/steps/keep-step.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { type Submission, submit } from '#src/jobs/submit/submit.ts';
import { until } from '#test/helpers/processes.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { claimsByHand } from '#test/jobs/steps/story.ts';
import { type Fleet, startFleet } from '#workers/run/fleet.ts';

let api: TestApi;
let fleet: Fleet;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  api = await testApi({ DRAIN_DEADLINE_MS: '300' });
  headers = (await api.key({ owner: 'owner-1' })).headers;
  const module = new URL('../../helpers/trial.ts', import.meta.url);
  fleet = await startFleet(api.context, { name: 'trial', handlers, module, concurrency: 5 });
});
afterAll(async () => {
  await fleet.drain();
  await api[Symbol.asyncDispose]();
});

const add = async (payload: Submission<typeof trial>['payload'], more: object = {}) =>
  (await submit(api.context, trial, { principal: { owner: 'owner-1' }, payload, ...more })).job.id;

const ended = async (id: string) => await until(async () => isTerminal((await readJob(api.context, id))?.state ?? ''));

const read = async (id: string) => {
  const response = await api.app.inject({ url: `/v1/jobs/${id}/timeline`, headers });
  expect(response.statusCode).toBe(200);
  return response.json<Record<string, unknown>>();
};

test('the timeline of a job has its events, each attempt with its worker and its error, and what it asked for', async () => {
  const id = await add({ do: 'fail', until: 1 });
  await ended(id);
  const child = await add({ do: 'succeed' }, { parentId: id });
  const worker = await api.context.db.oneFirst(sql.unsafe`select id from workers where fleet = 'trial'`);
  const time = expect.any(String);
  const error = { code: 'unavailable', message: 'told to fail', details: {} };
  expect(await read(id)).toEqual({
    events: [
      { n: 1, type: 'queued', at: time, data: { queue: trial.name } },
      { n: 2, type: 'started', at: time, data: { attempt: 1, worker } },
      { n: 3, type: 'retrying', at: time, data: { attempt: 1, error, delay_ms: expect.any(Number) } },
      { n: 4, type: 'started', at: time, data: { attempt: 2, worker } },
      { n: 5, type: 'succeeded', at: time, data: {} },
    ],
    attempts: [
      { attempt: 1, started_at: time, ended_at: time, worker, outcome: 'failed', error },
      { attempt: 2, started_at: time, ended_at: time, worker, outcome: 'succeeded', error: null },
    ],
    steps: [],
    signals: [],
    effects: [],
    depends_on: [],
    children: [expect.objectContaining({ id: child, parent_id: id, node: null, item: null, step: null })],
    parent: null,
    receipt: null,
    logs: `/v1/jobs/${id}/logs`,
  });
});

test('the timeline names what the job did outside, and the receipt that seals it or its mission', async () => {
  const mission = randomUUID();
  const id = await add({ do: 'effect' });
  const step = await add({ do: 'succeed' }, { idempotencyKey: `mission ${mission} step-1` });
  await Promise.all([ended(id), ended(step)]);
  for (const receipt of [id, mission])
    await api.context.db.query(sql.unsafe`
      insert into receipts (id, owner, kind, body, root, kid, sealed_at)
      values (${receipt}, 'owner-1', 'execution', '{}', ${sql.binary(Buffer.alloc(32))}, 'kid', now())`);
  expect(await read(id)).toMatchObject({
    effects: [
      {
        effect: 'count',
        state: 'done',
        attempt: 1,
        external_id: `${id}.count`,
        intended_at: expect.any(String),
        decided_at: expect.any(String),
      },
    ],
    receipt: `/api/v1/receipts/${id}`,
  });
  expect(await read(step)).toMatchObject({ receipt: `/api/v1/receipts/${mission}` });
});

test('the timeline has the steps of a story, what it waits for, and the signals it got', async () => {
  const claimed = await claimsByHand(api.context);
  // of a queue that no fleet here consumes
  const accept = async (more: object = {}) =>
    (await submit(api.context, fit, { principal: { owner: 'owner-1' }, payload: { chainId: randomUUID() }, ...more }))
      .job.id;
  const id = await accept();
  const fence = await claimed(id);
  const child = await accept({ parentId: id });
  await keepStep(api.context, fence, { name: 'charge', kind: 'step', after: 0, value: 'a secret' });
  await keepStep(api.context, fence, { name: 'small', kind: 'child', after: 1, value: { job: child } });
  await signalJob(api.context, id, { name: 'approved', payload: 'a secret' });
  await suspend(api.context, fence, { on: { kind: 'signal', name: 'approved', timeoutMs: 60_000 }, after: 2 });
  const next = await claimed(id);
  await suspend(api.context, next, { on: { kind: 'result', name: 'answer', child }, after: 3 });
  await signalJob(api.context, id, { name: 'later', payload: null });
  const time = expect.any(String);
  const none = { child: null, since: null, until: null };
  const timeline = await read(id);
  expect(timeline).toMatchObject({
    attempts: [
      { attempt: 1, outcome: 'suspended', ended_at: time },
      { attempt: 2, outcome: 'suspended', ended_at: time },
    ],
    steps: [
      { ...none, name: 'charge', kind: 'step', at: time },
      { ...none, name: 'small', kind: 'child', child, at: time },
      { ...none, name: 'approved', kind: 'signal', since: time, at: time },
      { name: 'answer', kind: 'result', child, since: time, until: null, at: null },
    ],
    signals: [
      { name: 'approved', at: time, taken_at: time },
      { name: 'later', at: time, taken_at: null },
    ],
    children: [{ id: child }],
  });
  expect(JSON.stringify(timeline)).not.toContain('a secret');
  const types = (timeline['events'] as { type: string; data: unknown }[]).map(({ type, data }) => [type, data]);
  expect(types.slice(2)).toEqual([
    ['signalled', { name: 'approved' }],
    ['waiting', { attempt: 1, on: { kind: 'signal', name: 'approved', until: time } }],
    ['released', { reason: 'woken', on: { kind: 'signal', name: 'approved' } }],
    ['started', { attempt: 2, worker: time }],
    ['waiting', { attempt: 2, on: { kind: 'result', name: 'answer', child } }],
    ['signalled', { name: 'later' }],
  ]);
});

test('error: the timeline of another’s job does not exist', async () => {
  const { job } = await submit(api.context, trial, { principal: { owner: 'owner-2' }, payload: { do: 'succeed' } });
  const response = await api.app.inject({ url: `/v1/jobs/${job.id}/timeline`, headers });
  expect(response.statusCode).toBe(404);
});

test('attempts end by what came next; what happens to a job that waits ends none', () => {
  const at = new Date();
  const events = ['queued', 'released', 'started', 'released', 'cancelled', 'started'].map((type, index) => ({
    n: index + 1,
    type,
    at,
    data: type === 'started' ? { attempt: index } : {},
  }));
  expect(attemptsOf(events)).toMatchObject([
    { attempt: 2, outcome: 'released', endedAt: at, worker: null, error: null },
    { attempt: 5, outcome: 'running', endedAt: null },
  ]);
});
