import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { fillHistory } from '#src/jobs/history/fill-history.ts';
import { fillStatement, MOST_GROUPS_KEPT } from '#src/jobs/history/fill-statement.ts';
import { bucketOf, mergeSketches, quantilesOf, SKETCH_ERROR, type Sketch } from '#src/jobs/history/sketch.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { startChild } from '#test/helpers/child.ts';
import { trial } from '#test/helpers/trial.ts';
import { untilBlocked } from '#test/jobs/steps/story.ts';
import { historyWorld, only } from './history-world.ts';

test('each move counts once, by queue, by group and for all, in each resolution; what was before the first look does not', async () => {
  await using world = await historyWorld();
  await world.did('succeeded');
  await world.did('succeeded');
  const failed = await world.did('failed');
  await world.fill();
  const three = only({ submitted: 3, started: 3, succeeded: 2, failed: 1, waits: 3, runs: 3 });
  expect(await world.sum(trial.name)).toEqual(three);
  expect(await world.sum(trial.name, 'alice')).toEqual(three);
  expect(await world.sum('')).toEqual(three);
  await world.fill();
  expect(await world.sum(''), 'nothing new adds nothing').toEqual(three);

  await redriveJob(world.context, failed, 'op');
  await world.settled(await world.claimed(failed), 'succeeded');
  await cancelJob(world.context, await world.accepted(), 'alice');
  await submit(world.context, trial, { principal: { owner: 'bob' }, payload: { do: 'succeed' }, group: 'reports' });
  await world.fill();
  expect(await world.sum(trial.name, 'alice')).toEqual(
    only({ submitted: 4, started: 4, succeeded: 3, failed: 1, cancelled: 1, waits: 4, runs: 4 }),
  );
  expect(await world.sum(trial.name, 'reports')).toEqual(only({ submitted: 1 }));
  expect(await world.sum('')).toMatchObject({ submitted: 5, cancelled: 1 });
});

test('what commits after a later transaction counts too, and an open one keeps nothing else from being counted', async () => {
  await using world = await historyWorld();
  const slow = await world.connect();
  const job = await world.accepted();
  await world.fill();
  await slow.query('begin');
  await slow.query(`insert into events (job, n, type) values ($1, 90, 'succeeded')`, [job]);
  await world.did('failed');
  await world.fill();
  expect(await world.sum('')).toMatchObject({ submitted: 2, succeeded: 0, failed: 1 });
  await slow.query('commit');
  await world.fill();
  expect(await world.sum('')).toMatchObject({ submitted: 2, succeeded: 1, failed: 1 });
  await world.fill();
  expect(await world.sum('')).toMatchObject({ submitted: 2, succeeded: 1, failed: 1 });
});

test('many that count at a time count no event twice', async () => {
  await using world = await historyWorld();
  const clients = await Promise.all([1, 2, 3].map(async () => await world.connect()));
  const done = new AbortController();
  const fillers = clients.map(async (client) => {
    while (!done.signal.aborted) await fillHistory(world.context, client);
  });
  for (let left = 20; left > 0; left--) await world.did('succeeded');
  done.abort();
  await Promise.all(fillers);
  await world.fill();
  expect(await world.sum('')).toMatchObject({ submitted: 20, started: 20, succeeded: 20, waits: 20, runs: 20 });
});

test('one that is killed while it counts leaves nothing half counted, and the next goes on from its cursor', async () => {
  await using world = await historyWorld({ LOG_LEVEL: 'silent' });
  await world.did('succeeded');
  await world.fill();
  // what is counted next waits for this row
  const holder = await world.connect();
  await holder.query('begin');
  await holder.query(`select from queue_history where queue = '' and resolution = 3600 for update`);
  await world.did('failed');
  {
    await using child = await startChild(new URL('./fill-child.ts', import.meta.url), world.env);
    await untilBlocked(world, 1);
    child.kill('SIGKILL');
    await child.exited;
  }
  await holder.query('rollback');
  await world.did('succeeded');
  await world.fill();
  const all = only({ submitted: 3, started: 3, succeeded: 2, failed: 1, waits: 3, runs: 3 });
  expect(await world.sum('')).toEqual(all);
  expect(await world.sum(trial.name, 'alice')).toEqual(all);
  expect(Number(await world.context.db.oneFirst(sql.unsafe`select count(*) from queue_history_spans`))).toBe(1);
});

