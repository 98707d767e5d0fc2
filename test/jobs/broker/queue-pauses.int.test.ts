import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBroker, readPausedInBroker } from '#src/jobs/broker/broker.ts';
import { brokerId, brokerPrefix } from '#src/jobs/broker/broker-names.ts';
import { assertNotPaused, pauseQueue, readPauses, resumeQueue } from '#src/jobs/broker/queue-pauses.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { carriedIn } from '#test/helpers/carried.ts';
import { claimsFor, type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { trial } from '#test/helpers/trial.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await testSystem();
  await system.fleet();
  await system.fleet();
});
afterAll(async () => await system[Symbol.asyncDispose]());
beforeEach(async () => await resumeQueue(system.context, trial.name, { by: 'op' }));

const pause = async () => await pauseQueue(system.context, trial.name, { by: 'op', reason: 'a test' });
const resume = async () => await resumeQueue(system.context, trial.name, { by: 'op' });

const inBroker = async () => (await readPausedInBroker(system.context, [trial.name])).get(trial.name);

const allKnown = async (jobs: readonly Job[]) => {
  const carried = await carriedIn(system.context);
  return jobs.every((job) => carried.has(brokerId(job)));
};

const submitMany = async (count: number) =>
  await Promise.all(Array.from({ length: count }, async () => await system.submit({ do: 'succeed' })));

/** Each ran once, and was told once. */
async function expectOnce(jobs: readonly Job[]): Promise<void> {
  for (const { id } of jobs) {
    expect(await system.ended(id)).toMatchObject({ state: 'succeeded', attempt: 1, dispatch: 1 });
    expect(await system.events(id)).toEqual(['queued', 'started', 'succeeded']);
  }
}

test('a paused queue takes jobs and starts none; what runs goes on; resumed, each runs once', async () => {
  const running = await system.submit({ do: 'sleep', ms: 300 });
  await system.until(running.id, ({ state }) => state === 'running');
  await pause();
  expect(await inBroker()).toBe('yes');
  const jobs = await submitMany(20);
  const later = await system.submit({ do: 'succeed' }, { runAt: new Date(Date.now() + 200) });
  await expectOnce([running]);
  await until(async () => await allKnown([...jobs, later]));
  expect(await Promise.all(jobs.map(async ({ id }) => (await readJob(system.context, id))?.state))).toEqual(
    jobs.map(() => 'queued'),
  );
  await resume();
  await expectOnce([...jobs, later]);
});

test('a claim of a job of a paused queue is refused, whatever the broker delivers', async () => {
  await pause();
  const job = await system.submit({ do: 'succeed' });
  const worker = randomUUID();
  await system.context.db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, 'infinity')`,
  );
  const claim = claimsFor(system.context, () => worker, false);
  expect(await claim({ id: job.id, dispatch: 1, token: randomUUID() })).toBeNull();
  await system.context.db.query(sql.unsafe`delete from workers where id = ${worker}`);
  await resume();
  await expectOnce([job]);
});

test('a broker that hands out what is paused loses nothing: it is told again, and has every job again', async () => {
  const { metrics } = system.context;
  const refused = async () => (await metrics.proofline_claims_refused_total.get()).values[0]?.value ?? 0;
  await pause();
  const jobs = await submitMany(20);
  const before = await refused();
  await openBroker(system.context).setPaused(trial.name, false);
  await until(async () => (await refused()) > before);
  // told again by the audit, which also adds what the refusals have used up, once it is old enough
  await until(async () => (await inBroker()) === 'yes' && (await allKnown(jobs)));
  expect((await system.context.metrics.proofline_broker_readded_total.get()).values[0]?.value).toBeGreaterThan(0);
  await resume();
  await expectOnce(jobs);
});

test('a pause survives an emptied Redis, and so do the jobs that wait in it', async () => {
  await pause();
  const jobs = await submitMany(20);
  const { redis, config } = system.context;
  await until(async () => await allKnown(jobs));
  await redis.del(...(await redis.keys(`${brokerPrefix(config, trial.name)}*`)));
  expect(await inBroker()).toBe('no');
  await until(async () => (await inBroker()) === 'yes' && (await allKnown(jobs)));
  expect((await readPauses(system.context)).get(trial.name)).toMatchObject({ by: 'op', reason: 'a test' });
  await resume();
  await expectOnce(jobs);
});

test('a queue goes on although the broker was not told that it was resumed', async () => {
  await pause();
  const jobs = await submitMany(5);
  await system.context.db.query(sql.unsafe`delete from queue_pauses`);
  await expectOnce(jobs);
  expect(await inBroker()).toBe('no');
});

test('a queue is paused once: who asks again changes nothing, and one that is not paused is not resumed', async () => {
  await pause();
  const first = (await readPauses(system.context)).get(trial.name);
  await pauseQueue(system.context, trial.name, { by: 'another', reason: 'another reason' });
  expect((await readPauses(system.context)).get(trial.name)).toEqual(first);
  await expect(assertNotPaused(system.context, trial.name)).rejects.toMatchObject({ code: 'unavailable' });
  await resume();
  await resume();
  await assertNotPaused(system.context, trial.name);
  expect((await readPauses(system.context)).size).toBe(0);
});
