import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { releaseMine } from '#src/jobs/run/release.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { openDirect } from '#src/system/postgres/direct-postgres.ts';
import { carriedIn } from '#test/helpers/carried.ts';
import { startChild } from '#test/helpers/child.ts';
import { claimsFor, type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';

const fleetFile = new URL('../../helpers/trial-fleet.ts', import.meta.url);

async function register({ db }: Context): Promise<string> {
  const id = randomUUID();
  await db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${id}, 'hand', 'here', 1, now() + interval '1 hour')`,
  );
  return id;
}

async function claimByHand(system: TestSystem, id: string, dispatch = 1, suspects = false) {
  const worker = await register(system.context);
  const token = randomUUID();
  return { worker, token, claimed: await claimsFor(system.context, () => worker, suspects)({ id, dispatch, token }) };
}

const success = { state: 'succeeded', event: 'succeeded', data: {}, result: 1, counts: false, delayMs: 0 } as const;

test('jobs of a killed worker run again, and keep their attempts', async () => {
  await using system = await testSystem();
  await using worker = await startChild(fleetFile, system.env);
  const jobs = await Promise.all(Array.from({ length: 5 }, () => system.submit({ do: 'wait' })));
  for (const { id } of jobs) await system.until(id, ({ state }) => state === 'running');
  worker.kill('SIGKILL');
  for (const { id } of jobs) {
    const job = await system.until(id, ({ dispatch }) => dispatch === 2);
    expect(job).toMatchObject({ failures: 0, suspect: true });
    expect(await system.events(id)).toContain('released');
  }
});

test('one poison among many: it alone is quarantined, and at most three processes die', async () => {
  await using system = await testSystem();
  const poison = await system.submit({ do: 'die' });
  const good = await Promise.all(Array.from({ length: 60 }, () => system.submit({ do: 'succeed' })));
  const workers = [await startChild(fleetFile, system.env)];
  await workers[0]?.exited;
  workers.push(await startChild(fleetFile, system.env));
  expect(await system.ended(poison.id)).toMatchObject({ state: 'failed', error: { code: 'poisoned' }, attempt: 3 });
  for (const { id } of good) expect(await system.ended(id)).toMatchObject({ state: 'succeeded' });
  // the first in company, two more alone: the second fleet itself never died
  expect(workers[1]?.process.exitCode).toBeNull();
  for (const worker of workers) await worker[Symbol.asyncDispose]();
});

test('a poison that recovers once alone is not quarantined', async () => {
  await using system = await testSystem();
  await using worker = await startChild(fleetFile, system.env);
  const job = await system.submit({ do: 'die', until: 2 });
  await worker.exited;
  await using _second = await startChild(fleetFile, system.env);
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded', attempt: 3 });
});

test('a worker that is stopped past its lease comes back under a new id; its late result is refused', async () => {
  await using system = await testSystem();
  await using worker = await startChild(fleetFile, system.env);
  const job = await system.submit({ do: 'wait' });
  await system.until(job.id, ({ state }) => state === 'running');
  worker.kill('SIGSTOP');
  await system.until(job.id, ({ dispatch }) => dispatch > 1);
  worker.kill('SIGCONT');
  // it lives, so nothing speaks against the job: it runs in company again
  expect(await system.until(job.id, ({ state, attempt }) => state === 'running' && attempt > 1)).toMatchObject({
    failures: 0,
  });
  const other = await system.submit({ do: 'succeed' });
  expect(await system.ended(other.id)).toMatchObject({ state: 'succeeded' });
});

test('a job that waits for its next attempt keeps its time when its first worker wakes up and speaks for it', async () => {
  await using system = await testSystem();
  const { id } = await system.submit({ do: 'succeed' });
  const { worker } = await claimByHand(system, id);
  const { db, config } = system.context;
  await db.query(sql.unsafe`delete from workers where id = ${worker}`);
  await system.until(id, ({ suspect }) => suspect);
  await db.query(sql.unsafe`update jobs set run_at = now() + interval '1 hour' where id = ${id}`);
  const client = await openDirect(config, 'test', () => {});
  await releaseMine(system.context, client, { jobs: [id], worker, suspects: false });
  await client.end();
  const job = await system.until(id, ({ suspect }) => !suspect);
  expect(job.runAt.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
  // it was in its queue already, and nothing happened to it
  expect(job.dispatch).toBe(2);
  expect(await system.events(id)).toEqual(['queued', 'started', 'released']);
});

test('a late settlement matches nothing', async () => {
  await using system = await testSystem();
  const { id } = await system.submit({ do: 'succeed' });
  const { token, claimed, worker } = await claimByHand(system, id);
  expect(claimed).toMatchObject({ attempt: 1 });
  await system.context.db.query(sql.unsafe`delete from workers where id = ${worker}`);
  await system.until(id, ({ dispatch }) => dispatch === 2);
  expect(await openSettlements(system.context)({ id, attempt: 1, token, ...success })).toBeNull();
});

test('a settlement repeated after a lost answer is recognised as our own success', async () => {
  await using system = await testSystem();
  const { id } = await system.submit({ do: 'succeed' });
  const { token } = await claimByHand(system, id);
  const settle = openSettlements(system.context);
  expect(await settle({ id, attempt: 1, token, ...success })).not.toBeNull();
  expect(await settle({ id, attempt: 1, token, ...success })).not.toBeNull();
  expect(await settle({ id, attempt: 1, token: randomUUID(), ...success })).toBeNull();
  expect(await system.events(id)).toEqual(['queued', 'started', 'succeeded']);
});

test('a delivery that does not fit its row is dropped: another dispatch, a running job, a dead worker, the wrong lane', async () => {
  await using system = await testSystem();
  const { id } = await system.submit({ do: 'succeed' });
  expect((await claimByHand(system, id, 7)).claimed).toBeNull();
  expect((await claimByHand(system, id, 1, true)).claimed).toBeNull();
  expect(
    await claimsFor(system.context, () => randomUUID(), false)({ id, dispatch: 1, token: randomUUID() }),
  ).toBeNull();
  expect((await claimByHand(system, id)).claimed).not.toBeNull();
  expect((await claimByHand(system, id)).claimed).toBeNull();
});

test('overlapping batches of claims and settlements in any order do not deadlock, and each job is claimed once', async () => {
  await using system = await testSystem();
  const jobs = await Promise.all(Array.from({ length: 200 }, () => system.submit({ do: 'succeed' })));
  const workers = await Promise.all([1, 2, 3, 4].map(() => register(system.context)));
  const claims = await Promise.all(
    workers.map(async (worker, index) => {
      const claim = claimsFor(system.context, () => worker, false);
      const mine = index % 2 === 0 ? jobs : jobs.toReversed();
      return (await Promise.all(mine.map(({ id }) => claim({ id, dispatch: 1, token: randomUUID() })))).filter(
        (claimed) => claimed !== null,
      ).length;
    }),
  );
  expect(claims.reduce((sum, count) => sum + count, 0)).toBe(200);
});

test('an emptied Redis is rebuilt: waiting and delayed jobs run, none twice', async () => {
  await using system = await testSystem();
  const waiting = await Promise.all(Array.from({ length: 30 }, () => system.submit({ do: 'succeed' })));
  const delayed = await system.submit({ do: 'succeed' }, { runAt: new Date(Date.now() + 3_000) });
  const { redis, config } = system.context;
  // the adds follow their commits in the background
  await until(async () => (await carriedIn(system.context)).size === 31);
  await redis.del(...(await redis.keys(`{${config.REDIS_PREFIX}-*`)));
  await system.fleet();
  for (const { id } of [...waiting, delayed])
    expect(await system.ended(id)).toMatchObject({ state: 'succeeded', attempt: 1 });
});

test('a job whose broker add was lost runs all the same', async () => {
  await using system = await testSystem();
  const { redis, config } = system.context;
  const { id } = await system.submit({ do: 'succeed' });
  const keys = async () => await redis.keys(`{${config.REDIS_PREFIX}-*`);
  let found = await keys();
  while (found.length === 0) found = await keys();
  await redis.del(...found);
  await system.fleet();
  expect(await system.ended(id)).toMatchObject({ state: 'succeeded' });
});

test('of two deliveries of one job in one batch only one has claimed it; a stale one beside the current one runs nothing', async () => {
  await using system = await testSystem();
  const worker = await register(system.context);
  const claim = claimsFor(system.context, () => worker, false);
  const twice = await system.submit({ do: 'succeed' });
  const same = await Promise.all([1, 1, 1].map((dispatch) => claim({ id: twice.id, dispatch, token: randomUUID() })));
  expect(same.filter((claimed) => claimed !== null)).toHaveLength(1);
  const back = await system.submit({ do: 'succeed' });
  const first = await claimByHand(system, back.id);
  await system.context.db.query(sql.unsafe`delete from workers where id = ${first.worker}`);
  await system.until(back.id, ({ dispatch }) => dispatch === 2);
  const lane = claimsFor(system.context, () => worker, true);
  const [stale, current] = await Promise.all(
    [1, 2].map((dispatch) => lane({ id: back.id, dispatch, token: randomUUID() })),
  );
  expect([stale, current?.attempt]).toEqual([null, 2]);
});

test('a late settlement beside the current one in a batch is refused; overlapping settlements do not deadlock', async () => {
  await using system = await testSystem();
  const settle = openSettlements(system.context);
  const { id } = await system.submit({ do: 'succeed' });
  const { token } = await claimByHand(system, id);
  const [late, current] = await Promise.all([
    settle({ id, attempt: 1, token: randomUUID(), ...success }),
    settle({ id, attempt: 1, token, ...success }),
  ]);
  expect([late, current === null]).toEqual([null, false]);
  const jobs = await Promise.all(Array.from({ length: 100 }, () => system.submit({ do: 'succeed' })));
  const claims = await Promise.all(jobs.map((job) => claimByHand(system, job.id)));
  const settlements = jobs.map((job, index) => ({
    id: job.id,
    attempt: 1,
    token: claims[index]?.token ?? '',
    ...success,
  }));
  const [there, back] = await Promise.all([
    Promise.all(settlements.map(openSettlements(system.context))),
    Promise.all(settlements.toReversed().map(openSettlements(system.context))),
  ]);
  expect([...there, ...back].every((settled) => settled !== null)).toBe(true);
  for (const job of jobs) expect(await system.events(job.id)).toEqual(['queued', 'started', 'succeeded']);
});

test('results that cannot be written as JSON fail their jobs alone', async () => {
  await using system = await testSystem();
  const settle = openSettlements(system.context);
  const jobs = await Promise.all(Array.from({ length: 20 }, () => system.submit({ do: 'succeed' })));
  const claims = await Promise.all(jobs.map((job) => claimByHand(system, job.id)));
  const results = await Promise.allSettled(
    jobs.map((job, index) =>
      settle({
        id: job.id,
        attempt: 1,
        token: claims[index]?.token ?? '',
        ...success,
        // neither has a JSON: the one throws, of the other nothing is left
        result: index === 7 ? 1n : index === 8 ? () => 1 : index,
      }),
    ),
  );
  expect(
    results.flatMap((result, index) =>
      result.status === 'rejected' ? [[index, (result.reason as { code: string }).code]] : [],
    ),
  ).toEqual([
    [7, 'invalid_result'],
    [8, 'invalid_result'],
  ]);
});
