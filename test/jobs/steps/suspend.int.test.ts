import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseApproved } from '#src/jobs/change/approve.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { MOST_JOB_BYTES, MOST_STEP_BYTES, MOST_STEPS } from '#src/jobs/model/step-bounds.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { keepStep } from '#src/jobs/steps/keep-step.ts';
import { readSteps } from '#src/jobs/steps/read-steps.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend, type WaitFor } from '#src/jobs/steps/suspend.ts';
import { wakeJob } from '#src/jobs/wake/wake.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import { openStory, type Story } from './story.ts';

let story: Story;
beforeAll(async () => {
  story = await openStory();
});
afterAll(async () => await story[Symbol.asyncDispose]());

const wait = async (fence: Fence, on: WaitFor, after = 0) => await suspend(story.context, fence, { on, after });
const later = (ms: number) => new Date(Date.now() + ms);
const go: WaitFor = { kind: 'signal', name: 'go' };
const signal = async (id: string, payload: unknown = null, name = 'go') =>
  await signalJob(story.context, id, { name, payload });
const suspended = { status: 'suspended' };

test('a suspended job holds no worker, waits, and comes back with one more step', async () => {
  const fence = await story.running();
  await keepStep(story.context, fence, { name: 'first', kind: 'step', after: 0, value: 1 });
  expect(await wait(fence, go, 1)).toEqual(suspended);
  const waiting = await story.job(fence.job);
  expect(waiting).toMatchObject({ state: 'waiting', attempt: 1, failures: 0, dispatch: 1, finishedAt: null });
  const worker = await story.context.db.oneFirst(sql.unsafe`select worker_id from jobs where id = ${fence.job}`);
  expect(worker).toBeNull();
  expect(await wakeJob(story.context, fence.job)).toBe(false);

  expect(await signal(fence.job, { by: 'bob' })).toEqual({ accepted: true });
  expect(await story.job(fence.job)).toMatchObject({ state: 'queued', dispatch: 2, failures: 0 });
  const next = await story.claimed(fence.job);
  expect(next).toMatchObject({ attempt: 2, steps: 2 });
  expect(await story.steps(fence.job)).toEqual(['step first 1', 'signal go {"payload":{"by":"bob"}}']);
  expect(await story.settled(next, 'succeeded', 'done')).toBe(true);
  expect(await story.events(fence.job)).toEqual([
    'queued',
    'started',
    'waiting',
    'signalled',
    'released woken',
    'started',
    'succeeded',
  ]);
});

test('a signal that came before the wait ends it at once: the oldest of its name, and no other', async () => {
  const fence = await story.running();
  await signal(fence.job, 1, 'other');
  await signal(fence.job, 2);
  await signal(fence.job, 3);
  expect(await wait(fence, go)).toEqual(suspended);
  expect(await story.stateOf(fence.job)).toBe('queued');
  expect(await story.steps(fence.job)).toEqual(['signal go {"payload":2}']);
  const untaken = await story.context.db.anyFirst(
    sql.unsafe`select payload from signals where job = ${fence.job} and taken_at is null order by id`,
  );
  expect(untaken).toEqual([1, 3]);
});

test('signals of another name leave a job waiting, and it may be signalled while it is queued', async () => {
  const id = await story.accepted();
  await signal(id, 'early');
  const fence = await story.claimed(id);
  await wait(fence, { kind: 'signal', name: 'stop' });
  await signal(id, 'x', 'start');
  expect(await story.stateOf(id)).toBe('waiting');
  await signal(id, 'y', 'stop');
  expect(await story.steps(id)).toEqual(['signal stop {"payload":"y"}']);
});

test('a wait with a timeout ends by it, and a signal that comes later is refused', async () => {
  const fence = await story.running();
  await wait(fence, { kind: 'signal', name: 'go', timeoutMs: 0 });
  expect(await story.stateOf(fence.job)).toBe('queued');
  await expect(signal(fence.job)).rejects.toMatchObject({ code: 'state_conflict' });
  expect(await story.steps(fence.job)).toEqual(['signal go {"timed_out":true}']);
});

test('a signal that is there when the timeout is over is taken', async () => {
  const fence = await story.running();
  await signal(fence.job, 1);
  await wait(fence, { kind: 'signal', name: 'go', timeoutMs: 0 });
  expect(await story.steps(fence.job)).toEqual(['signal go {"payload":1}']);
});

test('a time that has passed ends a sleep at once; one to come does not', async () => {
  const [past, future] = [await story.running(), await story.running()];
  await wait(past, { kind: 'sleep', name: 'nap', until: later(-1_000) });
  await wait(future, { kind: 'sleep', name: 'night', until: later(3_600_000) });
  expect(await story.stateOf(past.job)).toBe('queued');
  expect(await story.steps(past.job)).toEqual(['sleep nap null']);
  expect(await wakeJob(story.context, future.job)).toBe(false);
  expect(await story.stateOf(future.job)).toBe('waiting');
});

