import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { type Context, openContext } from '#src/system/context.ts';
import { lead, leadByLock } from '#src/system/leader.ts';
import { endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import { startChild } from '#test/helpers/child.ts';
import { testConfig } from '#test/helpers/config.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

const untilAborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
};

/** Stands for both places of the process of `helpers/leader.ts`; fulfilled once both are taken from it. */
async function takeBoth(context: Context): Promise<void> {
  const taken = ['relay', 'sweep'].map(async (name) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    lead(context, name, async (_client, signal) => {
      resolve();
      await untilAborted(signal);
    });
    await promise;
  });
  await Promise.all(taken);
}

test('a process that is stopped loses all its places within seconds, though its connections stay open', async () => {
  await using database = await testConfig({ SWEEP_MS: '200' });
  await using leader = await startChild(new URL('../helpers/leader.ts', import.meta.url), database.env);
  await using context = await openContext(database.config, 'test');
  leader.kill('SIGSTOP');
  const since = performance.now();
  await takeBoth(context);
  expect(performance.now() - since).toBeLessThan(8_000);
  leader.kill('SIGCONT');
});

test('the places of a process that is killed are taken by another one', async () => {
  await using database = await testConfig({ SWEEP_MS: '200' });
  await using leader = await startChild(new URL('../helpers/leader.ts', import.meta.url), database.env);
  await using context = await openContext(database.config, 'test');
  leader.kill('SIGKILL');
  await expect(takeBoth(context)).resolves.toBeUndefined();
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

test('of two that stand for one name in one process, one leads at a time, and the other takes over', async () => {
  await using system = await quietSystem();
  const led: string[] = [];
  const heard = new EventEmitter();
  const stand = (who: string) =>
    leadByLock(system.context, 'twice', async (signal) => {
      led.push(who);
      heard.emit('led');
      await untilAborted(signal);
      led.push(`${who} ends`);
    });
  const first = stand('first');
  await once(heard, 'led');
  await using _second = stand('second');
  const next = once(heard, 'led');
  await first[Symbol.asyncDispose]();
  await next;
  expect(led).toEqual(['first', 'first ends', 'second']);
});

test('where the session of the locks is lost, all that led stop and stand for it again', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const led: string[] = [];
  const heard = new EventEmitter();
  await using stack = new AsyncDisposableStack();
  const begun = ['one', 'two'].map(async (name) => {
    stack.use(
      leadByLock(context, name, async (signal) => {
        led.push(name);
        heard.emit(name);
        await untilAborted(signal);
      }),
    );
    await once(heard, name);
  });
  await Promise.all(begun);
  const again = ['one', 'two'].map(async (name) => await once(heard, name));
  await context.db.query(sql.unsafe`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'proofline-leader' and datname = current_database()`);
  await Promise.all(again);
  expect(led.toSorted()).toEqual(['one', 'one', 'two', 'two']);
});

test('a place whose work fails goes to another process, and what else the process leads stays with it', async () => {
  await using system = await quietSystem();
  await using other = await openContext(system.context.config, 'test');
  let begun = 0;
  const heard = new EventEmitter();
  const fail = new AbortController();
  const leads = once(heard, 'sound');
  await using _sound = leadByLock(system.context, 'sound', async (signal) => {
    begun++;
    heard.emit('sound');
    await untilAborted(signal);
  });
  await leads;
  const breaks = once(heard, 'broken');
  await using _broken = leadByLock(system.context, 'broken', async (signal) => {
    heard.emit('broken');
    await untilAborted(AbortSignal.any([signal, fail.signal]));
    throw new Error('broken on purpose');
  });
  await breaks;
  const taken = once(heard, 'taken');
  await using _other = leadByLock(other, 'broken', async (signal) => {
    heard.emit('taken');
    await untilAborted(signal);
  });
  fail.abort();
  await taken;
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
