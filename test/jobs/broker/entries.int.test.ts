import { expect, test } from 'vitest';
import { addEntries, type NewEntry } from '#src/jobs/broker/add-entries.ts';
import { brokerName, brokerPrefix, openBroker } from '#src/jobs/broker/broker.ts';
import { finishEntries, takeEntries } from '#src/jobs/broker/take-entries.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

const versioned = { queue: trial.name, version: 1 };
const plain = { priority: 0, delay: 0 };
const lock = { token: 'a token', lockMs: 60_000 };

/** A queue of the broker that nobody consumes. */
async function openQueue(system: QuietSystem) {
  const { redis, config } = system.context;
  await until(() => redis.status === 'ready');
  const queue = { prefix: brokerPrefix(config, trial.name), name: brokerName(versioned, false) };
  const entry = (id: string, more: Partial<NewEntry> = {}): NewEntry => ({ ...plain, ...more, id, data: `"${id}"` });
  return {
    entry,
    add: async (...entries: NewEntry[]) => await addEntries(redis, queue, entries),
    take: async (most: number) => await takeEntries(redis, queue, { ...lock, most }),
    finish: async (ids: readonly string[], token = lock.token) =>
      await finishEntries(
        redis,
        queue,
        ids.map((id) => ({ id, data: '', token })),
      ),
    exists: async (id: string) => (await redis.exists(`${queue.prefix}:${queue.name}:${id}`)) === 1,
    active: async () => await redis.llen(`${queue.prefix}:${queue.name}:active`),
  };
}

test('entries are taken together: those without a rank in their order, then the others by theirs, none twice', async () => {
  await using system = await quietSystem();
  const { entry, add, take } = await openQueue(system);
  await add(entry('late', { priority: 20 }), entry('early', { priority: 10 }), entry('first'), entry('second'));
  await add(entry('first'));
  const { entries } = await take(3);
  expect(entries).toEqual([
    { id: 'first', data: '"first"', token: lock.token },
    { id: 'second', data: '"second"', token: lock.token },
    { id: 'early', data: '"early"', token: lock.token },
  ]);
  expect((await take(10)).entries.map(({ id }) => id)).toEqual(['late']);
  expect(await take(10)).toEqual({ entries: [], dueAt: 0 });
});

test('one that is delayed is not taken, and it is said when it is due', async () => {
  await using system = await quietSystem();
  const { entry, add, take } = await openQueue(system);
  const from = Date.now();
  await add(entry('later', { delay: 3_600_000 }), entry('due'));
  const { entries, dueAt } = await take(2);
  expect(entries.map(({ id }) => id)).toEqual(['due']);
  expect(dueAt).toBeGreaterThanOrEqual(from + 3_600_000);
  expect(dueAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

test('what is finished is forgotten; what another has locked stays', async () => {
  await using system = await quietSystem();
  const { entry, add, take, finish, exists, active } = await openQueue(system);
  await add(entry('one'), entry('two'), entry('three'));
  await take(3);
  await finish(['one', 'unknown', 'two']);
  await finish(['three'], 'another token');
  expect([await exists('one'), await exists('two'), await exists('three')]).toEqual([false, false, true]);
  expect(await active()).toBe(1);
});

test('a paused queue hands out nothing, and all of it once it goes on', async () => {
  await using system = await quietSystem();
  const { entry, add, take } = await openQueue(system);
  await add(entry('before'));
  await openBroker(system.context).setPaused(trial.name, true);
  await add(entry('meanwhile'));
  expect((await take(5)).entries).toEqual([]);
  await openBroker(system.context).setPaused(trial.name, false);
  expect((await take(5)).entries.map(({ id }) => id).toSorted()).toEqual(['before', 'meanwhile']);
});
