import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openContext } from '#src/system/context.ts';
import { lead } from '#src/system/leader.ts';
import { endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import { startChild } from '#test/helpers/child.ts';
import { testConfig } from '#test/helpers/config.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

const untilAborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
};

test('a leader that is stopped loses its place within seconds, though its connections stay open', async () => {
  await using database = await testConfig({ SWEEP_MS: '200' });
  await using leader = await startChild(new URL('../helpers/leader.ts', import.meta.url), database.env);
  await using context = await openContext(database.config, 'test');
  const { promise: leads, resolve } = Promise.withResolvers<number>();
  const since = performance.now();
  await using _second = lead(context, 'relay', async (_client, signal) => {
    resolve(performance.now() - since);
    await untilAborted(signal);
  });
  leader.kill('SIGSTOP');
  expect(await leads).toBeLessThan(8_000);
  leader.kill('SIGCONT');
});

test('a leader whose work asks nothing for longer than the idle limit goes on leading', async () => {
  await using system = await quietSystem();
  let begun = 0;
  await using _leader = lead(system.context, 'quiet', async (_client, signal) => {
    begun++;
    await untilAborted(signal);
  });
  await sleep(7_000);
  expect(begun).toBe(1);
});

test('a stop does not wait for a statement that hangs', async () => {
  await using system = await quietSystem();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const leader = lead(system.context, 'hung', async (client) => {
    resolve();
    await client.query('select pg_sleep(60)');
  });
  await asked;
  const since = performance.now();
  await leader[Symbol.asyncDispose]();
  expect(performance.now() - since).toBeLessThan(4_000);
});

test('an answer that does not come in time fails, and the connection can be cut off', async () => {
  await using system = await quietSystem();
  const client = await openDirect(system.context.config, 'test', () => {}, { answerMs: 200 });
  await expect(client.query('select pg_sleep(60)')).rejects.toThrow('timeout');
  const since = performance.now();
  await endDirect(client);
  expect(performance.now() - since).toBeLessThan(1_000);
});
