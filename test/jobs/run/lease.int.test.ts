import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sql } from 'slonik';
import { expect, inject, test, vi } from 'vitest';
import { holdLease } from '#src/jobs/run/lease.ts';
import { releaseMine } from '#src/jobs/run/release.ts';
import { startChild } from '#test/helpers/child.ts';
import { whileAway } from '#test/helpers/database.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';

const fleetFile = new URL('../../helpers/trial-fleet.ts', import.meta.url);

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** Process id of the server's side of the lease's connection, once there is one that is not `other`. */
async function leaseBackend(url: string, other = 0): Promise<number> {
  const text = `select pid from pg_stat_activity where datname = $1 and application_name = 'proofline-lease' and pid <> $2`;
  return await asAdmin(async (admin) => {
    for (;;) {
      const { rows } = await admin.query<{ pid: number }>(text, [nameOf(url), other]);
      if (rows[0]) return rows[0].pid;
      await sleep(50);
    }
  });
}

test('Postgres away for longer than a lease makes no suspects of what a living process ran', async () => {
  await using system = await testSystem();
  await system.fleet();
  const jobs = await Promise.all(Array.from({ length: 10 }, () => system.submit({ do: 'wait' })));
  for (const { id } of jobs) await system.until(id, ({ state }) => state === 'running');
  await whileAway(system.env['DATABASE_URL'] ?? '', () => sleep(2_500));
  for (const { id } of jobs)
    expect(await system.until(id, ({ dispatch }) => dispatch > 1)).toMatchObject({ suspect: false, failures: 0 });
});

test('a lease whose connection hangs goes on over another one, and the process ends when asked', async () => {
  await using system = await testSystem();
  await using child = await startChild(fleetFile, system.env);
  const job = await system.submit({ do: 'wait' });
  await system.until(job.id, ({ state }) => state === 'running');
  const url = system.env['DATABASE_URL'] ?? '';
  const hung = [await leaseBackend(url)];
  process.kill(hung[0] ?? 0, 'SIGSTOP');
  try {
    await sleep(3_000);
    expect(await system.until(job.id, () => true)).toMatchObject({ state: 'running', attempt: 1 });
    hung.push(await leaseBackend(url, hung[0]));
    process.kill(hung[1] ?? 0, 'SIGSTOP');
    const since = performance.now();
    child.kill('SIGTERM');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - since).toBeLessThan(6_000);
  } finally {
    for (const pid of hung) process.kill(pid, 'SIGCONT');
  }
});

test('a lease that no connection can keep is lost by the clock, once, and disposing it waits for nothing', async () => {
  await using system = await quietSystem({ LEASE_MS: '1000', BEAT_MS: '100' });
  const url = system.context.config.DATABASE_URL;
  let losses = 0;
  const lease = await holdLease(system.context, 'hand', {
    suspects: false,
    onBeat: () => [],
    onLost: () => (losses++, []),
  });
  const first = lease.id();
  const backend = await leaseBackend(url);
  await asAdmin((admin) => admin.query(`alter database ${nameOf(url)} with allow_connections false`));
  process.kill(backend, 'SIGSTOP');
  try {
    await expect.poll(() => lease.id()).not.toBe(first);
    await sleep(1_500);
    expect(losses).toBe(1);
    const since = performance.now();
    await lease[Symbol.asyncDispose]();
    expect(performance.now() - since).toBeLessThan(2_500);
  } finally {
    process.kill(backend, 'SIGCONT');
    await asAdmin((admin) => admin.query(`alter database ${nameOf(url)} with allow_connections true`));
  }
});

/** A job that runs under `worker`, or that the sweep has put back already where that is null. */
async function addJob({ context }: QuietSystem, worker: string | null, suspect: boolean, loneDeaths = 0) {
  return String(
    await context.db.oneFirst(sql.unsafe`
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, worker_id, suspect, lone_deaths, run_at)
      values (${randomUUID()}, 'alice', 'trial.run', ${worker === null ? 'queued' : 'running'}, 0, '{}', '', ${worker}, ${suspect},
        ${loneDeaths}, now() + interval '1 hour')
      returning id`),
  );
}

const jobsOf = async ({ context }: QuietSystem) => {
  const rows = await context.db.any(sql.unsafe`select id, state, suspect, dispatch, events from jobs`);
  return new Map(rows.map((job) => [(job as { id: string }).id, job]));
};

const waits = { state: 'queued', suspect: true, dispatch: 1, events: 1 };
const released = { state: 'queued', suspect: true, dispatch: 2, events: 2 };

test('what a process lost with its lease is released once; where the sweep was faster, it is only suspect no longer', async () => {
  await using system = await quietSystem();
  const worker = randomUUID();
  const running = await addJob(system, worker, false);
  const taken = await addJob(system, null, true);
  const died = await addJob(system, null, true, 1);
  const jobs = [running, taken, died];
  await releaseMine(system.context, await system.connect(), { jobs, worker, suspects: false });
  const now = await jobsOf(system);
  expect(now.get(running)).toMatchObject({ ...released, suspect: false });
  expect(now.get(taken)).toMatchObject({ ...waits, suspect: false });
  expect(now.get(died)).toMatchObject(waits);
});

test('what a process for suspects lost with its lease stays suspect, whether or not the sweep was faster', async () => {
  await using system = await quietSystem();
  const worker = randomUUID();
  const running = await addJob(system, worker, true);
  const taken = await addJob(system, null, true);
  const jobs = [running, taken];
  await releaseMine(system.context, await system.connect(), { jobs, worker, suspects: true });
  const now = await jobsOf(system);
  expect(now.get(running)).toMatchObject(released);
  expect(now.get(taken)).toMatchObject(waits);
});

test('what goes back to its queue waits for its time by the database’s clock, whatever this machine’s clock says', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const worker = randomUUID();
  const [running, taken] = [await addJob(system, worker, false), await addJob(system, null, true)];
  await until(() => context.redis.status === 'ready');
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_800_000);
  try {
    await releaseMine(context, await system.connect(), { jobs: [running, taken], worker, suspects: false });
  } finally {
    clock.mockRestore();
  }
  const now = await context.db.any(sql.unsafe`
    select id, feed, run_at > now() + interval '59 minutes' as "isLate" from jobs order by dispatch`);
  expect(now).toEqual([
    { id: taken, feed: 'later', isLate: true },
    { id: running, feed: 'later', isLate: true },
  ]);
});
