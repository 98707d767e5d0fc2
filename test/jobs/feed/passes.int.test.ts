import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTaker, type Taker } from '#src/jobs/broker/taker.ts';
import { feedSession, openLineFeed } from '#src/jobs/feed/feed-line.ts';
import { readRules, rulesOf } from '#src/jobs/feed/rules.ts';
import { carriedIn, trialLine } from '#test/helpers/carried.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

/** Hands of the workers, as the feeder is told. */
const HANDS = 10;

let system: QuietSystem;
let taker: Taker;
/** One pass of the feeder, by the rules as they are now. */
let pass: () => Promise<void>;
beforeEach(async () => {
  system = await quietSystem();
  await until(() => system.context.redis.status === 'ready');
  const client = await system.connect();
  await client.query(feedSession);
  const feed = openLineFeed(system.context, client, { queue: trial.name, version: 1 });
  pass = async () => await feed.pass(rulesOf(await readRules(client), trial.name), HANDS);
  taker = openTaker(system.context, trialLine, false);
});
afterEach(async () => {
  await taker.close();
  await system[Symbol.asyncDispose]();
});

interface Line {
  readonly group: string;
  readonly count: number;
  readonly owner?: string;
  readonly key?: string;
  /** Seconds for which they have waited. */
  readonly age?: number;
}

/** Puts jobs in line. */
async function stand({ group, count, owner = 'alice', key, age = 60 }: Line): Promise<void> {
  await system.context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, group_key, key_id, queued_at, run_at)
    select gen_random_uuid(), ${owner}, ${trial.name}, 'queued', 0, '{}', '', 'ready', ${group}, ${key ?? null}::uuid,
      now() - ${age} * interval '1 s', now() - ${age} * interval '1 s' + n * interval '1 us'
    from generate_series(1, ${count}::int) n`);
}

async function rule(kind: string, name: string, limits: Readonly<Record<string, number | boolean>>, queue?: string) {
  const { concurrency = null, rate = null, rateMs = null, paused = false } = limits;
  await system.context.db.query(sql.unsafe`
    insert into queue_rules (queue, kind, name, concurrency, rate, rate_ms, paused, changed_by)
    values (${queue ?? trial.name}, ${kind}, ${name}, ${concurrency}, ${rate}, ${rateMs}, ${paused}, 'op')`);
}

interface Taken {
  readonly group: string;
  readonly owner: string;
}

/** Takes all that the window has, as done. Answers the group and the owner of each. */
async function take(): Promise<readonly Taken[]> {
  const ids: string[] = [];
  for (let more = await taker.take(500); more.length > 0; more = await taker.take(500))
    for (const { id, done } of more) {
      done();
      ids.push(id);
    }
  return (await system.context.db.any(sql.unsafe`
    update jobs set state = 'succeeded', finished_at = now() where id = any(${sql.array(ids, 'uuid')}) and state = 'queued'
    returning group_key as "group", owner`)) as Taken[];
}

/** Passes, one after the other, as many as that. */
async function passes(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await pass();
}

const inWindow = async () => (await carriedIn(system.context)).size;

test('a window that nobody empties stays short, whoever stands in line and may not run', async () => {
  await rule('group', 'still', { paused: true });
  await stand({ group: 'still', count: 5 });
  await stand({ group: 'flood', count: 5_000 });
  await passes(60);
  expect(await inWindow()).toBeLessThanOrEqual(2 * 1.5 * 64);
});

test('a window that nobody empties stays short, however many groups there are', async () => {
  await system.context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, group_key)
    select gen_random_uuid(), 'alice', ${trial.name}, 'queued', 0, '{}', '', 'ready', 'group ' || n from generate_series(1, 5000) n`);
  await passes(60);
  expect(await inWindow()).toBeLessThanOrEqual(2 * 1.5 * 64);
});

test('as many as a group may run are fed anew once those before have ended', async () => {
  await rule('group', 'narrow', { concurrency: 20 });
  await stand({ group: 'narrow', count: 100 });
  for (let round = 0; round < 5; round++) {
    await pass();
    expect(await take()).toHaveLength(20);
  }
});

