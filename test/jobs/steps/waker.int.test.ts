import { sql } from 'slonik';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brokerPrefix } from '#src/jobs/broker/broker-names.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { auditBroker } from '#src/jobs/feed/audit.ts';
import { recordSoloCrash } from '#src/jobs/run/record-solo-crash.ts';
import { releaseOrphans } from '#src/jobs/run/release.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { signalJob, signalJobs } from '#src/jobs/steps/signal-job.ts';
import { suspend, suspendJobs } from '#src/jobs/steps/suspend.ts';
import { gaugeWakes, startWaker } from '#src/jobs/wake/waker.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { openStatements } from '#src/system/statements.ts';
import { carriedIn, entryOf } from '#test/helpers/carried.ts';
import { startChild } from '#test/helpers/child.ts';
import { trial } from '#test/helpers/trial.ts';
import { openStory, type Story } from './story.ts';

let story: Story;
beforeEach(async () => {
  story = await openStory();
});
afterEach(async () => await story[Symbol.asyncDispose]());

const wakes = async (id: string) => await expect.poll(async () => await story.stateOf(id)).toBe('queued');
const night = async (fence: Fence, ms: number) =>
  await suspend(story.context, fence, {
    on: { kind: 'sleep', name: 'night', until: new Date(Date.now() + ms) },
    after: 0,
  });
const answer = async (fence: Fence, child: string) =>
  await suspend(story.context, fence, { on: { kind: 'result', name: 'answer', child }, after: 0 });

test('jobs whose time has come are woken, each once and in the broker, and the others sleep on', async () => {
  const fences = await Promise.all(Array.from({ length: 30 }, () => story.running()));
  const [late, ...soon] = fences as [Fence, ...Fence[]];
  await night(late, 3_600_000);
  await Promise.all(soon.map((fence) => night(fence, 200)));
  await using _one = startWaker(story.context);
  await using _two = startWaker(await story.another());
  for (const { job } of soon) await wakes(job);
  expect(await story.stateOf(late.job)).toBe('waiting');
  for (const { job } of soon) {
    expect(await story.events(job)).toEqual(['queued', 'started', 'waiting', 'released woken']);
    expect(await story.job(job)).toMatchObject({ dispatch: 2 });
  }
  const carried = [...(await carriedIn(story.context)).keys()].filter((delivery) => delivery.endsWith('-2'));
  expect(carried).toHaveLength(soon.length);
});

const verbs: Readonly<Record<string, (child: Fence) => Promise<unknown>>> = {
  'a worker': async (child) => await story.settled(child, 'failed'),
  'its owner': async ({ job }) => await cancelJob(story.context, job, 'alice'),
  'a quarantine': async ({ job, attempt }) => {
    await story.context.db.query(sql.unsafe`update jobs set lone_deaths = 1 where id = ${job}`);
    await recordSoloCrash(story.context, job, attempt, 'signal SIGKILL');
  },
  'a newer job that replaces it': async ({ job }) => {
    await story.context.db.query(sql.unsafe`update jobs set worker_id = gen_random_uuid() where id = ${job}`);
    await releaseOrphans(story.context, await story.connect(), false, [trial.name]);
  },
  'a statement of another release': async ({ job }) =>
    await story.context.db.query(
      sql.unsafe`update jobs set state = 'failed', finished_at = now(), worker_id = null where id = ${job}`,
    ),
};

test.each(Object.keys(verbs))('a parent is woken when its child is ended by %s', async (verb) => {
  const parent = await story.running();
  const child = await story.claimed(await story.child(parent.job));
  await answer(parent, child.job);
  await using _waker = startWaker(story.context);
  await verbs[verb]!(child);
  await wakes(parent.job);
  expect(await story.steps(parent.job)).toHaveLength(1);
  expect(await story.left()).toEqual({ waits: 0, wakes: 0 });
});

test('a job whose parent does not wait for it leaves nothing behind when it ends', async () => {
  const parent = await story.running();
  await story.settled(await story.claimed(await story.child(parent.job)), 'succeeded');
  expect(await story.left()).toEqual({ waits: 0, wakes: 0 });
});

