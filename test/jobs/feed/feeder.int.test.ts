import { sql } from 'slonik';
import { expect, test, vi } from 'vitest';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { brokerPrefix } from '#src/jobs/broker/broker-names.ts';
import { openTaker } from '#src/jobs/broker/taker.ts';
import { auditBroker, type Missing } from '#src/jobs/feed/audit.ts';
import { feed } from '#src/jobs/feed/feeder.ts';
import { submitMany } from '#src/jobs/submit/submit.ts';
import { carriedIn, entryOf, trialLine } from '#test/helpers/carried.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

/** Jobs that stand in line, of groups with so many each, the oldest first. */
async function inLine({ context }: QuietSystem, groups: Readonly<Record<string, number>>, more = sql.fragment`0`) {
  for (const [group, count] of Object.entries(groups))
    await context.db.query(sql.unsafe`
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, group_key, queued_at, run_at)
      select gen_random_uuid(), 'alice', ${trial.name}, 'queued', ${more}, '{"do":"succeed"}', '', 'ready', ${group},
        now() - interval '1 minute' + n * interval '1 ms', now() - interval '1 minute' + n * interval '1 ms'
      from generate_series(1, ${count}::int) n`);
}

/** A feeder that runs until the end of the test, and the only worker of the queue. */
async function feeding(system: QuietSystem) {
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const stop = new AbortController();
  const client = await system.connect();
  const running = feed(context, client, () => [trial.name], stop.signal);
  const taker = openTaker(context, trialLine, false);
  return {
    /** Takes as many jobs as that, in the order in which they come; those that are taken no longer wait. */
    takeAll: async (count: number) => {
      const groups: string[] = [];
      while (groups.length < count) {
        const taken = await taker.take(Math.min(20, count - groups.length));
        const ids = taken.map(({ id }) => id);
        const rows = (await context.db.any(sql.unsafe`
          update jobs set state = 'succeeded', finished_at = now()
          where id = any(${sql.array(ids, 'uuid')}) and state = 'queued' returning id, group_key as "group"`)) as readonly {
          readonly id: string;
          readonly group: string;
        }[];
        const groupOf = new Map(rows.map(({ id, group }) => [id, group]));
        for (const { id, done } of taken) {
          done();
          const group = groupOf.get(id);
          if (group !== undefined) groups.push(group);
        }
      }
      return groups;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
      await taker.close();
    },
  };
}

type AnyContext = QuietSystem['context'];

const countOf = async ({ db }: AnyContext, group: string, place: string) =>
  Number(await db.oneFirst(sql.unsafe`select count(*)::int from jobs where group_key = ${group} and feed = ${place}`));

/** Jobs of a group that entries of the broker carry, and that came to it at once. */
const carriedOf = async (context: AnyContext, group: string) => {
  const carried = await carriedIn(context);
  const ids = await context.db.anyFirst(
    sql.unsafe`select id || '-' || dispatch from jobs where group_key = ${group} and feed = 'fed'`,
  );
  return ids.filter((id) => carried.has(String(id))).length;
};

const shareOf = (groups: readonly string[], name: string) =>
  groups.filter((group) => group === name).length / groups.length;

test('however long the line, the window is short; and all of the line comes through it, each job once', async () => {
  await using system = await quietSystem();
  await inLine(system, { alice: 5_000 });
  await using feeder = await feeding(system);
  await until(async () => (await carriedIn(system.context)).size > 0);
  let widest = 0;
  for (let left = 5_000; left > 0; left -= 250) {
    expect(await feeder.takeAll(250)).toHaveLength(250);
    widest = Math.max(widest, (await carriedIn(system.context)).size);
  }
  expect(widest).toBeLessThan(2_100);
  await until(async () => (await carriedIn(system.context)).size === 0);
});

test('groups of equal weight get equal shares, however many jobs each has', async () => {
  await using system = await quietSystem();
  await inLine(system, { flood: 3_000, b: 300, c: 300 });
  await using feeder = await feeding(system);
  const groups = await feeder.takeAll(600);
  for (const name of ['flood', 'b', 'c']) expect(shareOf(groups, name)).toBeCloseTo(1 / 3, 1);
});

test('weights divide a queue: three to one, for groups with a rule and for those that go by the rule of each', async () => {
  await using system = await quietSystem();
  await system.context.db.query(sql.unsafe`
    insert into queue_rules (queue, kind, name, weight, changed_by)
    values (${trial.name}, 'group', 'dear', 3, 'op'), (${trial.name}, 'group', '*', 1, 'op')`);
  await inLine(system, { dear: 1_000, plain: 1_000 });
  await using feeder = await feeding(system);
  expect(shareOf(await feeder.takeAll(800), 'dear')).toBeCloseTo(0.75, 1);
});

