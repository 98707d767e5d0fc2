import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sql } from 'slonik';
import { expect, inject, test } from 'vitest';
import { openHeardJobs } from '#src/jobs/ledger/heard-jobs.ts';
import { openPosition, type Position, savePosition } from '#src/jobs/ledger/relay-position.ts';
import { type NewEvent, readNewEvents, readWantedEvents } from '#src/jobs/ledger/relay-read.ts';
import { jobChannel } from '#src/jobs/model/channels.ts';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import { openRedis } from '#src/system/redis/redis.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

const tell = async (client: pg.Client, job: string, n: number) => {
  await client.query(`insert into events (job, n, type) values ($1, $2, 'told')`, [job, n]);
};

const readAll = async (client: pg.Client, position: Position) => {
  const pages: (readonly NewEvent[])[] = [];
  const next = await readNewEvents(client, position, async (events) => void pages.push(events));
  return { events: pages.flat(), pages, next };
};

test('events of a job reach its channel in order, though an idle writer holds a transaction open', async () => {
  await using system = await testSystem();
  const idle = new pg.Client({ connectionString: system.context.config.DATABASE_URL });
  await idle.connect();
  await idle.query(`begin; insert into workers (id, fleet, host, pid) values ('${randomUUID()}', 'idle', 'here', 1)`);
  const job = await system.submit({ do: 'succeed' });
  const subscriber = openRedis(system.context.config, 'patient', () => {});
  const heard: number[] = [];
  const { promise: last, resolve } = Promise.withResolvers<void>();
  subscriber.on('message', (_channel: string, text: string) => {
    const { n, type } = JSON.parse(text) as { n: number; type: string };
    heard.push(n);
    if (type === 'succeeded') resolve();
  });
  await subscriber.subscribe(jobChannel(system.context.config, job.id));
  await system.fleet();
  await last;
  expect(heard.filter((n) => n > 1)).toEqual([2, 3]);
  subscriber.disconnect();
  await idle.end();
});

test('a transaction that began first and commits last is neither missed nor told twice', async () => {
  await using system = await quietSystem();
  const [reader, early, late] = [await system.connect(), await system.connect(), await system.connect()];
  const { position: start } = await openPosition(system.context, reader, randomUUID());
  const [a, b] = [randomUUID(), randomUUID()];
  await early.query('begin');
  await tell(early, a, 1);
  await tell(late, b, 1);
  const first = await readAll(reader, start);
  expect(first.events.map(({ job }) => job)).toEqual([b]);
  const between = await readAll(reader, first.next);
  expect(between.events).toEqual([]);
  await early.query('commit');
  const second = await readAll(reader, between.next);
  expect(second.events.map(({ job }) => job)).toEqual([a]);
  expect((await readAll(reader, second.next)).events).toEqual([]);
});

test('the first relay of a database tells what was open when it began, though a later transaction had ended before', async () => {
  await using system = await quietSystem();
  const [reader, open, other] = [await system.connect(), await system.connect(), await system.connect()];
  const [late, done] = [randomUUID(), randomUUID()];
  await open.query('begin');
  await tell(open, late, 1);
  await tell(other, done, 1);
  const { position } = await openPosition(system.context, reader, randomUUID());
  await open.query('commit');
  expect((await readAll(reader, position)).events.map(({ job }) => job)).toEqual([late]);
});

test('more events than one page hold are all read, once, though others commit meanwhile', async () => {
  await using system = await quietSystem();
  const [reader, writer] = [await system.connect(), await system.connect()];
  const { position: start } = await openPosition(system.context, reader, randomUUID());
  const job = randomUUID();
  await writer.query(`insert into events (job, n, type) select $1, n, 'told' from generate_series(1, 24000) n`, [job]);
  let position: Position = start;
  const read: number[] = [];
  for (let round = 0; round < 3; round++) {
    const { events, next } = await readAll(reader, position);
    read.push(...events.map(({ n }) => n));
    position = next;
    await writer.query(
      `insert into events (job, n, type) select $1, n, 'told' from generate_series($2::int, $2::int + 9) n`,
      [job, 24_001 + round * 10],
    );
  }
  expect(read).toEqual(Array.from({ length: 24_020 }, (_, index) => index + 1));
});

