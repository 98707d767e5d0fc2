import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { forgetOld } from '#src/jobs/retention.ts';
import { submit } from '#src/jobs/submit.ts';
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
