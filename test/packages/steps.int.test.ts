import { defineJob } from '@proofline/worker';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { openApi } from './open-api.ts';

test('a story goes on behind its steps after waits, signals and a worker that died', async () => {
  await using open = await openApi();
  const calls: string[] = [];
  const begun = Promise.withResolvers<void>();
  const order = defineJob({
    name: 'acme.fulfil-order',
    payload: true,
    run: async ({ step, effect, sleep, waitFor, attempt }) => {
      const price = await step('price', () => {
        calls.push(`price in ${attempt}`);
        return 42;
      });
      await sleep('a moment', 50);
      begun.resolve();
      const paid = await waitFor<{ amount: number }>('paid', { timeout: '1h' });
      await effect('ship', { amount: paid.amount }, () => calls.push('ship'));
      return { price, paid };
    },
  });
  await open.serve([order]);
  const job = await open.client.submit(order, null);
  await begun.promise;
  expect(await job.signal('paid', { amount: 42 }, { idempotencyKey: 'once' })).toMatchObject({ accepted: true });
  expect(await job.signal('paid', { amount: 43 }, { idempotencyKey: 'once' })).toMatchObject({ accepted: false });
  expect(await job.result()).toEqual({ price: 42, paid: { amount: 42 } });
  expect(calls).toEqual(['price in 1', 'ship']);
  const types: string[] = [];
  for await (const { type, id } of job.events()) if (id !== undefined) types.push(type);
  expect(types).toEqual(expect.arrayContaining(['queued', 'started', 'waiting', 'signalled', 'succeeded']));
});

test('children are made once, and their results are waited for without a process', async () => {
  await using open = await openApi();
  const part = defineJob({
    name: 'acme.count-part',
    payload: { type: 'integer' },
    result: { type: 'integer' },
    run: ({ payload }) => payload * 2,
  });
  const failing = defineJob({
    name: 'acme.fail-part',
    payload: true,
    attempts: 1,
    run: () => {
      throw new Error('no part');
    },
  });
  const whole = defineJob({
    name: 'acme.count-whole',
    payload: true,
    run: async ({ submit, result }) => {
      const children = await Promise.all([1, 2, 3].map(async (n) => await submit(part, n, { name: `part ${n}` })));
      const broken = await submit(failing, null, { name: 'broken' });
      const sums = await Promise.all(children.map(async (child) => await result(child)));
      return [...sums, await result(broken).catch((error: Error) => error.name)];
    },
  });
  await open.serve([part, failing, whole]);
  const job = await open.client.submit(whole, null);
  expect(await job.result()).toEqual([2, 4, 6, 'ChildFailed']);
});

test('error: a story that changed between two releases fails, and names the step', async () => {
  await using open = await openApi();
  const release = (name: string) =>
    defineJob({
      name: 'acme.change-story',
      payload: true,
      run: async ({ step, waitFor }) => {
        await step(name, () => 1);
        await waitFor('go');
      },
    });
  const first = await open.serve([release('charge')]);
  const job = await open.client.submit('acme.change-story', null);
  await until(async () => (await job.job()).state === 'waiting');
  first.stop();
  await first.ended;
  await open.serve([release('charge card')]);
  await job.signal('go');
  await expect(job.result()).rejects.toMatchObject({
    code: 'steps_diverged',
    message: expect.stringContaining('charge'),
  });
});

test('error: a job that waits may be cancelled, and a signal that does not come is told', async () => {
  await using open = await openApi();
  const waiting = defineJob({
    name: 'acme.wait-long',
    payload: true,
    run: async ({ waitFor }) => await waitFor('never', { timeout: 200 }),
  });
  await open.serve([waiting]);
  const job = await open.client.submit(waiting, null);
  await expect(job.result()).rejects.toMatchObject({ code: 'wait_timed_out' });
  const patient = defineJob({
    name: 'acme.wait-longer',
    payload: true,
    run: async ({ sleep }) => await sleep('long', '1h'),
  });
  await open.serve([patient]);
  const other = await open.client.submit(patient, null);
  await until(async () => (await other.job()).state === 'waiting');
  expect(await other.cancel()).toMatchObject({ state: 'cancelled' });
});
