import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addCarriers, roomInWindow } from '#src/jobs/broker/add-carriers.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { brokerName, brokerPrefix, type Dispatched } from '#src/jobs/broker/broker-names.ts';
import type { Carrier } from '#src/jobs/broker/carriers.ts';
import { advanceCarried, readCarried, readWindow, writeWindow } from '#src/jobs/broker/read-carried.ts';
import { finishCarriers, takeCarriers } from '#src/jobs/broker/take-carriers.ts';
import { trialLine } from '#test/helpers/carried.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

const lock = { token: 'a token', lockMs: 60_000 };

const jobOf = (id: string): Dispatched => ({
  ...trialLine,
  id,
  dispatch: 1,
  owner: 'alice',
  priority: 0,
  feed: 'fed',
  runAt: new Date(),
});

/** A queue of the broker that no worker consumes. */
async function openQueue({ context }: QuietSystem) {
  const { redis, config } = context;
  await until(() => redis.status === 'ready');
  const queue = { prefix: brokerPrefix(config, trial.name), name: brokerName(trialLine, false) };
  return {
    carrier: (jobs: string, more: Partial<Carrier> = {}): Carrier => ({
      id: randomUUID(),
      priority: 0,
      delay: 0,
      group: '',
      jobs: jobs.split(' ').map(jobOf),
      ...more,
    }),
    add: async (carriers: readonly Carrier[], isBounded = false) =>
      await addCarriers(redis, queue, carriers, isBounded),
    take: async (most: number, ofLine = most) => await takeCarriers(redis, queue, { ...lock, most, ofLine }),
    taken: async (most: number, ofLine = most) =>
      (await takeCarriers(redis, queue, { ...lock, most, ofLine })).carriers.map(({ jobs }) => jobs.join(' ')),
    finish: async (ids: readonly string[], token = lock.token) =>
      await finishCarriers(
        redis,
        queue,
        ids.map((id) => ({ id, priority: 0, jobs: [], token })),
      ),
    room: async () => await roomInWindow(redis, queue),
    all: async () => (await readCarried(context, trialLine)).flatMap(({ jobs }) => jobs),
    window: async () => await readWindow(context, trialLine),
  };
}

test('carriers are taken in their order: those without a priority first, then the others by theirs', async () => {
  await using system = await quietSystem();
  const { carrier, add, taken } = await openQueue(system);
  await add([carrier('late', { priority: 20 }), carrier('early', { priority: 10 }), carrier('a b'), carrier('c')]);
  expect(await taken(4)).toEqual(['a-1 b-1', 'c-1', 'early-1']);
  expect(await taken(10)).toEqual(['late-1']);
  expect(await taken(10)).toEqual([]);
});

test.each([0, 7])(
  'of priority %i a carrier of more jobs than wanted is split, and its rest is the next',
  async (priority) => {
    await using system = await quietSystem();
    const { carrier, add, taken, all, window } = await openQueue(system);
    await add([carrier('a b c d e f', { priority }), carrier('g h', { priority })]);
    expect(await window()).toBe(8);
    expect(await taken(2)).toEqual(['a-1 b-1']);
    expect(await taken(3)).toEqual(['c-1 d-1 e-1']);
    expect(await window()).toBe(3);
    // also what is in hand is known
    expect((await all()).toSorted()).toEqual(['a-1', 'b-1', 'c-1', 'd-1', 'e-1', 'f-1', 'g-1', 'h-1']);
    expect(await taken(2)).toEqual(['f-1', 'g-1']);
    expect(await taken(2)).toEqual(['h-1']);
    expect(await window()).toBe(0);
  },
);

test('jobs of a thousand carriers are taken by many hands, each once', async () => {
  await using system = await quietSystem();
  const { carrier, add, taken } = await openQueue(system);
  const names = Array.from({ length: 3_000 }, (_, index) => `j${index}`);
  for (let at = 0; at < names.length; at += 30) await add([carrier(names.slice(at, at + 30).join(' '))]);
  const found: string[] = [];
  for (let size = 1; found.length < names.length; size = (size % 17) + 1)
    found.push(...(await Promise.all([taken(size), taken(size + 3)])).flat().flatMap((jobs) => jobs.split(' ')));
  expect(found.toSorted()).toEqual(names.map((name) => `${name}-1`).toSorted());
});

