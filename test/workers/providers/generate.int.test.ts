import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { admit, report } from '#src/providers/calls/admission.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { until } from '#test/helpers/processes.ts';
import { keep } from '#test/providers/asset-world.ts';
import { generating } from './generating.ts';

/** Reports failures until nobody is let through to a provider. */
async function openCircuit(context: Context, provider: Provider): Promise<void> {
  for (;;) {
    const admission = await admit(context, provider, 'image.generate');
    if (!admission.admitted) return;
    await report(context, admission, 'failed');
  }
}

test('what a provider makes is kept under its name, and costs what was billed', async () => {
  await using trial = await generating(['exchange-1', 'exchange-2']);
  trial.server.bills('exchange-1', 80);
  await trial.fleet();
  const { result, state } = await trial.system.ended((await trial.ask()).id);
  expect(state).toBe('succeeded');
  expect(result).toMatchObject({
    provider: 'exchange-1',
    assets: [
      { name: 'cover', kind: 'text', mediaType: 'text/plain' },
      { name: 'cover-small', kind: 'text', mediaType: 'text/plain' },
    ],
    cost: 80,
    tried: [],
    text: 'what it said',
  });
  const thumbnails = await trial.system.context.db.anyFirst(sql.unsafe`
    select t.name from assets a join assets t on t.id = a.thumbnail where a.name = 'cover'`);
  expect(thumbnails).toEqual(['cover-small']);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 80 });
  expect(trial.server.asked('exchange-2')).toBe(0);
  const counted = await trial.system.context.metrics.proofline_provider_calls_total.get();
  expect(counted.values).toMatchObject([{ value: 1, labels: { provider: 'exchange-1', outcome: 'succeeded' } }]);
});

test('what a provider cannot do the next one is asked for; what the first may be owed stays reserved', async () => {
  await using trial = await generating([
    'exchange-open',
    'local',
    'exchange-busy',
    'exchange-broken',
    'task-1',
    'exchange-4',
  ]);
  await openCircuit(trial.system.context, trial.provider('exchange-open'));
  trial.server.turn('exchange-busy', 'busy');
  trial.server.turn('exchange-broken', 'break');
  trial.server.finish('task-1');
  await trial.fleet();
  const job = await trial.ask();
  const { result } = await trial.system.ended(job.id);
  expect(result).toMatchObject({
    provider: 'task-1',
    cost: 100,
    tried: [
      { provider: 'exchange-open', reason: expect.stringMatching(/^it failed too often and is not called before 20/) },
      { provider: 'local', reason: 'Nothing here speaks local-animatic.' },
      { provider: 'exchange-busy', reason: 'exchange-busy is busy: come again.' },
      { provider: 'exchange-broken', reason: 'exchange-broken failed: it broke.' },
    ],
  });
  expect(await trial.calls(job)).toEqual(['exchange-busy released', 'exchange-broken unknown', 'task-1 settled']);
  expect(await trial.money()).toEqual({ reserved: 100, spent: 100 });
});

test('what a provider refuses no other is asked for', async () => {
  await using trial = await generating(['exchange-1', 'exchange-2']);
  trial.server.turn('exchange-1', 'refuse');
  await trial.fleet();
  const { error, attempt } = await trial.system.ended((await trial.ask()).id);
  expect({ code: error?.code, attempt }).toEqual({ code: 'provider_refused', attempt: 1 });
  expect(trial.server.asked('exchange-2')).toBe(0);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 0 });
});

test('error: when nobody is left, every provider and its reason is named; a call that may be owed is not repeated', async () => {
  await using trial = await generating(['exchange-1', 'exchange-2', 'once-exchange']);
  trial.server.turn('exchange-1', 'busy');
  trial.server.turn('exchange-2', 'break');
  trial.server.turn('once-exchange', 'break');
  await trial.fleet();
  const { error, failures } = await trial.system.ended((await trial.ask()).id);
  expect(error).toMatchObject({
    code: 'providers_exhausted',
    message:
      'expected one of 3 providers to make it, got none: exchange-1 (exchange-1 is busy: come again), exchange-2 (exchange-2 failed: it broke), once-exchange (once-exchange failed: it broke).',
  });
  expect(failures).toBe(5);
  expect(['exchange-1', 'exchange-2', 'once-exchange'].map(trial.server.asked)).toEqual([5, 1, 5]);
  expect(trial.server.paid).toHaveLength(2);
  expect(await trial.money()).toEqual({ reserved: 200, spent: 0 });
});

