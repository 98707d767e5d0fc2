import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { fleets } from '#queues/fleets.ts';
import { flowQueue } from '#queues/flows.ts';
import { queues } from '#queues/index.ts';
import { brokerPrefix } from '#src/jobs/broker/broker-names.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { controlChannel } from '#src/jobs/model/channels.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { consumerConnection } from '#src/system/consumer-connection.ts';
import type { Context } from '#src/system/context.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { carriedIn, entryOf } from '#test/helpers/carried.ts';
import { type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { runCommand, testFolder, until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { handlersOf } from '#workers/fleets.ts';
import { consume } from '#workers/run/consumer.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handler } from '#workers/run/processor.ts';

/** Makes the claim of a job wait until the answered function is called. */
async function holdClaim({ context }: TestSystem, id: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const releaseClaim = Promise.withResolvers<void>();
  const done = context.db.transaction(async (transaction) => {
    await transaction.query(sql.unsafe`select from jobs where id = ${id} for update`);
    held.resolve();
    await releaseClaim.promise;
  });
  await held.promise;
  return async () => {
    releaseClaim.resolve();
    await done;
  };
}

const claimWaits = async ({ context }: TestSystem) =>
  await until(
    async () =>
      (await context.db.oneFirst(
        sql.unsafe`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%(id, dispatch, token, worker, place)%'`,
      )) === 1,
  );

const ageOf = async ({ metrics }: Context) =>
  (await metrics.registry.metrics()).match(/^proofline_consumer_last_fetch_age_seconds\{.*\} (.*)$/m)?.[1];

test('a job whose claim is in flight when a drain begins may run until the deadline', async () => {
  await using system = await testSystem({ DRAIN_DEADLINE_MS: '10000' });
  const job = await system.submit({ do: 'sleep', ms: 1_500 });
  const releaseClaim = await holdClaim(system, job.id);
  const fleet = await system.fleet();
  await claimWaits(system);
  const drained = fleet.drain();
  await sleep(100);
  await releaseClaim();
  await drained;
  expect(await system.until(job.id, () => true)).toMatchObject({ state: 'succeeded', attempt: 1, suspect: false });
  expect(await system.events(job.id)).toEqual(['queued', 'started', 'succeeded']);
});

test('a job that a claim starts at the very end of a drain goes back, without an attempt or suspicion', async () => {
  await using system = await testSystem({ DRAIN_DEADLINE_MS: '300' });
  const job = await system.submit({ do: 'wait' });
  const releaseClaim = await holdClaim(system, job.id);
  const fleet = await system.fleet();
  await claimWaits(system);
  const drained = fleet.drain();
  await sleep(600);
  await releaseClaim();
  await drained;
  expect(await system.until(job.id, () => true)).toMatchObject({ state: 'queued', failures: 0, suspect: false });
  expect(await system.events(job.id)).toEqual(['queued', 'started', 'released']);
});

test('error: a control message that is none ends nothing, and the next one is heard', async () => {
  await using system = await testSystem({ BEAT_MS: '700' });
  await system.fleet();
  const job = await system.submit({ do: 'wait' });
  await system.until(job.id, ({ state }) => state === 'running');
  const { redis, config, metrics } = system.context;
  for (const text of ['', '{', 'null', '7', '{"cancel":{}}']) await redis.publish(controlChannel(config), text);
  expect(await redis.publish(controlChannel(config), JSON.stringify({ cancel: job.id }))).toBe(1);
  await until(async () => (await metrics.proofline_jobs_running.get()).values[0]?.value === 0);
});

test('a cancellation whose message is lost is made good by the beat', async () => {
  await using system = await testSystem();
  await system.fleet();
  const job = await system.submit({ do: 'wait' });
  await system.until(job.id, ({ state }) => state === 'running');
  const { context } = system;
  const publish = context.redis.publish.bind(context.redis);
  Object.assign(context.redis, {
    publish: async (channel: string, text: string) =>
      channel === controlChannel(context.config) ? 0 : await publish(channel, text),
  });
  await cancelJob(context, job.id, 'alice');
  await until(async () => (await context.metrics.proofline_jobs_running.get()).values[0]?.value === 0);
  expect(await system.events(job.id)).toEqual(['queued', 'started', 'cancelled']);
});

test('a job settles once when the broker loses everything while it runs', async () => {
  await using system = await testSystem();
  await system.fleet();
  const job = await system.submit({ do: 'sleep', ms: 7_000 });
  await system.until(job.id, ({ state }) => state === 'running');
  const { redis, config } = system.context;
  await redis.del(...(await redis.keys(`${brokerPrefix(config, trial.name)}*`)));
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded', attempt: 1, dispatch: 1 });
  await sleep(1_000);
  expect(await system.events(job.id)).toEqual(['queued', 'started', 'succeeded']);
});

test('the broker is given what our rules say, and its entries carry ids only', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const { job } = await submit(context, trial, {
    principal: { owner: 'alice' },
    payload: { do: 'succeed', text: 'nothing of this' },
  });
  const queue = new Queue(trial.name, {
    connection: consumerConnection(context),
    prefix: brokerPrefix(context.config, trial.name),
  });
  await until(async () => (await entryOf(context, job)) !== undefined);
  const entry = await queue.getJob((await entryOf(context, job))!.entry);
  expect(entry?.data).toEqual([`${job.id}-1`]);
  expect(entry?.opts).toMatchObject({ attempts: 1, removeOnComplete: true, removeOnFail: true });
  await queue.close();

  const [work] = handlers;
  if (!work) throw new Error('expected a work');
  const heard: unknown[] = [];
  const consumer = consume(context, work, { suspects: false, concurrency: 7 }, async ({ delivery, rank }) => {
    heard.push({ delivery, rank });
  });
  await until(() => heard.length > 0);
  expect(heard).toEqual([{ delivery: { id: job.id, dispatch: 1 }, rank: 0 }]);
  await until(async () => (await entryOf(context, job)) === undefined);
  await consumer.close();
});

test('a consumer has no more in hand than it has hands; an entry is held until all in it are claimed or refused', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const jobs = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { job } = await submit(context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' } });
      return job;
    }),
  );
  await until(async () => (await carriedIn(context)).size === 5);
  const inHand: { readonly onTaken: () => void; readonly end: () => void }[] = [];
  const [work] = handlers;
  const consumer = consume(context, work!, { suspects: false, concurrency: 2 }, async ({ onTaken }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    inHand.push({ onTaken, end: resolve });
    await promise;
  });
  await until(() => inHand.length === 2);
  expect((await carriedIn(context)).size).toBe(5);
  inHand[0]?.onTaken();
  inHand[1]?.onTaken();
  await until(async () => (await carriedIn(context)).size === 3);
  expect(inHand).toHaveLength(2);
  for (let ended = 0; ended < jobs.length; ended++) {
    await until(() => inHand.length > ended);
    inHand[ended]?.end();
  }
  await until(async () => (await carriedIn(context)).size === 0);
  await consumer.close();
});

