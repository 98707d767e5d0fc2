import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend, type WaitFor } from '#src/jobs/steps/suspend.ts';
import { wakeJob } from '#src/jobs/wake/wake.ts';
import { openStory, type Story, together, untilBlocked } from './story.ts';

let story: Story;
beforeAll(async () => {
  story = await openStory();
});
afterAll(async () => await story[Symbol.asyncDispose]());

const wait = async (fence: Fence, on: WaitFor) => await suspend(story.context, fence, { on, after: 0 });
const go: WaitFor = { kind: 'signal', name: 'go' };

test('a signal and a wait that are under way at once find each other, whichever is first', async () => {
  const other = await story.another();
  const send = async (id: string) => await signalJob(other, id, { name: 'go', payload: 1 });
  const [before, after] = [await story.running(), await story.running()];
  await together(
    story,
    before.job,
    () => send(before.job),
    () => wait(before, go),
  );
  await together(
    story,
    after.job,
    () => wait(after, go),
    () => send(after.job),
  );
  for (const { job } of [before, after]) {
    expect(await story.stateOf(job)).toBe('queued');
    expect(await story.steps(job)).toEqual(['signal go {"payload":1}']);
  }
});

test('the end of a child and the wait for it that are under way at once find each other, whichever is first', async () => {
  for (const isEndFirst of [true, false]) {
    for (const end of ['succeeded', 'cancelled'] as const) {
      const parent = await story.running();
      const child = await story.child(parent.job);
      const fence = await story.claimed(child);
      const finish = async () =>
        end === 'succeeded' ? await story.settled(fence, end) : await cancelJob(story.context, child, 'alice');
      const begin = () => wait(parent, { kind: 'result', name: 'answer', child });
      await (isEndFirst
        ? together<unknown, unknown>(story, child, finish, begin)
        : together<unknown, unknown>(story, child, begin, finish));
      // by the wait itself, or by what the child's end has noted
      await wakeJob(story.context, parent.job);
      expect([isEndFirst, end, await story.stateOf(parent.job)]).toEqual([isEndFirst, end, 'queued']);
      expect(await story.left()).toMatchObject({ wakes: 0 });
    }
  }
});

test('a cancellation and a signal that are under way at once end a wait once', async () => {
  const other = await story.another();
  const [cancelled, woken] = [await story.running(), await story.running()];
  for (const fence of [cancelled, woken]) await wait(fence, go);
  const send = async (id: string) =>
    await signalJob(other, id, { name: 'go', payload: 1 }).catch((error: unknown) => error);
  const cancel = async (id: string) => await cancelJob(story.context, id, 'alice');
  const [, refused] = await together(
    story,
    cancelled.job,
    () => cancel(cancelled.job),
    () => send(cancelled.job),
  );
  expect(refused).toMatchObject({ code: 'state_conflict' });
  await together(
    story,
    woken.job,
    () => send(woken.job),
    () => cancel(woken.job),
  );
  expect(await story.events(cancelled.job)).toEqual(['queued', 'started', 'waiting', 'cancelled']);
  // the signal was kept first; whether it woke the job before it was cancelled is open, and either is right
  const events = (await story.events(woken.job)).filter((type) => type !== 'released woken');
  expect(events).toEqual(['queued', 'started', 'waiting', 'signalled', 'cancelled']);
  expect(await story.stateOf(woken.job)).toBe('cancelled');
});

test('a cancellation that waits for a suspension to commit ends the wait as well', async () => {
  const fence = await story.running();
  await together(
    story,
    fence.job,
    () => wait(fence, { kind: 'sleep', name: 'night', until: new Date(Date.now() + 3_600_000) }),
    () => cancelJob(story.context, fence.job, 'alice'),
  );
  expect(await story.events(fence.job)).toEqual(['queued', 'started', 'waiting', 'cancelled']);
  expect(await story.left()).toEqual({ waits: 0, wakes: 0 });
});

test('two processes that wake a job at once wake it once', async () => {
  const other = await story.another();
  const parent = await story.running();
  const child = await story.child(parent.job);
  await wait(parent, { kind: 'result', name: 'answer', child });
  await story.settled(await story.claimed(child), 'succeeded');
  const woken = await together(
    story,
    parent.job,
    () => wakeJob(story.context, parent.job),
    () => wakeJob(other, parent.job),
  );
  expect(woken.toSorted()).toEqual([false, true]);
  expect(await story.events(parent.job)).toEqual(['queued', 'started', 'waiting', 'released woken']);
  expect(await story.job(parent.job)).toMatchObject({ dispatch: 2 });
});

test('a wake that was late for one wait leaves the next one of the same job alone', async () => {
  const other = await story.another();
  const fence = await story.running();
  await wait(fence, { kind: 'signal', name: 'one' });
  const holder = await story.connect();
  await holder.query(`insert into signals (job, name, key, payload) values ($1, 'one', 'k', '1')`, [fence.job]);
  await holder.query('begin');
  await holder.query('select from jobs where id = $1 for update', [fence.job]);
  // begun while the job waits for the first, whose signal is there, and done when it waits for the second
  const late = wakeJob(other, fence.job);
  await untilBlocked(story, 1);
  await holder.query(`update jobs set attempt = 2, steps = 1 where id = $1`, [fence.job]);
  await holder.query(`update waits set attempt = 2, name = 'two' where job = $1`, [fence.job]);
  await holder.query('commit');
  expect(await late).toBe(false);
  expect(await story.stateOf(fence.job)).toBe('waiting');
  await signalJob(story.context, fence.job, { name: 'two', payload: 2 });
  expect(await story.steps(fence.job)).toEqual(['signal two {"payload":2}']);
});