test('error: what starts from an asset that the owner does not have is not asked for', async () => {
  await using trial = await generating(['exchange-1']);
  await trial.fleet();
  const { context } = trial.system;
  const [own, others] = [await keep(context, { owner: 'alice' }), await keep(context, { owner: 'bob' })];
  const from = (id: string) => ({ request: { prompt: 'one more', inputs: { images: [id] } } });
  const jobs = [await trial.ask(from(own.id)), await trial.ask(from(others.id))] as const;
  expect(await trial.system.ended(jobs[0].id)).toMatchObject({ state: 'succeeded' });
  expect(await trial.system.ended(jobs[1].id)).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
  expect(trial.server.asked('exchange-1')).toBe(1);
});

test('error: calls above the ceiling are not made, and it is the budget that refuses', async () => {
  await using trial = await generating(['exchange-1', 'exchange-2'], 99);
  await trial.fleet();
  const { error, attempt } = await trial.system.ended((await trial.ask()).id);
  expect({ code: error?.code, attempt }).toEqual({ code: 'budget_exceeded', attempt: 1 });
  expect(error?.message).toContain('has left of $0.000099');
  expect(trial.server.paid).toEqual([]);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 0 });
});

test('a provider that the ceiling cannot pay is passed over, and a cheaper one makes it', async () => {
  await using trial = await generating(['exchange-1', 'exchange-2'], 99);
  await trial.fleet();
  const route = [
    { provider: 'exchange-1', quoted: 100 },
    { provider: 'exchange-2', quoted: 20 },
  ];
  trial.server.bills('exchange-2', 20);
  const { state, result } = await trial.system.ended((await trial.ask({ route })).id);
  expect(state).toBe('succeeded');
  expect(result).toMatchObject({ provider: 'exchange-2', cost: 20, tried: [{ provider: 'exchange-1' }] });
  expect(trial.server.asked('exchange-1')).toBe(0);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 20 });
});

test('error: a bill that breaks the ceiling is recorded in full, and fails the job with both numbers', async () => {
  await using trial = await generating(['exchange-1'], 150);
  trial.server.bills('exchange-1', 190);
  await trial.fleet();
  const { error, attempt } = await trial.system.ended((await trial.ask()).id);
  expect({ code: error?.code, attempt }).toEqual({ code: 'budget_exceeded', attempt: 1 });
  expect(error?.message).toBe(
    'expected exchange-1 to bill at most the $0.000100 that it was quoted at, got $0.000190: the budget job:1 of $0.000150 holds $0.000190 spent and $0.000000 reserved now.',
  );
  expect(await trial.money()).toEqual({ reserved: 0, spent: 190 });
});

test('error: what was paid and cannot be kept is not paid again', async () => {
  await using trial = await generating(['exchange-1', 'once-exchange']);
  await trial.fleet();
  const route = (provider: string) => ({ name: 'full', route: [{ provider, quoted: 100 }] });
  const jobs = [await trial.ask(route('exchange-1')), await trial.ask(route('once-exchange'))];
  for (const { id } of jobs)
    expect(await trial.system.ended(id)).toMatchObject({ error: { code: 'storage_full' }, failures: 5 });
  expect(trial.server.asked('exchange-1')).toBe(1);
  expect(trial.server.paid.map(({ provider }) => provider).toSorted()).toEqual(['exchange-1', 'once-exchange']);
  // the second may still be had for its key
  expect(await trial.money()).toEqual({ reserved: 100, spent: 100 });
});

test('a job that is cancelled cancels its task at the provider', async () => {
  await using trial = await generating(['task-1']);
  await trial.fleet();
  const job = await trial.ask();
  await until(async () => (await trial.task(job)) === 'task-1-1');
  await cancelJob(trial.system.context, job.id, 'op');
  await until(() => trial.server.paid[0]?.cancelled === true);
  await until(async () => (await trial.calls(job))[0] === 'task-1 unknown');
  expect(await trial.money()).toEqual({ reserved: 100, spent: 0 });
});

test('a job that is cancelled while its task is being submitted finds it, and cancels it', async () => {
  await using trial = await generating(['find-1']);
  trial.server.turn('find-1', 'hold');
  await trial.fleet();
  const job = await trial.ask();
  await until(() => trial.server.paid.length === 1);
  await cancelJob(trial.system.context, job.id, 'op');
  await until(() => trial.server.paid[0]?.cancelled === true);
  expect(trial.server.asked('find-1')).toBe(1);
});

test('a drain leaves a task to the next fleet, which fetches the same one', async () => {
  await using trial = await generating(['task-1']);
  const first = await trial.fleet();
  const job = await trial.ask();
  await until(async () => (await trial.task(job)) !== null);
  await first.drain();
  trial.server.finish('task-1');
  await trial.fleet();
  expect(await trial.system.ended(job.id)).toMatchObject({ state: 'succeeded', attempt: 2, failures: 0 });
  expect(trial.server.paid).toMatchObject([{ cancelled: false }]);
  expect(await trial.money()).toEqual({ reserved: 0, spent: 100 });
});
