import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { stress, tick } from '#queues/analytics.ts';
import { startLiveFeed } from '#src/analytics/feed/live-feed.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { runCommand, until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';

const settings = {
  FEED: 'synthetic',
  FEED_TICK_MS: '100',
  FEED_IDLE_MS: '100',
  FEED_CONTRACTS: '1500',
  FEED_KEEP_MS: '1000',
  LEASE_MS: '1500',
  BEAT_MS: '200',
  SWEEP_MS: '100',
  AUDIT_MS: '200',
  SUSPECT_PROCESSES: '2',
};

const startWorker = async ({ env }: QuietSystem) => {
  const worker = runCommand(process.execPath, ['src/cli.ts', 'worker', 'analytics'], { ...env, LOG_LEVEL: 'info' });
  await worker.printed(/the fleet is ready/);
  return worker;
};

const eventRow = row(
  Type.Object({
    job: Type.String(),
    owner: Type.String(),
    queue: Type.String(),
    type: Type.String(),
    data: Type.Unsafe<{ readonly reason?: string }>({}),
  }),
);

/** What happened to jobs, in the order in which it was committed. */
const ledger = async ({ context }: QuietSystem) =>
  await context.db.any(sql.type(eventRow)`
    select e.job, j.owner, j.queue, e.type, e.data from events e join jobs j on j.id = e.job order by e.seq`);

test('after kill -9 of a worker its jobs of callers start before any job of the feed, which asks for none meanwhile', async () => {
  await using system = await quietSystem(settings);
  const { context } = system;
  const { db } = context;
  startSweep(context);
  await using _feed = startLiveFeed(context);
  await using first = await startWorker(system);
  const has = async (what: ReturnType<typeof sql.unsafe>) => await db.exists(what);
  await until(() => has(sql.unsafe`select from chains where analytics is not null`));
  const chainId = String(await db.oneFirst(sql.unsafe`select id from chains where analytics is not null limit 1`));
  const scenarios = Array.from({ length: 200 }, (_, index) => ({ spot_shock_pct: index / 10 - 10 }));
  const asked: string[] = [];
  while (asked.length < 16) {
    const payload = { books: [{ weight: 1, chainId }], scenarios };
    asked.push((await submit(context, stress, { principal: { owner: 'alice' }, payload })).job.id);
  }
  // all in its hands: its threads work them off, and ticks among them
  await until(() =>
    has(sql.unsafe`select from jobs where owner = 'alice' having count(*) filter (where state = 'queued') = 0`),
  );
  await until(() => has(sql.unsafe`select from jobs where queue = ${tick.name} and state = 'running'`));
  first.child.kill('SIGKILL');
  await first.ended;
  const before = (await ledger(system)).length;
  await using _second = await startWorker(system);
  await until(() => has(sql.unsafe`select from jobs where owner = 'alice' having bool_and(state = 'succeeded')`));
  await until(async () =>
    (await ledger(system)).slice(before).some(({ queue, type }) => queue === tick.name && type === 'started'),
  );

  const after = (await ledger(system)).slice(before);
  const [suspects, systems] = ['alice', 'system'].map((of) => after.filter(({ owner }) => owner === of));
  const lost = new Set(suspects?.filter(({ data }) => data.reason === 'worker_lost').map(({ job }) => job));
  expect(lost.size).toBeGreaterThan(1);
  expect([...lost].every((job) => asked.includes(job))).toBe(true);
  const isStart = ({ type }: { type: string }) => type === 'started';
  const lastWanted = after.findLastIndex((event) => isStart(event) && lost.has(event.job));
  const firstOfFeed = after.findIndex((event) => isStart(event) && event.owner === 'system');
  expect(firstOfFeed).toBeGreaterThan(lastWanted);
  // from the release of the suspects until the last has started
  const released = after.findIndex(({ data }) => data.reason === 'worker_lost');
  const askedFor = after
    .slice(released, lastWanted)
    .filter(({ owner, type }) => owner === 'system' && type === 'queued');
  expect(askedFor).toEqual([]);
  // ticks that the process had in hand are replaced, and not run again
  const again = systems?.filter(({ queue, data }) => queue === tick.name && data.reason === 'worker_lost');
  expect(again).toEqual([]);
  expect(systems?.some(({ data }) => data.reason === 'superseded')).toBe(true);
}, 120_000);