test('a backlog of any length is read page by page, each event once, those of a late transaction among them', async () => {
  await using system = await quietSystem();
  const [reader, writer, late] = [await system.connect(), await system.connect(), await system.connect()];
  const many = (from: number, to: number) =>
    `insert into events (job, n, type) select md5((i % 7)::text)::uuid, i / 7, 'told' from generate_series(${from}, ${to}) i`;
  await late.query(`begin; ${many(0, 24_999)}`);
  const { position: start } = await openPosition(system.context, reader, randomUUID());
  await late.query('commit');
  for (let from = 25_000; from < 250_000; from += 75_000) await writer.query(many(from, from + 74_999));
  const { pages, next } = await readAll(reader, start);
  expect(Math.max(...pages.map((events) => events.length))).toBeLessThanOrEqual(10_000);
  const numbers = Map.groupBy(pages.flat(), ({ job }) => job);
  expect(numbers.size).toBe(7);
  for (const events of numbers.values()) expect(events.findIndex(({ n }, index) => n !== index)).toBe(-1);
  expect(pages.flat()).toHaveLength(250_000);
  expect((await readAll(reader, next)).events).toEqual([]);
});

/** Jobs of which every third is wanted: by its name, as no list is known before the events are. */
const isWanted = (job: string) => Number.parseInt(job.slice(0, 2), 16) % 3 === 0;

/** As readAll, but the wanted jobs of `seen` alone. */
const readWanted = async (client: pg.Client, position: Position, seen: readonly string[]) => {
  const events: NewEvent[] = [];
  const next = await readWantedEvents(
    client,
    position,
    async () => seen.filter(isWanted),
    async (page, isFiltered) => {
      expect(isFiltered).toBe(true);
      events.push(...page);
    },
  );
  return { events, next };
};

test.each([
  { of: 'every event', read: readAll, holds: () => true },
  { of: 'every event of wanted jobs', read: readWanted, holds: isWanted },
])('property: whatever the order of commits, $of is read exactly once', async ({ read: readNext, holds }) => {
  await using system = await quietSystem();
  const reader = await system.connect();
  const writers = await Promise.all(Array.from({ length: 6 }, system.connect));
  let { position } = await openPosition(system.context, reader, randomUUID());
  const wanted: string[] = [];
  const told: string[] = [];
  const read: string[] = [];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    // the low digits of such a generator repeat after a few numbers
    return Math.floor(seed / 65_536) % below;
  };
  const open = new Map<pg.Client, string[]>();
  for (let step = 0; step < 400; step++) {
    const writer = writers[random(writers.length)] as pg.Client;
    const mine = open.get(writer);
    const action = random(4);
    if (!mine) {
      await writer.query('begin');
      open.set(writer, []);
    } else if (action === 0) {
      await writer.query('commit');
      wanted.push(...mine);
      open.delete(writer);
    } else if (action === 1 && random(3) === 0) {
      await writer.query('rollback');
      open.delete(writer);
    } else {
      const job = randomUUID();
      await tell(writer, job, 1);
      mine.push(job);
      told.push(job);
    }
    if (random(3) > 0) continue;
    const { events, next } = await readNext(reader, position, told);
    read.push(...events.map(({ job }) => job));
    position = next;
  }
  for (const [writer, mine] of open) {
    await writer.query('commit');
    wanted.push(...mine);
  }
  read.push(...(await readNext(reader, position, told)).events.map(({ job }) => job));
  expect(read.toSorted()).toEqual(wanted.filter(holds).toSorted());
  expect(read.length).toBeGreaterThan(20);
});

test('without a wanted job the ledger is passed over, and what comes after is read', async () => {
  await using system = await quietSystem();
  const [reader, writer] = [await system.connect(), await system.connect()];
  const { position } = await openPosition(system.context, reader, randomUUID());
  const [before, after] = [randomUUID(), randomUUID()];
  await tell(writer, before, 1);
  const none = await readWanted(reader, position, []);
  expect(none.events).toEqual([]);
  await tell(writer, after, 1);
  expect((await readAll(reader, none.next)).events.map(({ job }) => job)).toEqual([after]);
});

