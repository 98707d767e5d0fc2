import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openMarkerWait } from '#src/jobs/broker/marker-wait.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { consumerConnection, waitingConnection } from '#src/system/consumer-connection.ts';
import type { Context } from '#src/system/context.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { testFolder, until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';
import { handlers } from '#workers/handlers.ts';
import { consume } from '#workers/run/consumer.ts';

const never = new AbortController().signal;

/** What Redis says of its connections; those that wait for something have the flag b. */
async function connectionsOf({ redis }: Context): Promise<{ readonly all: number; readonly blocked: number }> {
  const lines = String(await redis.call('CLIENT', 'LIST'))
    .trim()
    .split('\n');
  return { all: lines.length, blocked: lines.filter((line) => /flags=\w*b/.test(line)).length };
}

/** A wait on connections of its own, and keys that no other test has. */
async function waiting({ context }: QuietSystem) {
  const blocking = waitingConnection(context);
  const prefix = context.config.REDIS_PREFIX;
  await until(() => blocking.status === 'ready' && context.redis.status === 'ready');
  return {
    blocking,
    ...openMarkerWait(blocking, consumerConnection(context), prefix),
    key: (name: string) => `${prefix}:${name}:marker`,
  };
}

test('consumers of every queue share two connections of their process, and each still gets its own jobs', async () => {
  using folder = testFolder();
  // one with connections of this test alone
  const redis = await startRedis(folder.path, () => {});
  try {
    await using system = await quietSystem({ REDIS_URL: redis.url });
    const { context } = system;
    await until(() => context.redis.status === 'ready');
    const before = (await connectionsOf(context)).all;
    const seen: string[] = [];
    const consumers = handlers.flatMap((work) =>
      [false, true].map((suspects) =>
        consume(
          context,
          work,
          { suspects, concurrency: 2 },
          async ({ delivery: { id } }) => void seen.push(`${work.queue.name} ${id}`),
        ),
      ),
    );
    await until(async () => (await connectionsOf(context)).blocked === 1);
    expect(consumers.length).toBe(2 * handlers.length);
    expect((await connectionsOf(context)).all - before).toBeLessThanOrEqual(2);
    await Promise.all(consumers.map((consumer) => consumer.close()));
    // nothing waits any more
    await until(async () => (await connectionsOf(context)).blocked === 0);
  } finally {
    await redis.stop();
  }
});

test('a marker ends the wait for its key alone; who comes later is waited for at once', async () => {
  await using system = await quietSystem();
  const { redis } = system.context;
  const { wait, key } = await waiting(system);
  const first = wait(key('first'), 10, never);
  await sleep(50);
  // joins while the command of the first is under way
  const second = wait(key('second'), 10, never);
  await redis.zadd(key('second'), 7, '1');
  expect(await second).toEqual({ member: '1', score: 7 });
  await redis.zadd(key('first'), 0, '0');
  expect(await first).toEqual({ member: '0', score: 0 });
  expect(await redis.exists(key('first'), key('second'))).toBe(0);
});

test('two waits for one key get one marker each', async () => {
  await using system = await quietSystem();
  const { redis } = system.context;
  const { wait, key } = await waiting(system);
  const both = Promise.all([wait(key('one'), 10, never), wait(key('one'), 10, never)]);
  await redis.zadd(key('one'), 1, 'a');
  await redis.zadd(key('one'), 2, 'b');
  expect((await both).map((marker) => String(marker?.member)).toSorted()).toEqual(['a', 'b']);
});

test('a wait that is given up takes no marker from consumers elsewhere', async () => {
  await using system = await quietSystem();
  const { redis } = system.context;
  const { wait, key } = await waiting(system);
  const leaving = new AbortController();
  const staying = wait(key('stays'), 10, never);
  const gone = wait(key('gone'), 10, leaving.signal).then(
    () => 'went on',
    (error: unknown) => String(error),
  );
  await sleep(50);
  leaving.abort(new Error('Connection is closed.'));
  await redis.zadd(key('gone'), 3, '1');
  expect(await gone).toContain('Connection is closed.');
  // either it was never taken, or it is put back
  await until(async () => (await redis.zscore(key('gone'), '1')) === '3');
  await redis.zadd(key('stays'), 0, '0');
  expect(await staying).toEqual({ member: '0', score: 0 });
  expect(await redis.zscore(key('gone'), '1')).toBe('3');
});

test('what does not come in time is null, also while the connection is away; afterwards it waits again', async () => {
  await using system = await quietSystem();
  const { redis } = system.context;
  const { wait, key, blocking } = await waiting(system);
  expect(await wait(key('nothing'), 0.2, never)).toBeNull();
  const cut = wait(key('cut'), 0.5, never);
  await sleep(50);
  blocking.disconnect(false);
  expect(await cut).toBeNull();
  expect(await wait(key('cut'), 0.2, never)).toBeNull();
  await blocking.connect();
  const again = wait(key('cut'), 10, never);
  await redis.zadd(key('cut'), 0, '0');
  expect(await again).toEqual({ member: '0', score: 0 });
});

test('a socket that swallows its commands is given up, and what waits on it hears in time', async () => {
  await using system = await quietSystem();
  const { redis } = system.context;
  const { wait, key, blocking } = await waiting(system);
  const pause = async () => await new Promise<void>((resolve) => setImmediate(resolve));
  const real = blocking.bzpopmin.bind(blocking);
  let swallowed = 0;
  Object.assign(blocking, {
    bzpopmin: async (...given: unknown[]) => {
      if (swallowed++ > 0) return await (real as (...all: unknown[]) => Promise<unknown>)(...given);
      return await new Promise(() => {});
    },
  });
  let closed = false;
  blocking.once('close', () => {
    closed = true;
  });
  expect(await wait(key('swallowed'), 0.2, never)).toBeNull();
  await until(() => closed);
  await until(() => blocking.status === 'ready');
  const again = wait(key('swallowed'), 10, never);
  await pause();
  await redis.zadd(key('swallowed'), 0, '0');
  expect(await again).toEqual({ member: '0', score: 0 });
});

test('a job for a queue whose consumers have waited for long is fetched, and a delayed one in its time', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const seen: string[] = [];
  const work = { ...handlers[0]!, queue: trial };
  const consumer = consume(
    context,
    work,
    { suspects: false, concurrency: 1 },
    async ({ delivery: { id } }) => void seen.push(id),
  );
  await sleep(2_500);
  const principal = { owner: 'alice' };
  const now = await submit(context, trial, { principal, payload: { do: 'succeed' } });
  await until(() => seen.includes(now.job.id));
  const later = await submit(context, trial, {
    principal,
    payload: { do: 'succeed' },
    runAt: new Date(Date.now() + 900),
  });
  await until(() => seen.includes(later.job.id));
  expect(Date.now()).toBeGreaterThanOrEqual(later.job.runAt.getTime() - 20);
  await consumer.close();
});