test('one that is delayed is not taken, and it is said when it is due', async () => {
  await using system = await quietSystem();
  const { carrier, add, take } = await openQueue(system);
  const from = Date.now();
  await add([carrier('later', { delay: 3_600_000 }), carrier('due')]);
  const { carriers, dueAt } = await take(2);
  expect(carriers.map(({ jobs }) => jobs)).toEqual([['due-1']]);
  expect(dueAt).toBeGreaterThanOrEqual(from + 3_600_000);
  expect(dueAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

test('what is finished is forgotten; what another has locked stays', async () => {
  await using system = await quietSystem();
  const { carrier, add, take, finish, all } = await openQueue(system);
  await add([carrier('one'), carrier('two'), carrier('three')]);
  const [one, two, three] = (await take(3)).carriers.map(({ id }) => id);
  await finish([one!, 'unknown', two!]);
  await finish([three!], 'another token');
  expect(await all()).toEqual(['three-1']);
});

test('a paused queue hands out nothing, and all of it once it goes on', async () => {
  await using system = await quietSystem();
  const { carrier, add, taken } = await openQueue(system);
  await add([carrier('before')]);
  await openBroker(system.context).setPaused(trial.name, true);
  await add([carrier('meanwhile')]);
  expect(await taken(5)).toEqual([]);
  await openBroker(system.context).setPaused(trial.name, false);
  expect((await taken(5)).toSorted()).toEqual(['before-1', 'meanwhile-1']);
});

test('a window takes no more than it is wide, and nothing while others stand in line; the feeder is not bound', async () => {
  await using system = await quietSystem();
  const { carrier, add, room, all } = await openQueue(system);
  await writeWindow(system.context, trialLine, { most: 3 });
  expect(await room()).toBe(3);
  const [fits, wide, small] = [carrier('a b'), carrier('c d'), carrier('e')];
  // none passes by one that was refused
  expect(await add([fits, wide, small], true)).toEqual([wide, small]);
  expect(await room()).toBe(0);
  expect(await add([carrier('f')], true)).toHaveLength(1);
  expect(await add([carrier('g')])).toEqual([]);
  expect((await all()).toSorted()).toEqual(['a-1', 'b-1', 'g-1']);
  await writeWindow(system.context, trialLine, { most: 10, lineUntil: null });
  expect(await add([carrier('h')], true)).toEqual([]);
});

test('of a line no more is taken than that, once something went before it; what goes before it is, to the last hand', async () => {
  await using system = await quietSystem();
  const { carrier, add, take, taken } = await openQueue(system);
  await writeWindow(system.context, trialLine, { lineUntil: Date.now() + 3_600_000 });
  await add([carrier('a b c d e f', { priority: 1 })]);
  // nobody but the line wants anything
  expect(await taken(1, 0)).toEqual(['a-1']);
  await add([carrier('quiet')]);
  expect(await taken(3, 1)).toEqual(['quiet-1', 'b-1']);
  expect(await take(3, 0)).toMatchObject({ carriers: [], isLine: true, isKept: true });
  await add([carrier('dear', { priority: 2 }), carrier('more', { priority: 0 })]);
  // one of a worse priority than the line waits with it
  expect(await taken(3, 0)).toEqual(['more-1']);
  expect(await taken(5, 4)).toEqual(['c-1 d-1 e-1 f-1', 'dear-1']);
  await writeWindow(system.context, trialLine, { lineUntil: null });
  await add([carrier('g', { priority: 1 })]);
  expect(await take(1, 0)).toMatchObject({ carriers: [{ jobs: ['g-1'] }], isLine: false, isKept: false });
});

test('an entry that has waited long goes before younger ones of a better priority', async () => {
  await using system = await quietSystem();
  const { carrier, add, taken } = await openQueue(system);
  const [old, older] = [carrier('old', { priority: 50 }), carrier('older', { priority: 60 })];
  await add([old, older, carrier('young', { priority: 3 })]);
  await advanceCarried(system.context, trialLine, [
    { entry: old.id, priority: 2 },
    { entry: older.id, priority: 0 },
    { entry: 'gone', priority: 0 },
  ]);
  expect(await taken(5)).toEqual(['older-1', 'old-1', 'young-1']);
});

test('an entry that is none of ours carries nothing, and is done with', async () => {
  await using system = await quietSystem();
  const { carrier, add, taken, all } = await openQueue(system);
  const { redis, config } = system.context;
  const base = `${brokerPrefix(config, trial.name)}:${trial.name}`;
  for (const [id, data] of Object.entries({ text: 'no JSON', object: '{"id":"x","dispatch":1}', number: '7' })) {
    await redis.hset(`${base}:${id}`, { data, name: 'job', opts: '{}' });
    await redis.lpush(`${base}:wait`, id);
  }
  await add([carrier('a')]);
  expect(await taken(1)).toEqual(['', '', '', 'a-1']);
  expect(await all()).toEqual(['a-1']);
});
