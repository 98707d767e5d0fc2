import { expect, test, vi } from 'vitest';
import { openContext } from '#src/system/context.ts';
import { startPostgres } from '#src/system/embedded/private-postgres.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { lead } from '#src/system/leader.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testFolder, until } from '#test/helpers/processes.ts';

test('an outage of a server is one line when it goes and one when it is back, however many stand for leadership meanwhile', {
  timeout: 120_000,
}, async () => {
  using folder = testFolder();
  const start = async () => await startPostgres(folder.path, () => {}, { durable: false });
  let postgres = await start();
  const redis = await startRedis(folder.path);
  await using settings = await testConfig({ DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  await using context = await openContext(settings.config, 'test');
  const errors = vi.spyOn(context.log, 'error');
  const warnings = vi.spyOn(context.log, 'warn');
  const led = new Map<string, number>();
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names)
    lead(context, name, async (_client, signal) => {
      led.set(name, (led.get(name) ?? 0) + 1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
    });
  await until(() => context.redis.status === 'ready' && led.size === names.length);
  await Promise.all([postgres.stop(), redis.stop()]);
  await until(() => errors.mock.calls.length === 2);
  const { host } = new URL(postgres.url);
  expect(errors.mock.calls.map(([fields, message]) => [fields, message])).toEqual(
    expect.arrayContaining([
      [
        expect.objectContaining({ server: 'Postgres', address: `${host}/proofline` }),
        expect.stringMatching(/^Postgres does not answer/),
      ],
      [
        expect.objectContaining({ server: 'Redis', address: `${new URL(redis.url).host}/0` }),
        expect.stringMatching(/^Redis does not answer/),
      ],
    ]),
  );
  postgres = await start();
  const again = await startRedis(folder.path);
  expect(again.url).toBe(redis.url);
  await until(() => [...led.values()].every((times) => times === 2) && context.redis.status === 'ready');
  expect(errors).toHaveBeenCalledTimes(2);
  expect(warnings.mock.calls.map(([, message]) => String(message)).toSorted()).toEqual([
    'Postgres answers again',
    'Redis answers again',
  ]);
  const said = JSON.stringify([...errors.mock.calls, ...warnings.mock.calls]);
  for (const { url } of [postgres, redis]) expect(said).not.toContain(new URL(url).password);
  await context[Symbol.asyncDispose]();
  await Promise.all([postgres.stop(), again.stop()]);
  // what ends on purpose is no outage
  expect(errors).toHaveBeenCalledTimes(2);
});