test('a group that has nothing in the window goes before all that is there', async () => {
  await using system = await quietSystem();
  await inLine(system, { flood: 2_000 });
  await using feeder = await feeding(system);
  await feeder.takeAll(100);
  await inLine(system, { rare: 1 });
  await until(async () => (await carriedIn(system.context)).size > 0);
  const rare = String(await system.context.db.oneFirst(sql.unsafe`select id from jobs where group_key = 'rare'`));
  await until(async () => (await entryOf(system.context, { id: rare, dispatch: 1 })) !== undefined);
  expect((await feeder.takeAll(1))[0]).toBe('rare');
});

test('a paused group stands in line until it goes on; its owner’s pause holds as well', async () => {
  await using system = await quietSystem();
  const { db } = system.context;
  await db.query(sql.unsafe`
    insert into queue_rules (queue, kind, name, paused, changed_by)
    values (${trial.name}, 'group', 'still', true, 'op'), (${trial.name}, 'owner', 'bob', true, 'op')`);
  await inLine(system, { still: 50, moving: 50, bobs: 20 });
  await db.query(sql.unsafe`update jobs set owner = 'bob' where group_key = 'bobs'`);
  await using feeder = await feeding(system);
  expect(new Set(await feeder.takeAll(50))).toEqual(new Set(['moving']));
  await until(async () => (await carriedIn(system.context)).size === 0);
  await db.query(sql.unsafe`delete from queue_rules`);
  expect((await feeder.takeAll(70)).toSorted()).toEqual([...Array(20).fill('bobs'), ...Array(50).fill('still')]);
});

test('what an emptied Redis had is fed again', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await inLine(system, { alice: 300 });
  await using feeder = await feeding(system);
  await until(async () => (await carriedIn(context)).size > 0);
  await context.redis.del(...(await context.redis.keys(`${brokerPrefix(context.config, trial.name)}*`)));
  expect(await feeder.takeAll(300)).toHaveLength(300);
});

test('a job of a better priority goes first, and age makes up for priority', async () => {
  await using system = await quietSystem();
  await inLine(system, { alice: 1 }, sql.fragment`30`);
  await system.context.db.query(sql.unsafe`update jobs set group_key = 'aged', run_at = now() - interval '3 minutes'`);
  await inLine(system, { alice: 1 }, sql.fragment`30`);
  await system.context.db.query(sql.unsafe`update jobs set group_key = 'late' where group_key = 'alice'`);
  await inLine(system, { alice: 1 });
  await system.context.db.query(sql.unsafe`update jobs set group_key = 'early' where group_key = 'alice'`);
  const found = await system.context.db.anyFirst(sql.unsafe`
    select group_key from jobs order by ((run_at - timestamptz '2000-01-01 00:00:00+00') + priority * interval '3 seconds')`);
  expect(found).toEqual(['aged', 'early', 'late']);
});

test('a job whose time has not come waits in Postgres; the broker gets it a moment before', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const runAt = new Date(Date.now() + 6_000);
  const [settled] = await submitMany(context, [
    { queue: trial, submission: { principal: { owner: 'alice' }, payload: { do: 'succeed' }, runAt } },
  ]);
  const { job } = (settled as PromiseFulfilledResult<{ job: { id: string; dispatch: number; feed: string } }>).value;
  expect(job.feed).toBe('later');
  await using feeder = await feeding(system);
  expect(await entryOf(context, job)).toBeUndefined();
  expect(await feeder.takeAll(1)).toHaveLength(1);
  expect(Date.now()).toBeGreaterThan(runAt.getTime() - 50);
});

test('what comes while the window is full stands in line, and none of it is lost', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const submissions = Array.from({ length: 3_000 }, () => ({
    queue: trial,
    submission: { principal: { owner: 'alice' }, payload: { do: 'succeed' as const } },
  }));
  await submitMany(context, submissions);
  const waiting = async (place: string) =>
    Number(await context.db.oneFirst(sql.unsafe`select count(*)::int from jobs where feed = ${place}`));
  await until(async () => (await waiting('fed')) === (await carriedIn(context)).size);
  expect(await waiting('fed')).toBeLessThanOrEqual(1_000);
  expect((await waiting('fed')) + (await waiting('ready'))).toBe(3_000);
  const atOnce = () =>
    Array.from({ length: 20 }, () => openBroker(context).goesAtOnce({ ...trialLine, owner: 'alice', group: null }));
  expect(atOnce()).toContain(false);
  await context.db.query(sql.unsafe`update jobs set group_key = 'any'`);
  await using feeder = await feeding(system);
  expect(await feeder.takeAll(3_000)).toHaveLength(3_000);
  await until(() => !atOnce().includes(false));
});