const ends: Readonly<Record<string, (child: string) => Promise<unknown>>> = {
  succeeded: async (child) => await story.settled(await story.claimed(child), 'succeeded', { answer: 42 }),
  failed: async (child) => await story.settled(await story.claimed(child), 'failed'),
  cancelled: async (child) => await cancelJob(story.context, child, 'alice'),
};
const results: Readonly<Record<string, string>> = {
  succeeded: '{"error":null,"state":"succeeded","result":{"answer":42}}',
  failed: '{"error":{"code":"unavailable","message":"told to fail"},"state":"failed","result":null}',
  cancelled: '{"error":null,"state":"cancelled","result":null}',
};

test.each(Object.keys(ends))('a child that has %s before the wait ends it at once', async (end) => {
  const parent = await story.running();
  const child = await story.child(parent.job);
  await ends[end]!(child);
  await wait(parent, { kind: 'result', name: 'answer', child });
  expect(await story.stateOf(parent.job)).toBe('queued');
  expect(await story.steps(parent.job)).toEqual([`result answer ${results[end]}`]);
});

test.each(['succeeded', 'failed'])(
  'a child that has %s after the wait leaves a note, by which its parent is woken',
  async (end) => {
    const parent = await story.running();
    const child = await story.child(parent.job);
    await wait(parent, { kind: 'result', name: 'answer', child });
    expect(await story.stateOf(parent.job)).toBe('waiting');
    await ends[end]!(child);
    const noted = await story.context.db.anyFirst(sql.unsafe`select job from wakes`);
    expect(noted).toEqual([parent.job]);
    expect(await wakeJob(story.context, parent.job)).toBe(true);
    expect(await story.steps(parent.job)).toEqual([`result answer ${results[end]}`]);
    expect(await story.left()).toMatchObject({ wakes: 0 });
  },
);

test('a child that failed and was redriven before its parent was woken is waited for again', async () => {
  const parent = await story.running();
  const child = await story.child(parent.job);
  await wait(parent, { kind: 'result', name: 'answer', child });
  await ends['failed']!(child);
  await redriveJob(story.context, child, 'op');
  expect(await wakeJob(story.context, parent.job)).toBe(false);
  expect(await story.left()).toMatchObject({ wakes: 0 });
  await ends['succeeded']!(child);
  expect(await wakeJob(story.context, parent.job)).toBe(true);
  expect(await story.steps(parent.job)).toEqual([`result answer ${results['succeeded']}`]);
});

test('a result that lies beside the row of the child is read with the steps of the parent', async () => {
  const parent = await story.running();
  const child = await story.child(parent.job);
  const text = 'x'.repeat(MOST_STEP_BYTES / 2);
  await story.context.db.query(sql.unsafe`update jobs set queue = 'acme.large' where id = ${child}`);
  await story.settled(await story.claimed(child), 'succeeded', text);
  await wait(parent, { kind: 'result', name: 'answer', child });
  const { steps } = await story.claimed(parent.job);
  const read = async () => (await readSteps(story.context, [{ id: parent.job, steps }])).get(parent.job)?.[0]?.value;
  expect(await read()).toEqual({ state: 'succeeded', result: text, error: null });
  const [stored] = await story.steps(parent.job);
  expect(stored?.length).toBeLessThan(300);
  const digest = String(
    await story.context.db.oneFirst(sql.unsafe`select result_content->>'sha256' from jobs where id = ${child}`),
  );
  await blobsOf(story.context).remove(digest);
  expect(await read()).toMatchObject({ state: 'failed', result: null, error: { code: 'content_lost' } });
});

test.each(['analytics.fit', 'acme.large'])(
  'a result of %s of more than 1 MiB comes to the parent as the failure to keep it',
  async (queue) => {
    const parent = await story.running();
    const child = await story.child(parent.job);
    await story.context.db.query(sql.unsafe`update jobs set queue = ${queue} where id = ${child}`);
    await story.settled(await story.claimed(child), 'succeeded', 'x'.repeat(MOST_STEP_BYTES));
    await wait(parent, { kind: 'result', name: 'answer', child });
    const [step] = await story.steps(parent.job);
    expect(JSON.parse(step?.replace('result answer ', '') ?? '')).toMatchObject({
      state: 'failed',
      result: null,
      error: { code: 'step_too_large' },
    });
  },
);

test('a job that is cancelled while it waits is left alone by what it waited for', async () => {
  const [slept, signalled, parent] = [await story.running(), await story.running(), await story.running()];
  const child = await story.child(parent.job);
  await wait(slept, { kind: 'sleep', name: 'night', until: later(3_600_000) });
  await wait(signalled, go);
  await wait(parent, { kind: 'result', name: 'answer', child });
  const before = await story.left();
  for (const { job } of [slept, signalled, parent]) await cancelJob(story.context, job, 'alice');
  expect(await story.left()).toEqual({ waits: before.waits - 3, wakes: 0 });
  await expect(signal(signalled.job)).rejects.toMatchObject({
    code: 'state_conflict',
    details: { state: 'cancelled' },
  });
  await ends['succeeded']!(child);
  for (const { job } of [slept, signalled, parent]) {
    expect(await wakeJob(story.context, job)).toBe(false);
    expect(await story.events(job)).toEqual(['queued', 'started', 'waiting', 'cancelled']);
  }
});

