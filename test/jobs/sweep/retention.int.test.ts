import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { submit } from '#src/jobs/submit/submit.ts';
import { forgettable } from '#src/jobs/sweep/forgettable.ts';
import { forgetOld } from '#src/jobs/sweep/retention.ts';
import { gaugeRetention } from '#src/jobs/sweep/retention-gauge.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

test('finished jobs and whole weeks of the ledger are forgotten by the clock; what waits stays', async () => {
  await using system = await quietSystem({ JOB_RETENTION_DAYS: '10', EVENT_RETENTION_DAYS: '10' });
  const { context } = system;
  const ask = async () =>
    (await submit(context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' } })).job;
  const [old, young] = [await ask(), await ask()];
  await context.db.query(
    sql.unsafe`update jobs set state = 'cancelled', finished_at = now() - interval '11 days' where id = ${old.id}`,
  );
  await context.db.query(
    sql.unsafe`create table events_20200106 partition of events for values from ('2020-01-06') to ('2020-01-13')`,
  );
  await context.db.query(sql.unsafe`insert into events (job, n, type, at) values (${old.id}, 9, 'told', '2020-01-07')`);
  const client = await system.connect();
  expect(await forgetOld(context, client)).toMatchObject({ jobs: 1, partitions: 1 });
  expect(await forgetOld(context, client)).toMatchObject({ jobs: 0, partitions: 0 });
  expect(await context.db.anyFirst(sql.unsafe`select id from jobs`)).toEqual([young.id]);
  expect(await context.db.oneFirst(sql.unsafe`select to_regclass('events_20200106')::text`)).toBeNull();
  expect(await context.db.anyFirst(sql.unsafe`select job from events`)).toContain(young.id);
});

test('what is forgotten beside jobs is found without reading those that wait in line', async () => {
  await using system = await quietSystem();
  const client = await system.connect();
  await client.query(`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed)
    select uuidv7(), 'alice', 'trial', 'queued', 0, '{}', '\\x00', 'ready' from generate_series(1, 50000)`);
  await client.query('vacuum analyze jobs');
  const pages = async (statement: string) => {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${statement}`,
      [90, 1_000],
    );
    const plan = rows[0]!['QUERY PLAN'][0]!.Plan;
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  };
  const read: Record<string, number> = {};
  for (const { name, statement } of forgettable) read[name] = await pages(statement);
  expect(Object.entries(read).filter(([, count]) => count > 100)).toEqual([]);
});

test('who reads the ledger for long delays neither a writer nor the next week for more than a moment', async () => {
  await using system = await quietSystem({ EVENT_RETENTION_DAYS: '10' });
  const [reader, writer, upkeep] = [await system.connect(), await system.connect(), await system.connect()];
  const weeks = async () =>
    (await writer.query(`select relname from pg_class where relname ~ '^events_[0-9]{8}$' order by relname`)).rows.map(
      (row: { relname: string }) => row.relname,
    );
  const all = await weeks();
  await writer.query(`drop table ${all.at(-1)}`);
  await writer.query(
    `create table events_20200106 partition of events for values from ('2020-01-06') to ('2020-01-13')`,
  );
  await reader.query('begin; select count(*) from events');
  const tended = forgetOld(system.context, upkeep);
  let longest = 0;
  for (let n = 1; n <= 20; n++) {
    const since = performance.now();
    await writer.query(`insert into events (job, n, type) values ($1, $2, 'told')`, [randomUUID(), n]);
    longest = Math.max(longest, performance.now() - since);
    await sleep(20);
  }
  expect(longest).toBeLessThan(1_000);
  expect(await tended).toMatchObject({ partitions: 0 });
  await reader.query('commit');
  expect(await forgetOld(system.context, upkeep)).toMatchObject({ partitions: 1 });
  expect(await weeks()).toEqual(all);
});

/** Puts finished jobs of a queue in, each with its two events, the newest `youngest` before now and one a second before that. */
async function finished(client: Client, queue: string, count: number, youngest: string): Promise<void> {
  await client.query(
    `with made as (
       insert into jobs (id, owner, queue, state, priority, payload, request_hash, events, finished_at)
       select gen_random_uuid(), 'alice', $1, 'succeeded', 0, '{}', ''::bytea, 2, now() - $3::interval - n * interval '1 s'
       from generate_series(0, $2::int - 1) as n returning id
     )
     insert into events (job, n, type) select id, n, 'told' from made, generate_series(1, 2) as n`,
    [queue, count, youngest],
  );
}

const kept = async (client: Client) =>
  Object.fromEntries(
    (await client.query<{ queue: string; count: number }>('select queue, count(*)::int from jobs group by 1')).rows.map(
      ({ queue, count }) => [queue, count],
    ),
  );

test('each queue keeps its jobs by its own age or count; one that is no longer known keeps them by the days of all', async () => {
  await using system = await quietSystem({
    JOB_RETENTION_DAYS: '2',
    JOB_RETENTION_BY_QUEUE: 'analytics.stress=3h, analytics.ask=7, analytics.study=30d,analytics.study=5',
  });
  const client = await system.connect();
  await finished(client, 'analytics.stress', 10, '4 hours');
  await finished(client, 'analytics.stress', 3, '2 hours');
  await finished(client, 'analytics.ask', 20, '10 minutes');
  await finished(client, 'analytics.study', 3, '20 days');
  await finished(client, 'analytics.fit', 4, '30 hours');
  await finished(client, 'analytics.tick', 9, '11 minutes');
  await finished(client, 'acme.gone', 6, '3 days');
  await finished(client, 'acme.gone', 1, '1 day');
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 10 + 13 + 9 + 6 });
  expect(await kept(client)).toEqual({
    'analytics.stress': 3,
    'analytics.ask': 7,
    'analytics.study': 3,
    'analytics.fit': 4,
    'acme.gone': 1,
  });
});

test('what ended in this minute is kept whatever the count', async () => {
  await using system = await quietSystem({ JOB_RETENTION_BY_QUEUE: 'analytics.ask=2' });
  const client = await system.connect();
  await finished(client, 'analytics.ask', 30, '0 s');
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 0 });
});

test('a clean-up goes on until nothing is left, and passes by what another transaction holds', async () => {
  await using system = await quietSystem();
  const [client, holder] = [await system.connect(), await system.connect()];
  await finished(client, 'analytics.stress', 45_000, '40 days');
  await holder.query('begin; select from jobs order by finished_at limit 5 for update');
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 44_995 });
  await holder.query('rollback');
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 5 });
  expect(await kept(client)).toEqual({});
});

test('events go with their job where they would outlive it, else with their partition', async () => {
  await using system = await quietSystem({ JOB_RETENTION_DAYS: '3', EVENT_RETENTION_DAYS: '3' });
  const client = await system.connect();
  await finished(client, 'analytics.tick', 5, '1 hour');
  await finished(client, 'analytics.stress', 4, '4 days');
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 9 });
  expect((await client.query('select job from events')).rowCount).toBe(8);
});

test('steps and signals go with their job, and a child stays until its parent has ended', async () => {
  await using system = await quietSystem({ JOB_RETENTION_DAYS: '1' });
  const client = await system.connect();
  await finished(client, 'analytics.stress', 4, '3 days');
  const { rows } = await client.query<{ id: string }>('select id from jobs order by finished_at');
  const [first, second, parent] = rows.map(({ id }) => id);
  await client.query(`update jobs set steps = 1, signals = 1 where id = $1`, [first]);
  await client.query(
    `insert into steps (job, name, n, kind, after, value, bytes) select id, 's', 1, 'step', 0, '1', 1 from jobs`,
  );
  await client.query(`insert into signals (job, name, key, payload) select id, 's', 'k', '1' from jobs`);
  await client.query(`update jobs set state = 'waiting', finished_at = null, queue = 'analytics.fit' where id = $1`, [
    parent,
  ]);
  await client.query(`update jobs set parent_id = $1 where id = any($2)`, [parent, [first, second]]);
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 1 });
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 0 });
  await client.query(`update jobs set state = 'cancelled', finished_at = now() where id = $1`, [parent]);
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 2 });
  // of the others the test has not told their jobs
  for (const table of ['steps', 'signals'])
    expect((await client.query(`select from ${table} where job = $1`, [first])).rowCount).toBe(0);
});

test('a batch of children that ended in one moment and are kept holds the clean-up up no longer than it takes', async () => {
  await using system = await quietSystem({ JOB_RETENTION_DAYS: '1' });
  const client = await system.connect();
  await finished(client, 'analytics.stress', 1, '0 s');
  const { rows } = await client.query<{ id: string }>('select id from jobs');
  await client.query(`update jobs set state = 'waiting', finished_at = null, queue = 'analytics.fit'`);
  await finished(client, 'analytics.stress', 1_500, '3 days');
  await client.query(
    `update jobs set parent_id = $1, finished_at = now() - interval '3 days' where queue = 'analytics.stress'`,
    [rows[0]?.id],
  );
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 0 });
  await client.query(`update jobs set state = 'cancelled', finished_at = now() where queue = 'analytics.fit'`);
  expect(await forgetOld(system.context, client)).toMatchObject({ jobs: 1_500 });
});

test('how far the clean-up is behind is told, and what it deleted', async () => {
  await using system = await quietSystem({ JOB_RETENTION_BY_QUEUE: 'analytics.stress=1h' });
  const { context } = system;
  const client = await system.connect();
  gaugeRetention(context);
  const overdue = async () =>
    Number(/^proofline_retention_overdue_seconds (.*)$/m.exec(await context.metrics.registry.metrics())?.[1]);
  await finished(client, 'analytics.stress', 2, '3 hours');
  expect(await overdue()).toBeCloseTo(7_201, -2);
  await forgetOld(context, client);
  await until(async () => (await overdue()) === 0);
  expect(await context.metrics.registry.metrics()).toContain(
    'proofline_jobs_forgotten_total{queue="analytics.stress"} 2',
  );
});

test.each([
  ['analytics.sress=3h', 'expected a queue, got analytics.sress'],
  ['analytics.ask=3h,analytics.ask=4d', 'expected one age and one count for analytics.ask, got analytics.ask=4d'],
])('error: JOB_RETENTION_BY_QUEUE=%s ends the start', async (value, message) => {
  await using system = await quietSystem({ JOB_RETENTION_BY_QUEUE: value });
  expect(() => startSweep(system.context)).toThrow(message);
});
