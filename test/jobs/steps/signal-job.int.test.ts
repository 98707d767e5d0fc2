import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_SIGNAL_BYTES, MOST_SIGNALS } from '#src/jobs/model/step-bounds.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { openStory, type Story, together } from './story.ts';

let story: Story;
beforeAll(async () => {
  story = await openStory();
});
afterAll(async () => await story[Symbol.asyncDispose]());

const send = async (id: string, payload: unknown, key?: string, name = 'go') =>
  await signalJob(story.context, id, { name, payload, ...(key !== undefined && { key }) });
const kept = async (id: string) =>
  await story.context.db.anyFirst(sql.unsafe`select payload from signals where job = ${id} order by id`);

test('a signal under a key is kept once, also after its job has ended', async () => {
  const fence = await story.running();
  expect(await send(fence.job, { a: 1, b: 2 }, 'k')).toEqual({ accepted: true });
  expect(await send(fence.job, { b: 2, a: 1 }, 'k')).toEqual({ accepted: false });
  expect(await send(fence.job, { a: 1, b: 2 }, 'k', 'other')).toEqual({ accepted: true });
  expect(await send(fence.job, 3)).toEqual({ accepted: true });
  expect(await send(fence.job, 3)).toEqual({ accepted: true });
  await story.settled(fence, 'succeeded');
  expect(await send(fence.job, { a: 1, b: 2 }, 'k')).toEqual({ accepted: false });
  await expect(send(fence.job, 4)).rejects.toMatchObject({ code: 'state_conflict', details: { state: 'succeeded' } });
  expect(await kept(fence.job)).toEqual([{ a: 1, b: 2 }, { a: 1, b: 2 }, 3, 3]);
  expect(await story.events(fence.job)).toEqual([
    'queued',
    'started',
    ...Array.from({ length: 4 }, () => 'signalled'),
    'succeeded',
  ]);
});

test('error: a key that was used for another payload is refused', async () => {
  const id = await story.accepted();
  await send(id, 1, 'k');
  await expect(send(id, 2, 'k')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  const [first, second] = await Promise.allSettled([send(id, 1, 'both'), send(id, 2, 'both')]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { accepted: true } });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'idempotency_conflict' } });
});

test('two processes that send a signal under one key at once keep it once', async () => {
  const other = await story.another();
  const fence = await story.running();
  const signal = { name: 'go', payload: 1, key: 'k' };
  const answers = await together(
    story,
    fence.job,
    () => signalJob(story.context, fence.job, signal),
    () => signalJob(other, fence.job, signal),
  );
  expect(answers).toEqual([{ accepted: true }, { accepted: false }]);
  expect(await kept(fence.job)).toEqual([1]);
});

test('signals sent together are kept in the order in which they were sent, and their events are dense', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => story.accepted()));
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => n).flatMap((n) => ids.map((id) => send(id, n))));
  expect(all.every(({ accepted }) => accepted)).toBe(true);
  for (const id of ids) {
    expect(await kept(id)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    expect(await story.events(id)).toHaveLength(31);
  }
});

test('error: a job gets at most 10,000 signals, of at most 256 KiB each', async () => {
  const id = await story.accepted();
  await story.context.db.query(sql.unsafe`update jobs set signals = ${MOST_SIGNALS - 1} where id = ${id}`);
  const text = 'é'.repeat(MOST_SIGNAL_BYTES / 2 - 1);
  await expect(send(id, `${text}!`)).rejects.toMatchObject({
    code: 'payload_too_large',
    details: { bytes: MOST_SIGNAL_BYTES + 1 },
  });
  const [last, beyond] = await Promise.allSettled([send(id, text), send(id, 'one more')]);
  expect(last).toMatchObject({ status: 'fulfilled' });
  expect(beyond).toMatchObject({ status: 'rejected', reason: { code: 'too_many_signals' } });
});

test('error: a payload that Postgres cannot store fails alone, and a job that does not exist is not found', async () => {
  const id = await story.accepted();
  const [bad, good] = await Promise.allSettled([send(id, 'a\u0000b'), send(id, 'good')]);
  expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'invalid_payload' } });
  expect(good).toMatchObject({ status: 'fulfilled' });
  for (const none of [randomUUID(), 'no id', `${id},${id}`])
    await expect(send(none, 1)).rejects.toMatchObject({ code: 'not_found' });
  await expect(send(id, 1, undefined, '')).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a signal that is sent again wakes nobody twice', async () => {
  const fence = await story.running();
  await suspend(story.context, fence, { on: { kind: 'signal', name: 'go' }, after: 0 });
  for (let n = 0; n < 3; n++) await send(fence.job, 1, 'k');
  expect(await story.events(fence.job)).toEqual(['queued', 'started', 'waiting', 'signalled', 'released woken']);
});