test('as many as a queue may run are fed anew once those before have ended', async () => {
  await rule('queue', '', { concurrency: 30 });
  await stand({ group: 'a', count: 75 });
  await stand({ group: 'b', count: 75 });
  for (let round = 0; round < 5; round++) {
    await pass();
    expect(await take()).toHaveLength(30);
  }
});

test('an owner that may not run is not fed, and keeps no other of its group waiting, however many it has before them', async () => {
  await rule('owner', 'bob', { concurrency: 0 });
  await stand({ group: 'both', count: 5_000, owner: 'bob', age: 600 });
  await stand({ group: 'both', count: 3, owner: 'alice' });
  await passes(20);
  expect((await take()).map(({ owner }) => owner)).toEqual(['alice', 'alice', 'alice']);
  await passes(20);
  expect(await inWindow()).toBe(0);
});

test('a key that may run two has two fed, and keeps no other key of its group waiting', async () => {
  const [bulk, single] = [randomUUID(), randomUUID()];
  await rule('key', bulk, { concurrency: 2 }, '*');
  await stand({ group: 'both', count: 3_000, key: bulk, age: 600 });
  await stand({ group: 'both', count: 1, key: single });
  await stand({ group: 'both', count: 1 });
  await passes(20);
  expect(await take()).toHaveLength(4);
  await passes(20);
  expect(await take()).toHaveLength(2);
});

test('of all owners paused, the one with a rule of its own is fed', async () => {
  await rule('owner', '*', { paused: true });
  await rule('owner', 'carol', { concurrency: 5 });
  for (const owner of ['alice', 'bob', 'carol']) await stand({ group: owner, count: 20, owner });
  await passes(5);
  expect((await take()).map(({ owner }) => owner)).toEqual(Array(5).fill('carol'));
});

test('a rate counts by a clock that went back from then on, and gives nothing for the hour twice', async () => {
  await rule('queue', '', { rate: 1, rateMs: 1_000 });
  await system.context.db.query(sql.unsafe`
    insert into rate_buckets (queue, kind, name, tokens, at) values (${trial.name}, 'queue', '', 0, now() + interval '1 hour')`);
  await stand({ group: 'a', count: 20 });
  await pass();
  expect(await inWindow()).toBe(0);
  await until(async () => {
    await pass();
    return (await inWindow()) === 1;
  });
});

test('an owner with claims left of a rate is fed them after a clock went back, and its bucket counts from then on', async () => {
  await rule('owner', '*', { rate: 10, rateMs: 86_400_000 });
  await system.context.db.query(sql.unsafe`
    insert into rate_buckets (queue, kind, name, tokens, at) values (${trial.name}, 'owner', 'alice', 5, now() + interval '1 hour')`);
  await stand({ group: 'a', count: 20, owner: 'alice' });
  await pass();
  expect(await inWindow()).toBe(5);
  const ahead = sql.unsafe`select count(*)::int from rate_buckets where at > clock_timestamp() + interval '1 second'`;
  expect(await system.context.db.oneFirst(ahead)).toBe(0);
});

test('groups with hostile names are fed like any other', async () => {
  const names = [
    '__proto__',
    'constructor',
    '*',
    ' ',
    '\u{1F4A9}'.repeat(50),
    '"',
    "'; drop table jobs --",
    '\\',
    '\u202Eabc',
  ];
  await rule('group', '*', { concurrency: 2 });
  for (const group of names) await stand({ group, count: 3 });
  await pass();
  const first = await take();
  expect(first.map(({ group }) => group).toSorted()).toEqual(names.flatMap((name) => [name, name]).toSorted());
});

test('what the window is said to hold is put right by what it holds', async () => {
  const { redis, config } = system.context;
  await redis.hset(`{${config.REDIS_PREFIX}-${trial.name}}:${trial.name}:window`, 'jobs', 100_000);
  await stand({ group: 'a', count: 50 });
  await pass();
  expect(await take()).toHaveLength(50);
});
