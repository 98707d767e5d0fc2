import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { MOST_SIGNAL_BYTES } from '#src/jobs/model/step-bounds.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { registerQueue } from '#src/jobs/registry/register-queue.ts';
import { readSteps } from '#src/jobs/steps/read-steps.ts';
import { submitChild } from '#src/jobs/steps/submit-child.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { claimsByHand, type Story } from '#test/jobs/steps/story.ts';

type Headers = Readonly<Record<string, string>>;
let api: TestApi;
let claimed: Story['claimed'];
let headers: Headers;
let operator: Headers;
let stranger: Headers;
beforeAll(async () => {
  api = await testApi();
  claimed = await claimsByHand(api.context);
  ({ headers } = await api.key({ owner: 'owner-1' }));
  ({ headers: operator } = await api.key({ owner: 'op', operator: true }));
  ({ headers: stranger } = await api.key({ owner: 'owner-2' }));
});
afterAll(async () => await api[Symbol.asyncDispose]());

const accepted = async () =>
  (await submit(api.context, trial, { principal: { owner: 'owner-1' }, payload: { do: 'succeed' } })).job.id;
const send = async (id: string, name: string, body?: unknown, more: Headers = {}) =>
  await api.app.inject({
    method: 'POST',
    url: `/v1/jobs/${id}/signals/${encodeURIComponent(name)}`,
    headers: { ...headers, ...more },
    ...(body !== undefined && { payload: body as object }),
  });
const stateOf = async (id: string) => (await readJob(api.context, id))?.state;

test('a signal wakes the job that waits for it, and is what the wait gives', async () => {
  const id = await accepted();
  const fence = await claimed(id);
  await suspend(api.context, fence, { on: { kind: 'signal', name: 'paid in full' }, after: 0 });
  const shown = await api.app.inject({ url: `/v1/jobs/${id}`, headers });
  expect(shown.json()).toMatchObject({ state: 'waiting', finished_at: null });
  expect(shown.json().waits_for).toEqual({ kind: 'signal', name: 'paid in full' });
  const answer = await send(id, 'paid in full', { payload: { usd: 5 } });
  expect([answer.statusCode, answer.json()]).toEqual([202, { job_id: id, name: 'paid in full', accepted: true }]);
  expect(answer.headers['location']).toBe(`/v1/jobs/${id}`);
  expect(await stateOf(id)).toBe('queued');
  expect((await api.app.inject({ url: `/v1/jobs/${id}`, headers })).json()).not.toHaveProperty('waits_for');
  const { steps } = await claimed(id);
  expect((await readSteps(api.context, [{ id, steps }])).get(id)).toEqual([
    { name: 'paid in full', n: 1, kind: 'signal', after: 0, value: { payload: { usd: 5 } } },
  ]);
});

test('a signal may come before its wait and without a payload, and once under its key', async () => {
  const id = await accepted();
  const key = { 'idempotency-key': 'k-1' };
  expect((await send(id, 'go')).json()).toEqual({ job_id: id, name: 'go', accepted: true });
  expect((await send(id, 'go', { payload: 1 }, key)).json()).toMatchObject({ accepted: true });
  const again = await send(id, 'go', { payload: 1 }, key);
  expect([again.statusCode, again.json(), again.headers['idempotency-replayed']]).toEqual([
    202,
    { job_id: id, name: 'go', accepted: false },
    'true',
  ]);
  const other = await send(id, 'go', { payload: 2 }, key);
  expect([other.statusCode, other.json().code]).toEqual([409, 'idempotency_conflict']);
  const fence = await claimed(id);
  await suspend(api.context, fence, { on: { kind: 'signal', name: 'go' }, after: 0 });
  expect((await readSteps(api.context, [{ id, steps: 1 }])).get(id)).toMatchObject([{ value: { payload: null } }]);
});

test('an operator may signal every job; to anybody else but its owner it does not exist', async () => {
  const id = await accepted();
  expect((await send(id, 'go', undefined, operator)).statusCode).toBe(202);
  expect((await send(id, 'go', undefined, stranger)).statusCode).toBe(404);
  expect((await send(randomUUID(), 'go')).statusCode).toBe(404);
});

test('error: a job that has ended, and signals that are too large or cannot be', async () => {
  const id = await accepted();
  const large = await send(id, 'go', { payload: 'x'.repeat(MOST_SIGNAL_BYTES - 1) });
  expect([large.statusCode, large.json().code]).toEqual([413, 'payload_too_large']);
  const larger = await send(id, 'go', { payload: 'x'.repeat(2 * MOST_SIGNAL_BYTES) });
  expect([larger.statusCode, larger.json().code]).toEqual([413, 'payload_too_large']);
  expect((await send(id, 'go', { payload: 'x'.repeat(MOST_SIGNAL_BYTES - 2) })).statusCode).toBe(202);
  const unknown = await send(id, 'go', { payloads: 1 });
  expect([unknown.statusCode, unknown.json().code]).toEqual([400, 'invalid_request']);
  expect((await send(id, 'x'.repeat(201))).statusCode).toBe(400);
  const unstorable = await send(id, 'go', { payload: 'a\u0000b' });
  expect([unstorable.statusCode, unstorable.json().code]).toEqual([422, 'invalid_payload']);
  await cancelJob(api.context, id, 'owner-1');
  const late = await send(id, 'go');
  expect([late.statusCode, late.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'state_conflict', details: expect.objectContaining({ state: 'cancelled' }) }),
  ]);
});

test('error: a signal whose wait is over is refused, and one that was sent before is still known', async () => {
  const id = await accepted();
  const key = { 'idempotency-key': 'k-1' };
  const fence = await claimed(id);
  await suspend(api.context, fence, { on: { kind: 'signal', name: 'go' }, after: 0 });
  expect((await send(id, 'go', { payload: 1 }, key)).json()).toMatchObject({ accepted: true });
  await claimed(id);
  for (const more of [{}, { 'idempotency-key': 'k-2' }]) {
    const late = await send(id, 'go', { payload: 2 }, more);
    expect([late.statusCode, late.json()]).toMatchObject([
      409,
      { code: 'state_conflict', detail: expect.stringContaining('whose wait of that name is over') },
    ]);
  }
  const again = await send(id, 'go', { payload: 1 }, key);
  expect([again.statusCode, again.json().accepted]).toEqual([202, false]);
  expect((await send(id, 'other')).json()).toMatchObject({ accepted: true });
});

test('a waiting job shows until when it waits, and for which child', async () => {
  const shown = async (id: string) => (await api.app.inject({ url: `/v1/jobs/${id}`, headers })).json().waits_for;
  const asleep = await accepted();
  const until = new Date(Date.now() + 3_600_000);
  await suspend(api.context, await claimed(asleep), { on: { kind: 'sleep', name: 'a while', until }, after: 0 });
  expect(await shown(asleep)).toEqual({ kind: 'sleep', name: 'a while', until: until.toISOString() });

  const parent = await accepted();
  const fence = await claimed(parent);
  const contract = { title: 'Resize a part', payload: true, result: true };
  await registerQueue(api.context, { name: 'acme.resize-part', version: 1, contract, owner: 'acme', by: 'key 1' });
  const made = await submitChild(api.context, fence, {
    name: 'part',
    after: 0,
    queue: 'acme.resize-part',
    payload: null,
  });
  if (!('child' in made)) throw new Error(`expected a child, got ${made.status}`);
  const { child } = made;
  await suspend(api.context, fence, { on: { kind: 'result', name: 'part.result', child }, after: 1 });
  expect(await shown(parent)).toEqual({ kind: 'result', name: 'part.result', child });
});