test('beside the line of others a few jobs of a group go before it; what has a line does not, nor what is many', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await inLine(system, { alice: 3_000 }, sql.fragment`${trial.priority}`);
  await using feeder = await feeding(system);
  const base = `${brokerPrefix(context.config, trial.name)}:${trial.name}`;
  await until(async () => (await context.redis.sismember(`${base}:lined`, 'alice')) === 1);
  const submitAll = async (group: string, count: number) => {
    const submission = { principal: { owner: 'any' }, payload: { do: 'succeed' as const }, group };
    await submitMany(
      context,
      Array.from({ length: count }, () => ({ queue: trial, submission })),
    );
  };
  const placed = async (group: string) =>
    await context.db.anyFirst(sql.unsafe`
      select distinct feed from jobs where group_key = ${group} and queued_at > now() - interval '30 seconds'`);
  await submitAll('bob', 1);
  await until(async () => (await carriedOf(context, 'bob')) === 1);
  expect(await feeder.takeAll(1)).toEqual(['bob']);
  await submitAll('alice', 1);
  await until(async () => (await placed('alice')).join() === 'ready');
  await submitAll('carol', 200);
  // all that is called fed is carried: none is on its way any more
  await until(async () => (await carriedOf(context, 'carol')) === (await countOf(context, 'carol', 'fed')));
  expect(await countOf(context, 'carol', 'fed')).toBeLessThanOrEqual(32);
  expect(await countOf(context, 'carol', 'ready')).toBeGreaterThanOrEqual(168);
  const taken = await feeder.takeAll(3_201);
  expect(taken.filter((group) => group === 'carol')).toHaveLength(200);
  await until(async () => (await context.redis.exists(`${base}:quiet`)) === 0);
});

test('what the broker has lost is found at the second look: it may be on its way at the first', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const client = await system.connect();
  await inLine(system, { alice: 2_000 });
  await context.db.query(sql.unsafe`update jobs set feed = 'fed'`);
  const missing: Missing = new Map();
  expect(await auditBroker(context, client, [trial.name], missing)).toBe(0);
  expect(await auditBroker(context, client, [trial.name], missing)).toBe(2_000);
  expect(await auditBroker(context, client, [trial.name], missing)).toBe(0);
  expect(await context.db.anyFirst(sql.unsafe`select distinct feed from jobs`)).toEqual(['ready']);
});

test('what waits long in the window goes up, so that no stream of better ones starves it', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  await inLine(system, { alice: 1 }, sql.fragment`20`);
  const job = (await context.db.one(sql.unsafe`
    update jobs set feed = 'fed' returning id, queue, version, owner, dispatch, priority, suspect, feed, now() as "runAt", now() as "queuedAt"`)) as Parameters<
    ReturnType<typeof openBroker>['feed']
  >[0][number];
  await openBroker(context).feed([job], true);
  expect(await entryOf(context, job)).toMatchObject({ priority: 40 });
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 90_000);
  try {
    await auditBroker(context, await system.connect(), [trial.name], new Map());
  } finally {
    clock.mockRestore();
  }
  const { redis, config } = context;
  expect(await redis.llen(`${brokerPrefix(config, trial.name)}:${trial.name}:wait`)).toBe(1);
});

test('five thousand jobs of fifty owners run through the fleets of a system, each once', async () => {
  await using system = await testSystem();
  await system.fleet();
  const settled = await submitMany(
    system.context,
    Array.from({ length: 5_000 }, (_, index) => ({
      queue: trial,
      submission: { principal: { owner: `owner ${index % 50}` }, payload: { do: 'succeed' as const } },
    })),
  );
  expect(settled.every(({ status }) => status === 'fulfilled')).toBe(true);
  const ended = async () =>
    Number(await system.context.db.oneFirst(sql.unsafe`select count(*)::int from jobs where state = 'succeeded'`));
  await until(async () => (await ended()) === 5_000);
  expect(await system.context.db.oneFirst(sql.unsafe`select count(*)::int from jobs where attempt <> 1`)).toBe(0);
});