test('a suspension that comes twice is answered as the first time, whatever has become of the job', async () => {
  const fence = await story.running();
  expect(await wait(fence, go)).toEqual(suspended);
  expect(await wait(fence, go)).toEqual(suspended);
  await signal(fence.job);
  expect(await wait(fence, go)).toEqual(suspended);
  const next = await story.claimed(fence.job);
  expect(await wait(fence, go)).toEqual(suspended);
  await story.settled(next, 'succeeded');
  expect(await wait(fence, go)).toEqual(suspended);
  expect((await story.events(fence.job)).filter((type) => type === 'waiting')).toHaveLength(1);
});

test('two copies of a suspension in one batch suspend once', async () => {
  const fence = await story.running();
  expect(await Promise.all([wait(fence, go), wait(fence, go)])).toEqual([suspended, suspended]);
  expect(await story.events(fence.job)).toEqual(['queued', 'started', 'waiting']);
});

test('an attempt that waits is suspended for nothing else', async () => {
  const fence = await story.running();
  await wait(fence, go);
  expect(await wait(fence, { kind: 'signal', name: 'stop' })).toEqual({ status: 'stale' });
  expect(await wait(fence, { kind: 'sleep', name: 'go', until: later(1_000) })).toEqual({ status: 'stale' });
});

test('nothing waits for an attempt that no longer holds its job', async () => {
  const fence = await story.running();
  const stale = { status: 'stale' };
  expect(await wait({ ...fence, token: randomUUID() }, go)).toEqual(stale);
  expect(await wait({ ...fence, attempt: 2 }, go)).toEqual(stale);
  expect(await wait({ ...fence, job: 'nothing' }, go)).toEqual(stale);
  await story.settled(fence, 'queued');
  expect(await wait(fence, go)).toEqual(stale);
  await cancelJob(story.context, fence.job, 'alice');
  expect(await wait(fence, go)).toEqual(stale);
});

test('a job that waits cannot be claimed, settled, approved or redriven, and keeps no step', async () => {
  const fence = await story.running();
  await wait(fence, go);
  await expect(story.claimed(fence.job)).rejects.toThrow('expected a job that can be claimed');
  expect(await story.settled(fence, 'succeeded')).toBe(false);
  await expect(releaseApproved(story.context, fence.job, 'op')).rejects.toMatchObject({ code: 'state_conflict' });
  await expect(redriveJob(story.context, fence.job, 'op')).rejects.toMatchObject({ code: 'state_conflict' });
  expect(await keepStep(story.context, fence, { name: 'late', kind: 'step', after: 0, value: 1 })).toEqual({
    status: 'stale',
  });
});

test('a failed job that is redriven has its steps, and may wait again', async () => {
  const fence = await story.running();
  await keepStep(story.context, fence, { name: 'first', kind: 'step', after: 0, value: 1 });
  await story.settled(fence, 'failed');
  await redriveJob(story.context, fence.job, 'op');
  const next = await story.claimed(fence.job);
  expect(next.steps).toBe(1);
  expect(await wait(next, go, 1)).toEqual(suspended);
});

test('error: a job without room for another step cannot wait', async () => {
  const { db } = story.context;
  const [many, large] = [await story.running(), await story.running()];
  await db.query(sql.unsafe`update jobs set steps = ${MOST_STEPS} where id = ${many.job}`);
  await db.query(sql.unsafe`update jobs set step_bytes = ${MOST_JOB_BYTES} where id = ${large.job}`);
  for (const fence of [many, large]) {
    await expect(wait(fence, go)).rejects.toMatchObject({ code: 'too_many_steps' });
    expect(await story.stateOf(fence.job)).toBe('running');
  }
});

test('error: a name that a step has, a child of another job, and times that cannot be are refused', async () => {
  const [fence, other] = [await story.running(), await story.running()];
  await keepStep(story.context, fence, { name: 'go', kind: 'step', after: 0, value: 1 });
  await expect(wait(fence, go)).rejects.toMatchObject({ code: 'state_conflict' });
  const foreign = await story.child(other.job);
  for (const child of [foreign, fence.job, randomUUID(), 'no id'])
    await expect(wait(fence, { kind: 'result', name: 'answer', child })).rejects.toMatchObject({ code: 'not_found' });
  const wrong: readonly WaitFor[] = [
    { kind: 'sleep', name: 'night', until: new Date(Number.NaN) },
    { kind: 'sleep', name: 'night', until: later(200 * 366 * 86_400_000) },
    { kind: 'signal', name: 'stop', timeoutMs: -1 },
    { kind: 'signal', name: 'stop', timeoutMs: Number.POSITIVE_INFINITY },
    { kind: 'signal', name: '', timeoutMs: 1 },
  ];
  for (const on of wrong) await expect(wait(fence, on)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await story.stateOf(fence.job)).toBe('running');
});
