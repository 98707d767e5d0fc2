import { expect, test } from 'vitest';
import { openContext } from '#src/system/context.ts';
import { openThreads } from '#src/system/threads.ts';
import { testConfig } from '#test/helpers/config.ts';

const file = new URL('./trial.thread.ts', import.meta.url);

async function threads(settings: Readonly<Record<string, string>> = {}) {
  const { config, ...database } = await testConfig({ THREADS_MIN: '1', THREADS_MAX: '2', ...settings });
  const context = await openContext(config, 'test');
  const pool = openThreads(context);
  const gauge = async (name: string) => {
    const { values } = await context.metrics.registry.getSingleMetric(name)!.get();
    return values;
  };
  return {
    pool,
    gauge,
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

test('shared memory is seen from both sides without a copy', async () => {
  await using system = await threads();
  const numbers = new Float64Array(new SharedArrayBuffer(80)).fill(2);
  expect(await system.pool.run(file, { do: 'sum', numbers })).toBe(20);
  expect(numbers[0]).toBe(-1);
});

test('aborting ends a thread that is busy, with the reason; the pool goes on', async () => {
  await using system = await threads();
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const stop = new AbortController();
  const spinning = system.pool.run(file, { do: 'spin', busy }, stop.signal);
  while (Atomics.load(busy, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error('cancelled by its owner'));
  await expect(spinning).rejects.toThrow('cancelled by its owner');
  const last = Atomics.load(busy, 0);
  // another whole task later the counter must stand still: the loop is gone, not merely forgotten
  await system.pool.run(file, { do: 'sum', numbers: new Float64Array(new SharedArrayBuffer(8)) });
  const after = Atomics.load(busy, 0);
  await system.pool.run(file, { do: 'sum', numbers: new Float64Array(new SharedArrayBuffer(8)) });
  expect(Atomics.load(busy, 0)).toBe(after);
  expect(after).toBeGreaterThanOrEqual(last);
  expect(await system.gauge('proofline_thread_tasks_total')).toContainEqual(
    expect.objectContaining({ labels: { task: 'trial', outcome: 'aborted' }, value: 1 }),
  );
});

test('an error of ours crosses with its code and details; a bug fails its task alone', async () => {
  await using system = await threads();
  await expect(system.pool.run(file, { do: 'refuse' })).rejects.toMatchObject({
    code: 'invalid_chain',
    details: { field: 'spot' },
  });
  await expect(system.pool.run(file, { do: 'throw' })).rejects.toMatchObject({ code: 'thread_failed' });
  expect(await system.pool.run(file, { do: 'sum', numbers: new Float64Array(new SharedArrayBuffer(8)) })).toBe(0);
});

test('a thread that exits, or outgrows its memory, fails its own task alone', async () => {
  await using system = await threads({ THREAD_MEMORY_MB: '64' });
  const results = await Promise.allSettled([
    system.pool.run(file, { do: 'exit' }),
    system.pool.run(file, { do: 'grow' }),
    ...Array.from({ length: 5 }, () =>
      system.pool.run(file, { do: 'sum', numbers: new Float64Array(new SharedArrayBuffer(8)) }),
    ),
  ]);
  expect(
    results
      .slice(0, 2)
      .map((result) => (result.status === 'rejected' ? (result.reason as { code: string }).code : 'done')),
  ).toEqual(['thread_failed', 'thread_failed']);
  expect(results.slice(2).every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('beside the pool one task runs at a time, and never holds up those of the pool', async () => {
  await using system = await threads({ THREADS_MAX: '1' });
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const stop = new AbortController();
  const spinning = system.pool.runAside(file, { do: 'spin', busy }, stop.signal);
  while (Atomics.load(busy, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  const numbers = new Float64Array(new SharedArrayBuffer(8));
  const next = system.pool.runAside(file, { do: 'sum', numbers });
  expect(await system.pool.run(file, { do: 'sum', numbers: new Float64Array(new SharedArrayBuffer(8)) })).toBe(0);
  expect(numbers[0]).toBe(0);
  stop.abort(new Error('enough'));
  await expect(spinning).rejects.toThrow('enough');
  expect(await next).toBe(0);
  expect(numbers[0]).toBe(-1);
});
