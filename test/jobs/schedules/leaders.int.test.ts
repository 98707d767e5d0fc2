import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { row } from '#src/system/postgres/postgres.ts';
import { startChild } from '#test/helpers/child.ts';
import { scheduleWorld } from './schedule-world.ts';

const file = new URL('./fast-leader.ts', import.meta.url);
const SCHEDULES = 200;
const MINUTE_MS = 60_000;
const SPEED = 240;

const countRow = row(
  Type.Object({ runs: Type.Integer(), jobs: Type.Integer(), least: Type.Integer(), most: Type.Integer() }),
);

test('an hour of schedules a minute apart goes through kills of their leaders: none is missed, none is doubled', async () => {
  await using world = await scheduleWorld();
  const { db } = world.context;
  const begin = new Date('2027-05-01T00:00:00Z');
  await world.schedule('s-0', { every_ms: MINUTE_MS, overlap: 'queue', missed: 'all' }, begin, begin);
  // spread over the minute, as schedules that were made by and by are
  await db.query(sql.unsafe`
    insert into schedules (owner, name, queue, payload, every_ms, zone, overlap, missed, missed_within_s, made_by, made_at, next_at)
    select owner, 's-' || n, queue, payload, every_ms, zone, overlap, missed, missed_within_s, made_by,
      made_at + n * interval '250 milliseconds', made_at + n * interval '250 milliseconds'
    from schedules, generate_series(1, ${SCHEDULES - 1}) n`);
  const end = begin.getTime() + 60 * MINUTE_MS;
  const over = async () =>
    Number(
      await db.oneFirst(sql.unsafe`select count(*) from schedules where next_at <= ${new Date(end).toISOString()}`),
    ) === 0;
  const passed = async () =>
    new Date(String(await db.oneFirst(sql.unsafe`select min(next_at)::text from schedules`))).getTime();
  const began = Date.now();
  const argv = [began, begin.getTime(), SPEED].map(String);
  // two processes at any time: one leads, one stands by
  let standing = await startChild(file, world.env, argv);
  for (const minute of [10, 20, 30, 40]) {
    const leading = standing;
    standing = await startChild(file, world.env, argv);
    await expect.poll(passed, { timeout: 30_000, interval: 20 }).toBeGreaterThan(begin.getTime() + minute * MINUTE_MS);
    leading.kill('SIGKILL');
    await leading.exited;
  }
  await expect.poll(over, { timeout: 60_000 }).toBe(true);
  await standing[Symbol.asyncDispose]();
  const counts = await db.one(sql.type(countRow)`
    select sum(n)::int as runs, sum(jobs)::int as jobs, min(n)::int as least, max(n)::int as most from (
      select schedule, count(*) as n, count(distinct job) filter (where outcome = 'submitted') as jobs
      from schedule_runs where at <= ${new Date(end).toISOString()} group by schedule
    ) each`);
  // the first runs at the beginning and at the end of the hour, the others once a minute
  expect(counts).toEqual({ runs: SCHEDULES * 60 + 1, jobs: SCHEDULES * 60 + 1, least: 60, most: 61 });
  const submitted = Number(
    await db.oneFirst(sql.unsafe`select count(*) from jobs where idempotency_key like 'schedule s-%'`),
  );
  const noted = Number(await db.oneFirst(sql.unsafe`select count(*) from schedule_runs where outcome = 'submitted'`));
  expect(submitted).toBe(noted);
}, 120_000);
