import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { registerQueue } from '#src/jobs/registry/register-queue.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { keepStep } from '#src/jobs/steps/keep-step.ts';
import { type Child, submitChild } from '#src/jobs/steps/submit-child.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { openStory, type Story } from './story.ts';

const queue = 'acme.resize-image';
let story: Story;
beforeAll(async () => {
  story = await openStory();
  const payload = { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] };
  for (const name of [queue, 'acme.other-image'])
    await registerQueue(story.context, {
      name,
      version: 1,
      contract: { title: 'Resize an image', payload, result: true },
      owner: 'acme',
      by: 'key 1',
    });
});
afterAll(async () => await story[Symbol.asyncDispose]());

const submitIn = async (fence: Fence, more: Partial<Child> = {}) =>
  await submitChild(story.context, fence, { name: 'small', after: 0, queue, payload: { url: 'a' }, ...more });
const childrenOf = async (parent: string) =>
  await story.context.db.anyFirst(sql.unsafe`select id from jobs where parent_id = ${parent} order by id`);

test('a child is submitted once by its name, for the owner of its parent, and is a step of it', async () => {
  const fence = await story.running();
  const submitted = await submitIn(fence, { priority: 7 });
  expect(submitted).toEqual({ status: 'submitted', child: expect.any(String) });
  const child = String((await childrenOf(fence.job))[0]);
  expect(submitted).toEqual({ status: 'submitted', child });
  expect(await story.job(child)).toMatchObject({ owner: 'alice', queue, parentId: fence.job, priority: 7 });
  expect(await submitIn(fence, { payload: { url: 'another' } })).toEqual(submitted);
  expect(await submitIn(fence, { name: 'large', after: 1 })).not.toEqual(submitted);
  expect(await story.steps(fence.job)).toEqual([
    `child small {"job":"${child}"}`,
    expect.stringMatching(/^child large \{"job":/),
  ]);
  expect(await childrenOf(fence.job)).toHaveLength(2);
});

test('the next attempt finds the child of one that died before it kept the step', async () => {
  const fence = await story.running();
  const submitted = await submitIn(fence);
  await story.context.db.query(sql.unsafe`delete from steps where job = ${fence.job}`);
  await story.settled(fence, 'queued');
  const next = await story.claimed(fence.job);
  expect(await submitIn(next, { payload: { url: 'made anew' } })).toEqual(submitted);
  expect(await childrenOf(fence.job)).toHaveLength(1);
});

test('two copies of a submission at once make one child', async () => {
  const fence = await story.running();
  const [one, two] = await Promise.all([submitIn(fence), submitIn(fence)]);
  expect(one).toEqual(two);
  expect(await childrenOf(fence.job)).toHaveLength(1);
});

test('a child is waited for, also one that was cancelled', async () => {
  const fence = await story.running();
  const submitted = await submitIn(fence);
  const child = 'child' in submitted ? submitted.child : '';
  await suspend(story.context, fence, { on: { kind: 'result', name: 'result small', child }, after: 1 });
  expect(await story.stateOf(fence.job)).toBe('waiting');
  await cancelJob(story.context, child, 'alice');
  expect(await story.stateOf(fence.job)).toBe('queued');
  expect((await story.steps(fence.job)).at(-1)).toContain('"state":"cancelled"');
});

test('an attempt that no longer holds its job submits nothing', async () => {
  const fence = await story.running();
  expect(await submitIn({ ...fence, token: randomUUID() })).toEqual({ status: 'stale' });
  expect(await submitIn({ ...fence, token: 'none' })).toEqual({ status: 'stale' });
  await story.settled(fence, 'queued');
  expect(await submitIn(fence)).toEqual({ status: 'stale' });
  expect(await childrenOf(fence.job)).toEqual([]);
});

test('error: a queue or version that does not exist, a payload that does not fit, a name in other use', async () => {
  const fence = await story.running();
  await expect(submitIn(fence, { queue: 'acme.none-such' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(submitIn(fence, { version: 2 })).rejects.toMatchObject({
    code: 'not_found',
    details: { queue, version: 2 },
  });
  await expect(submitIn(fence, { payload: {} })).rejects.toMatchObject({ code: 'invalid_payload' });
  await expect(submitIn(fence, { name: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'invalid_request' });
  await keepStep(story.context, fence, { name: 'used', kind: 'step', after: 0, value: 1 });
  await expect(submitIn(fence, { name: 'used' })).rejects.toMatchObject({ code: 'state_conflict' });
  await submitIn(fence);
  await expect(submitIn(fence, { queue: 'acme.other-image' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  await story.context.db.query(sql.unsafe`delete from steps where job = ${fence.job}`);
  await expect(submitIn(fence, { queue: 'acme.other-image' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
});