test('a process that dies between a commit and the wake that follows it loses none', async () => {
  const [signalled, early, parent] = [await story.running(), await story.running(), await story.running()];
  const child = await story.child(parent.job);
  await story.settled(await story.claimed(child), 'succeeded');
  await signalJob(story.context, early.job, { name: 'go', payload: 1 });
  // the statements alone, as of one that was killed right after them
  const send = openStatements(story.context);
  const rows = [signalled, early, parent].map((fence, place) => ({ ...fence, place, isParent: fence === parent }));
  await send(suspendJobs, [
    plainArray(rows.map(({ place }) => place)),
    plainArray(rows.map(({ job }) => job)),
    plainArray(rows.map(({ attempt }) => attempt)),
    plainArray(rows.map(({ token }) => token)),
    plainArray(rows.map(() => 0)),
    plainArray(rows.map(({ isParent }) => (isParent ? 'result' : 'signal'))),
    textArray(rows.map(() => 'go')),
    plainArray(rows.map(({ isParent }) => (isParent ? child : null))),
    textArray(rows.map(() => null)),
    plainArray(rows.map(() => null)),
  ]);
  await send(signalJobs, ['{0}', plainArray([signalled.job]), '{go}', '{key}', textArray(['2'])]);
  for (const { job } of rows) expect(await story.stateOf(job)).toBe('waiting');
  await using _waker = startWaker(story.context);
  for (const { job } of rows) await wakes(job);
  expect(await story.left()).toEqual({ waits: 0, wakes: 0 });
});

test('processes that are killed while they suspend and signal leave no job waiting for what is there', {
  timeout: 240_000,
}, async () => {
  const fences = await Promise.all(Array.from({ length: 120 }, () => story.running()));
  for (let killed = 0; killed < 3; killed++) {
    await using child = await startChild(new URL('./suspender.ts', import.meta.url), story.env, [
      JSON.stringify(fences.slice(killed * 40, killed * 40 + 40)),
    ]);
    // it says how many jobs it has done with; the others are under way
    await new Promise<void>((resolve) => {
      child.process.on('message', (done) => {
        if (Number(done) >= 10 * killed) resolve();
      });
      child.process.send('go');
    });
    child.kill('SIGKILL');
    await child.exited;
  }
  await using _waker = startWaker(story.context);
  const stuck = async () =>
    await story.context.db.anyFirst(sql.unsafe`
      select w.job from waits w join signals s on s.job = w.job and s.name = w.name and s.taken_at is null`);
  await expect.poll(stuck).toEqual([]);
  for (const { job } of fences) {
    const events = await story.events(job);
    const state = await story.stateOf(job);
    const isBoth = events.includes('waiting') && events.includes('signalled');
    expect([events, state]).toEqual([events, isBoth ? 'queued' : events.includes('waiting') ? 'waiting' : 'running']);
    expect(events.filter((type) => type === 'released woken')).toHaveLength(isBoth ? 1 : 0);
  }
});

test('a wait that is ended by hand leaves nothing behind, and a row that is left holds up no other', async () => {
  const [ended, due] = [await story.running(), await story.running()];
  await night(ended, 3_600_000);
  await night(due, 3_600_000);
  const { db } = story.context;
  await db.query(sql.unsafe`update jobs set state = 'failed', finished_at = now() where id = ${ended.job}`);
  expect(await story.left()).toEqual({ waits: 1, wakes: 0 });
  await db.query(sql.unsafe`
    insert into waits (job, attempt, kind, name, after, wake_at, owner, queue)
    select id, attempt, 'sleep', 'night', 0, now() - interval '1 hour', owner, queue from jobs where id = ${ended.job}`);
  await db.query(sql.unsafe`update waits set wake_at = now() where job = ${due.job}`);
  await using _waker = startWaker(story.context);
  await wakes(due.job);
  expect(await story.stateOf(ended.job)).toBe('failed');
});

test('a woken job that the broker has lost is added again by the audit', async () => {
  const { context } = story;
  const fence = await story.running();
  await night(fence, 0);
  const job = await story.job(fence.job);
  expect(job).toMatchObject({ state: 'queued', dispatch: 2 });
  expect(await entryOf(context, job)).toBeDefined();
  await context.redis.del(...(await context.redis.keys(`${brokerPrefix(context.config, trial.name)}*`)));
  await context.db.query(sql.unsafe`update jobs set queued_at = now() - interval '10 s' where id = ${fence.job}`);
  const [client, missing] = [await story.connect(), new Map()];
  expect(await auditBroker(context, client, [trial.name], missing)).toBe(0);
  expect(await auditBroker(context, client, [trial.name], missing)).toBe(1);
  expect(await story.job(fence.job)).toMatchObject({ state: 'queued', dispatch: 2, feed: 'ready' });
});

test('the gauge says how far the waker is behind', async () => {
  gaugeWakes(story.context);
  const overdue = async () =>
    Number(/^proofline_wakes_overdue_seconds (.*)$/m.exec(await story.context.metrics.registry.metrics())?.[1]);
  const fence = await story.running();
  await night(fence, 3_600_000);
  expect(await overdue()).toBe(0);
  await story.context.db.query(sql.unsafe`update waits set wake_at = now() - interval '5 minutes'`);
  await expect.poll(overdue).toBeGreaterThan(299);
  await using _waker = startWaker(story.context);
  await expect.poll(overdue).toBe(0);
});
