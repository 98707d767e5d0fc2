import { expect, test, vi } from 'vitest';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { until } from '#test/helpers/processes.ts';
import { generating } from './generating.ts';
import type { Turn } from './paid-server.ts';

// three processes are started one after the other
vi.setConfig({ testTimeout: 180_000 });

/**
 * Has a provider asked after another that was busy, kills the worker process once the provider has been paid, and lets
 * another process go on, while every provider would make what is wanted.
 */
async function killedIn(provider: string, turn: Turn) {
  const trial = await generating(['exchange-first', provider, 'exchange-last']);
  trial.server.turn('exchange-first', 'busy');
  trial.server.turn(provider, turn);
  const child = await trial.child();
  const job = await trial.ask();
  await until(() => trial.server.paid.length === 1);
  // of a task that was submitted, the name has to be written down
  if (turn === 'make') await until(async () => (await trial.task(job)) !== null);
  child.kill('SIGKILL');
  await child.exited;
  trial.server.turn('exchange-first', 'make');
  trial.server.turn(provider, 'make');
  trial.server.finish(provider);
  const next = await trial.child();
  return { trial, job: await trial.ended(job), next };
}

test('a worker that is killed in a call of a provider which deduplicates: the same call again, one payment', async () => {
  const { trial, job, next } = await killedIn('once-exchange', 'hold');
  await using _all = trial;
  await using _next = next;
  expect(job).toMatchObject({ state: 'succeeded', attempt: 2, result: { provider: 'once-exchange', cost: 100 } });
  expect(trial.server.asked('once-exchange')).toBe(2);
  expect(trial.server.paid).toHaveLength(1);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 100 });
});

test('a worker that is killed in a call that nobody can ask about: no second payment, here or elsewhere, before a human decides', async () => {
  const { trial, job, next } = await killedIn('exchange-1', 'hold');
  await using _all = trial;
  await using _next = next;
  expect(job).toMatchObject({ state: 'failed', error: { code: 'outcome_unknown' } });
  expect(trial.server.paid).toHaveLength(1);
  expect(await trial.calls(job)).toEqual(['exchange-first released', 'exchange-1 unknown']);
  expect(await trial.money()).toEqual({ reserved: 100, spent: 0 });

  await redriveJob(trial.system.context, job.id, 'op', 'send_again');
  expect(await trial.ended(job)).toMatchObject({
    state: 'succeeded',
    result: { provider: 'exchange-1', cost: 100 },
  });
  expect(await trial.money()).toEqual({ reserved: 0, spent: 100 });
});

test('a human who says that a call was made has it paid, and another provider asked for what is lost', async () => {
  const { trial, job, next } = await killedIn('exchange-1', 'hold');
  await using _all = trial;
  await using _next = next;
  await redriveJob(trial.system.context, job.id, 'op', 'assume_done');
  expect(await trial.ended(job)).toMatchObject({
    state: 'succeeded',
    result: { provider: 'exchange-first', cost: 200, tried: [{ provider: 'exchange-1' }] },
  });
  expect(await trial.money()).toEqual({ reserved: 0, spent: 200 });
});

test('a worker that is killed while its task is made: the same task is fetched', async () => {
  const { trial, job, next } = await killedIn('task-1', 'make');
  await using _all = trial;
  await using _next = next;
  expect(job).toMatchObject({ state: 'succeeded', result: { provider: 'task-1', cost: 100 } });
  expect(trial.server.asked('task-1')).toBe(1);
  expect(trial.server.paid).toHaveLength(1);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 100 });
});

test('a worker that is killed while it submits a task which can be found: it is found and fetched', async () => {
  const { trial, job, next } = await killedIn('find-1', 'hold');
  await using _all = trial;
  await using _next = next;
  expect(job).toMatchObject({ state: 'succeeded', result: { provider: 'find-1', cost: 100 } });
  expect(trial.server.asked('find-1')).toBe(1);
  expect(trial.server.paid).toHaveLength(1);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 100 });
});
