import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { expect, test, vi } from 'vitest';
import type { Job } from '#src/jobs/model/job.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { startChild } from '#test/helpers/child.ts';
import { whileAway } from '#test/helpers/database.ts';
import { type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { runs, until } from '#test/helpers/processes.ts';
import { trial } from '#test/helpers/trial.ts';
import { startIsolated } from '#workers/run/isolated-process.ts';
import { openIsolation } from '#workers/run/isolation.ts';
import { openWorkerContext } from '#workers/run/worker-context.ts';

const fleetFile = new URL('../helpers/trial-fleet.ts', import.meta.url);
const module = new URL('../helpers/trial.ts', import.meta.url);

/** A job that waits as if its first process had died. */
async function suspect(system: TestSystem, payload: Parameters<TestSystem['submit']>[0]): Promise<Job> {
  const job = await system.submit(payload, { runAt: new Date(Date.now() + 3_600_000) });
  await system.context.db.query(
    sql.unsafe`update jobs set suspect = true, dispatch = 2, run_at = now(), queued_at = now() - interval '9 s' where id = ${job.id}`,
  );
  return job;
}

async function lonePid({ context }: TestSystem): Promise<number> {
  let pid: unknown;
  await until(async () => {
    pid = await context.db.maybeOneFirst(sql.unsafe`select pid from workers where fleet = 'trial-lane'`);
    return pid !== null;
  });
  return Number(pid);
}

const metric = async ({ context }: TestSystem, name: string) => {
  const exposition = await context.metrics.registry.metrics();
  return exposition.split('\n').filter((line) => line.startsWith(`${name}{`));
};

test('a suspect that blocks its event loop is ended, quarantined the second time, and holds up no other suspect', async () => {
  await using system = await testSystem({ TRIAL_TIMEOUT_MS: '1000' });
  await using _fleet = await startChild(fleetFile, system.env);
  const poison = await suspect(system, { do: 'spin' });
  const innocent = await suspect(system, { do: 'succeed' });
  expect(await system.ended(poison.id)).toMatchObject({ state: 'failed', error: { code: 'poisoned' } });
  expect(await system.ended(innocent.id)).toMatchObject({ state: 'succeeded' });
  const types = await system.events(poison.id);
  expect(types.at(-1)).toBe('failed');
  expect(types.filter((type) => type === 'started')).toHaveLength(2);
});

test('a blocked isolated process is ended at the deadline of a drain, and that counts for nothing', async () => {
  await using system = await testSystem();
  const fleet = await startChild(fleetFile, system.env);
  const job = await suspect(system, { do: 'spin' });
  await system.until(job.id, ({ state }) => state === 'running');
  const pid = await lonePid(system);
  const since = performance.now();
  fleet.kill('SIGTERM');
  expect(await fleet.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - since).toBeLessThan(5_000);
  expect(runs(pid)).toBe(false);
  await system.until(job.id, ({ state }) => state === 'queued');
  expect(await loneDeaths(system, job)).toBe(0);
});

const loneDeaths = async ({ context }: TestSystem, { id }: Job) =>
  await context.db.oneFirst(sql.unsafe`select lone_deaths from jobs where id = ${id}`);

test.runIf(process.platform === 'linux')(
  'a blocked isolated process ends with its parent, however that went',
  async () => {
    await using system = await testSystem();
    const fleet = await startChild(fleetFile, system.env);
    const job = await suspect(system, { do: 'spin' });
    await system.until(job.id, ({ state }) => state === 'running');
    const pid = await lonePid(system);
    fleet.kill('SIGKILL');
    await fleet.exited;
    await until(() => !runs(pid));
    expect(await loneDeaths(system, job)).toBe(0);
  },
);

test('what an isolated process counts is counted by its parent, whose metrics are scraped', async () => {
  await using system = await testSystem();
  const isolation = openIsolation(system.context, 'trial', module);
  const good = await suspect(system, { do: 'succeed' });
  await isolation.run(trial, { id: good.id, dispatch: 2 });
  expect(await metric(system, 'proofline_jobs_finished_total')).toEqual([
    'proofline_jobs_finished_total{queue="trial.run",outcome="succeeded"} 1',
  ]);
  for (const name of ['wait', 'run', 'end_to_end'])
    expect(await metric(system, `proofline_job_${name}_seconds_count`)).toEqual([
      `proofline_job_${name}_seconds_count{queue="trial.run"} 1`,
    ]);
  expect(await metric(system, 'proofline_jobs_running')).toEqual(['proofline_jobs_running{queue="trial.run"} 0']);
  await isolation.close(0);
});

test('an idle isolated process is forgotten before it is ended: suspects that come just then lose nothing', async () => {
  await using system = await testSystem();
  // idle for no time at all: every suspect meets an isolated process that was just told to end
  const isolation = openIsolation(system.context, 'trial', module, { idleMs: 0 });
  for (let count = 0; count < 4; count++) {
    const job = await suspect(system, { do: 'succeed' });
    await isolation.run(trial, { id: job.id, dispatch: 2 });
    expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded', attempt: 1 });
    expect(await loneDeaths(system, job)).toBe(0);
    await sleep(5 * count);
  }
  await isolation.close(0);
});

test('an isolated process that cannot start is tried again with growing pauses, and never held against a job', async () => {
  await using system = await testSystem();
  const isolation = openIsolation(system.context, 'trial', new URL('./no-such-works.ts', import.meta.url));
  const job = await suspect(system, { do: 'succeed' });
  const since = performance.now();
  for (let count = 0; count < 3; count++) await isolation.run(trial, { id: job.id, dispatch: 2 });
  // 0.5 s and 1 s
  expect(performance.now() - since).toBeGreaterThan(1_500);
  expect(await loneDeaths(system, job)).toBe(0);
  await isolation.close(0);
});

test('while Postgres is away no isolated process is started, and none counts as one that cannot start', async () => {
  await using system = await testSystem();
  const complaints = vi.spyOn(system.context.log, 'error');
  const isolation = openIsolation(system.context, 'trial', module);
  const job = await suspect(system, { do: 'succeed' });
  await whileAway(system.env['DATABASE_URL'] ?? '', async () => {
    for (let count = 0; count < 3; count++) await isolation.run(trial, { id: job.id, dispatch: 2 });
  });
  expect(complaints).not.toHaveBeenCalled();
  // a connection that was ended may still be met
  await until(async () => {
    await isolation.run(trial, { id: job.id, dispatch: 2 });
    return (await system.until(job.id, () => true)).state === 'succeeded';
  });
  await isolation.close(0);
});

test('an isolated process that starts while Postgres is away tells its parent why, prints nothing, and ends', async () => {
  await using system = await testSystem();
  const away = { DATABASE_URL: `postgresql://nobody@127.0.0.1:${await freePort()}/nothing` };
  const child = fork(new URL('../../workers/run/isolated-main.ts', import.meta.url), ['trial', module.href], {
    env: { ...process.env, ...system.env, ...away },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const told: unknown[] = [];
  let printed = '';
  child.on('message', (message) => told.push(message));
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed += text));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(told).toEqual([{ kind: 'unready', why: expect.stringContaining('ECONNREFUSED') }]);
  expect(printed).toBe('');
  const context = { ...system.context, config: { ...system.context.config, ...away } };
  await expect(startIsolated(context, 'trial', module)).rejects.toThrow(/ECONNREFUSED/);
});

test('a suspect that is running when a drain begins may finish', async () => {
  await using system = await testSystem();
  const isolation = openIsolation(system.context, 'trial', module);
  const job = await suspect(system, { do: 'sleep', ms: 1_000 });
  const run = isolation.run(trial, { id: job.id, dispatch: 2 });
  await system.until(job.id, ({ state }) => state === 'running');
  await isolation.close(10_000);
  await run;
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded', attempt: 1 });
});

test('an isolated process that loses its lease leaves its job a suspect, though the sweep was faster', async () => {
  await using system = await testSystem();
  const { db } = system.context;
  const worker = await openWorkerContext(system.context, 'hand-lane', true);
  const { id } = await suspect(system, { do: 'succeed' });
  expect(await worker.claim({ id, dispatch: 2, token: randomUUID() })).toMatchObject({ id });
  worker.running.set(id, { stop: new AbortController(), claimedAt: performance.now(), done: Promise.withResolvers() });
  const old = worker.lease.id();
  await db.query(sql.unsafe`delete from workers where id = ${old}`);
  await system.until(id, ({ state }) => state === 'queued');
  // the second beat under the new id: what ran under the old one has been spoken for
  await until(async () =>
    Boolean(
      await db.maybeOneFirst(
        sql.unsafe`select id from workers where fleet = 'hand-lane' and id <> ${old} and beat_at > started_at`,
      ),
    ),
  );
  expect(await system.until(id, () => true)).toMatchObject({ state: 'queued', suspect: true, dispatch: 3 });
  expect(await system.events(id)).toEqual(['queued', 'started', 'released']);
  await worker.lease[Symbol.asyncDispose]();
});