test('a backlog of many pages is counted whole, that of a transaction which was open as well', async () => {
  await using world = await historyWorld();
  const slow = await world.connect();
  const job = await world.accepted();
  const many = `insert into events (job, n, type) select $1, n, 'retrying' from generate_series($2::int, $2::int + 24999) n`;
  await slow.query('begin');
  await slow.query(many, [job, 2]);
  await world.did('failed');
  await world.fill();
  expect(await world.sum('')).toMatchObject({ submitted: 2, retried: 0, failed: 1 });
  await slow.query('commit');
  await slow.query(many, [job, 40_000]);
  await world.fill();
  expect(await world.sum('')).toMatchObject({ submitted: 2, retried: 50_000, failed: 1 });
});

test('a wait is counted from when the job might run, and a run from when it began', async () => {
  await using world = await historyWorld();
  const { db } = world.context;
  const fence = await world.running();
  await db.query(sql.unsafe`update jobs set run_at = started_at - interval '10 s' where id = ${fence.job}`);
  await world.fill();
  await db.query(sql.unsafe`
    update jobs set queued_at = now() - interval '2000 s', started_at = now() - interval '1000 s' where id = ${fence.job}`);
  await world.settled(fence, 'succeeded');
  await world.fill();
  const kept = sql.unsafe`select waits, runs from queue_history where queue = '' and resolution = 3600`;
  const rows = (await db.any(kept)) as readonly { waits: Sketch; runs: Sketch }[];
  expect(mergeSketches(rows.map(({ waits }) => waits))).toEqual({ [bucketOf(10)]: 1 });
  const [ran] = quantilesOf(mergeSketches(rows.map(({ runs }) => runs)), [0.5]);
  expect(ran).toBeGreaterThan(1_000 * (1 - SKETCH_ERROR));
});

test('a bucket tells the busiest of many groups apart, and counts all of them together', async () => {
  await using world = await historyWorld();
  const one = async (group: string) =>
    await submit(world.context, trial, { principal: { owner: 'bob' }, payload: { do: 'succeed' }, group });
  const kept = async () =>
    (
      await world.context.db.anyFirst(
        sql.unsafe`select group_name from queue_history where queue = ${trial.name} and resolution = 3600 and group_name <> ''`,
      )
    ).map(String);
  // all in one bucket, whatever the time is
  const at = new Date().toISOString();
  const fill = async () => {
    await world.context.db.query(sql.unsafe`update events set at = ${at}`);
    await world.fill();
  };
  await Promise.all(Array.from({ length: MOST_GROUPS_KEPT + 10 }, async (_, n) => await one(`group-${n}`)));
  await one('group-45');
  await fill();
  expect(await kept()).toHaveLength(MOST_GROUPS_KEPT);
  expect(await kept()).toContain('group-45');
  await one('late');
  await one('group-45');
  await fill();
  expect(await kept()).toHaveLength(MOST_GROUPS_KEPT);
  expect(await world.sum(trial.name, 'group-45')).toMatchObject({ submitted: 3 });
  expect(await world.sum(trial.name)).toMatchObject({ submitted: MOST_GROUPS_KEPT + 13 });
});

test('a database that runs behind its cursor begins anew, and what lies between stays unknown', async () => {
  await using world = await historyWorld();
  await world.did('succeeded');
  await world.context.db.query(sql.unsafe`update queue_history_cursor set position = '900000000:900000000:'`);
  await world.fill();
  await world.did('failed');
  await world.fill();
  expect(await world.sum('')).toMatchObject({ succeeded: 0, failed: 1 });
  expect(Number(await world.context.db.oneFirst(sql.unsafe`select count(*) from queue_history_spans`))).toBe(2);
});

test('a look that finds nothing, or little, reads neither the jobs that wait nor the events of before', async () => {
  await using world = await historyWorld();
  const client = await world.connect();
  await client.query(`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed)
    select uuidv7(), 'alice', 'trial', 'queued', 0, '{}', '\\x00', 'ready' from generate_series(1, 50000)`);
  await client.query(
    `insert into events (job, n, type) select id, 1 + n, 'redriven' from jobs, generate_series(1, 2) n`,
  );
  await fillHistory(world.context, client);
  await client.query('vacuum analyze jobs');
  const blocks = async () => {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${fillStatement.text}`,
    );
    await client.query('rollback');
    const plan = rows[0]!['QUERY PLAN'][0]!.Plan;
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  };
  expect(await blocks()).toBeLessThan(100);
  await world.did('succeeded');
  expect(await blocks()).toBeLessThan(1_000);
});