test('the age of the last fetch stays small on an idle queue, and grows when Redis is not heard', async () => {
  using folder = testFolder();
  // one of this test alone: for some time it answers nothing
  const redis = await startRedis(folder.path, () => {});
  try {
    await using system = await quietSystem({ REDIS_URL: redis.url });
    const { context } = system;
    await until(() => context.redis.status === 'ready');
    const [work] = handlers;
    if (!work) throw new Error('expected a work');
    const consumer = consume(context, work, { suspects: false, concurrency: 1 }, async () => {});
    await sleep(6_000);
    expect(Number(await ageOf(context))).toBeLessThan(4);
    await context.redis.call('CLIENT', 'PAUSE', '7000', 'ALL');
    await sleep(5_000);
    expect(Number(await ageOf(context))).toBeGreaterThan(4);
    await consumer.close();
    expect(await ageOf(context)).toBeUndefined();
  } finally {
    await redis.stop();
  }
});

test('every queue has a processor, and a fleet, but flows: what moves them are the ends of their jobs', () => {
  const names = handlersOf(Object.keys(fleets)).map(({ queue }) => queue.name);
  expect([...names, flowQueue.name].toSorted()).toEqual([...queues.keys()].toSorted());
});

test('error: a fleet that does not exist does not start, and says so in one sentence', async () => {
  const sentence = /^Expected a fleet \(studio, [\w, ]+\) or a queue, got "nonsense"\.$/;
  await using system = await testSystem();
  await using worker = runCommand(process.execPath, ['src/cli.ts', 'worker', 'nonsense'], system.env);
  expect(await worker.ended).toBe(2);
  expect(worker.output().trim()).toMatch(sentence);
});

test('a claim whose lease is lost while it is under way runs nothing, and speaks against no job', async () => {
  await using system = await testSystem();
  const { db } = system.context;
  const { id } = await system.submit({ do: 'wait' });
  const releaseClaim = await holdClaim(system, id);
  await system.fleet();
  await claimWaits(system);
  const worker = async () => await db.maybeOneFirst(sql.unsafe`select id from workers`);
  const old = await worker();
  await db.query(sql.unsafe`delete from workers`);
  await until(async () => ![old, null].includes(await worker()));
  await releaseClaim();
  const again = await system.until(id, ({ state, attempt }) => state === 'running' && attempt === 2);
  expect(again).toMatchObject({ suspect: false, failures: 0 });
});

test('with a bound for all its queues together a process runs no more jobs at once', async () => {
  await using system = await testSystem();
  const { context } = system;
  const other = { ...trial, name: 'trial.other' };
  let [running, most] = [0, 0];
  const run = async () => {
    most = Math.max(most, ++running);
    await sleep(20);
    running--;
  };
  const both = [trial, other].map((queue) => handler(queue, run));
  const module = new URL('../helpers/trial.ts', import.meta.url);
  const send = async (queue: typeof trial) =>
    (await submit(context, queue, { principal: { owner: 'alice' }, payload: { do: 'succeed' } })).job;
  const jobs = await Promise.all([trial, other, trial, other, trial, other, trial, other].map(send));
  const fleet = await startFleet(context, { name: 'trial', handlers: both, module, concurrency: 4, together: 2 });
  for (const { id } of jobs) expect(await system.ended(id)).toMatchObject({ state: 'succeeded' });
  expect(most).toBe(2);
  await fleet.drain();
});
