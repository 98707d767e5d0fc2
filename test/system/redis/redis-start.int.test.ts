import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext } from '#src/system/context.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { type PrivateRedis, startRedis } from '#src/system/embedded/private-redis.ts';
import { whyUnready } from '#src/system/health/readiness.ts';
import { assertRedisAnswers } from '#src/system/redis/redis-start.ts';
import { testConfig } from '#test/helpers/config.ts';
import { runCommand, testFolder, until } from '#test/helpers/processes.ts';
import { silentProxy } from '#test/helpers/servers/silent-proxy.ts';

let redis: PrivateRedis;
const folder = testFolder();
beforeAll(async () => {
  redis = await startRedis(folder.path);
}, 60_000);
afterAll(async () => {
  await redis.stop();
  folder[Symbol.dispose]();
});

test('a Redis that refuses, is not known, wants another password or says nothing is one sentence without a secret', async () => {
  await using settings = await testConfig();
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const port = await freePort();
  const { port: mute } = silent.address() as AddressInfo;
  const { port: real } = new URL(redis.url);
  const cases = [
    [`redis://:hunter2@127.0.0.1:${port}`, `127.0.0.1:${port}, which does not (connect ECONNREFUSED`],
    [`redis://:hunter2@no-such-host.invalid`, 'no-such-host.invalid:6379, which does not (getaddrinfo'],
    [`redis://:hunter2@127.0.0.1:${real}/0`, `127.0.0.1:${real}/0, which does not (WRONGPASS`],
    [`redis://127.0.0.1:${mute}`, `127.0.0.1:${mute}, which does not (`],
  ] as const;
  const results = await Promise.allSettled(
    cases.map(([url]) => assertRedisAnswers({ ...settings.config, REDIS_URL: url }, undefined, 1_000)),
  );
  for (const [index, [, sentence]] of cases.entries()) {
    const result = results[index];
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'invalid_configuration' } });
    const { message } = (result as PromiseRejectedResult).reason as Error;
    expect(message).toContain(`REDIS_URL: expected a Redis that answers, got ${sentence}`);
    expect(message).not.toContain('hunter2');
  }
  await assertRedisAnswers({ ...settings.config, REDIS_URL: redis.url });
  silent.close();
});

test.each([['worker', 'analytics'], ['api']])(
  'error: %s with a wrong REDIS_URL ends with the sentence and exit code 2',
  async (...command) => {
    await using settings = await testConfig({ LOG_LEVEL: 'info' });
    const env = { ...settings.env, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    await using process = runCommand(globalThis.process.execPath, ['src/cli.ts', ...command], env);
    expect(await process.ended).toBe(2);
    expect(process.output()).toMatch(
      /^REDIS_URL: expected a Redis that answers, got 127\.0\.0\.1:\d+, which does not/m,
    );
    expect(process.output()).not.toMatch(/ready|listening/);
  },
);

test('a Redis that may evict keys is not ready, with a sentence and a metric, until its policy is right', async () => {
  await using settings = await testConfig({ REDIS_URL: redis.url });
  await using context = await openContext(settings.config, 'test');
  await until(async () => (await whyUnready(context)) === null);
  await context.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  let why: string | null = null;
  await until(async () => {
    why = await whyUnready(context, ['Postgres', 'eviction']);
    return why !== null;
  });
  expect(why).toBe('Redis may lose keys: expected maxmemory-policy noeviction, got allkeys-lru; set it to noeviction');
  expect((await context.metrics.proofline_redis_may_evict.get()).values[0]?.value).toBe(1);
  await context.redis.config('SET', 'maxmemory-policy', 'noeviction');
  await until(async () => (await whyUnready(context)) === null);
  expect((await context.metrics.proofline_redis_may_evict.get()).values[0]?.value).toBe(0);
});

test('after the first command that a Redis swallows, the others fail at once; when it goes on, they work', async () => {
  await using line = await silentProxy(redis.url);
  await using settings = await testConfig({ REDIS_URL: line.url });
  await using context = await openContext(settings.config, 'test');
  await until(() => context.redis.status === 'ready');
  line.silence();
  // each by itself would wait for its own time limit, and all of them for longer than this test
  for (let count = 0; count < 60; count++)
    await expect(context.redis.ping()).rejects.toThrow(/writeable|closed|timed out|timeout|max retries/i);
  line.resume();
  await until(
    async () =>
      await context.redis.ping().then(
        () => true,
        () => false,
      ),
  );
});