test('jobs that anyone listens to are found; where they are very many, none are named', async () => {
  await using system = await quietSystem();
  const { context } = system;
  // a process that has just begun may not be connected
  await expect.poll(openHeardJobs(context)).toEqual([]);
  const subscriber = openRedis(context.config, 'patient', () => {});
  const jobs = Array.from({ length: 101 }, () => randomUUID());
  await subscriber.subscribe(jobChannel(context.config, jobs[0]!));
  expect(await openHeardJobs(context)()).toEqual([jobs[0]]);
  await subscriber.subscribe(...jobs.map((job) => jobChannel(context.config, job)));
  expect(await openHeardJobs(context)()).toBeNull();
  subscriber.disconnect();
});

test('a new leader goes on where the last one stood; the last one can no longer move the cursor', async () => {
  await using system = await quietSystem();
  const [old, fresh] = [await system.connect(), await system.connect()];
  const [first, second] = [randomUUID(), randomUUID()];
  const begun = await openPosition(system.context, old, first);
  const job = randomUUID();
  await tell(fresh, job, 1);
  const { epoch, position } = await openPosition(system.context, fresh, second);
  expect(epoch).toBe(begun.epoch);
  expect((await readAll(fresh, position)).events.map((event) => event.job)).toEqual([job]);
  expect(await savePosition(system.context, old, first, begun.position)).toBe(false);
  expect(await savePosition(system.context, fresh, second, position)).toBe(true);
});

test('a database with another identity, or one that ran backwards, starts a new epoch', async () => {
  await using system = await quietSystem();
  const client = await system.connect();
  const epoch = await readEpoch(system.context);
  expect((await openPosition(system.context, client, randomUUID())).epoch).toBe(epoch);
  await system.context.db.query(sql.unsafe`update relay set system_identifier = 'another'`);
  const other = (await openPosition(system.context, client, randomUUID())).epoch;
  expect(other).not.toBe(epoch);
  await system.context.db.query(sql.unsafe`update relay set position = '999999999:999999999:'`);
  expect((await openPosition(system.context, client, randomUUID())).epoch).not.toBe(other);
});

test('a database that was put back to an older state of itself starts a new epoch', async () => {
  await using system = await quietSystem();
  const client = await system.connect();
  const before = await openPosition(system.context, client, randomUUID());
  const source = new URL(system.context.config.DATABASE_URL);
  const copy = new URL(source);
  copy.pathname = `${source.pathname}_copy`;
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  try {
    // nobody may be connected to a database that is copied
    await client.end();
    await admin.query(`alter database ${source.pathname.slice(1)} with allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      source.pathname.slice(1),
    ]);
    await expect
      .poll(async () => {
        const query = `create database ${copy.pathname.slice(1)} owner proofline template ${source.pathname.slice(1)}`;
        return await admin.query(query).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    await admin.query(`alter database ${source.pathname.slice(1)} with allow_connections true`);
    const [original, restored] = [await system.connect(), new pg.Client({ connectionString: copy.href })];
    await restored.connect();
    const token = randomUUID();
    const { epoch, position } = await openPosition(system.context, original, token);
    expect(epoch).toBe(before.epoch);
    await tell(original, randomUUID(), 1);
    const { next } = await readAll(original, position);
    expect(await savePosition(system.context, original, token, next)).toBe(true);
    await expect
      .poll(() => system.context.redis.hget(`${system.context.config.REDIS_PREFIX}:relay`, 'xmax'))
      .toBe(next.xmax);
    const again = await openPosition(system.context, restored, randomUUID());
    expect(again.epoch).not.toBe(epoch);
    // and only once
    await expect
      .poll(() => system.context.redis.hget(`${system.context.config.REDIS_PREFIX}:relay`, 'epoch'))
      .toBe(again.epoch);
    expect((await openPosition(system.context, restored, randomUUID())).epoch).toBe(again.epoch);
    await restored.end();
  } finally {
    await admin.query(`drop database if exists ${copy.pathname.slice(1)} with (force)`);
    await admin.end();
  }
});
