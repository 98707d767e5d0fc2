import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineJob, type RunContext } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import { expect, test } from 'vitest';
import { bounds } from '#packages/worker/src/story/bounds.ts';
import { MOST_JOB_BYTES, MOST_NAME_CHARACTERS, MOST_STEP_BYTES, MOST_STEPS } from '#src/jobs/model/step-bounds.ts';
import { runCommand, testFolder, until } from '#test/helpers/processes.ts';
import { openApi } from './open-api.ts';
import { fromSource } from './readme-files.ts';

test('a story goes on behind its steps after a sleep and a signal', async () => {
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
  expect(await job.signal('paid', { amount: 42 }, { idempotencyKey: 'once' })).toMatchObject({ accepted: false });
  expect(await job.result()).toEqual({ price: 42, paid: { amount: 42 } });
  expect(calls).toEqual(['price in 1', 'ship']);
  const types: string[] = [];
  for await (const { type, id } of job.events()) if (id !== undefined) types.push(type);
  expect(types).toEqual(expect.arrayContaining(['queued', 'started', 'waiting', 'signalled', 'succeeded']));
});

test('a worker that is killed is followed by another one, which goes on behind the steps that were kept', async () => {
  await using open = await openApi({ LEASE_MS: '4000' });
  using folder = testFolder();
  const own = join(folder.path, 'worker');
  mkdirSync(own);
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(own, 'node_modules'));
  writeFileSync(join(own, 'package.json'), '{ "type": "module" }');
  const program = `import { defineJob, serve } from '@proofline/worker';
    const run = async ({ step }) => {
      const first = await step('first', () => process.pid);
      console.log('kept', first);
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    };
    await serve([defineJob({ name: 'acme.die', payload: true, attempts: 1, run })]);`;
  writeFileSync(join(own, 'worker.ts'), program);
  const env = { PROOFLINE_URL: open.url, PROOFLINE_KEY: open.key };
  await using first = runCommand(process.execPath, [...fromSource, 'worker.ts'], env, own);
  await first.printed(/info registered/);
  const job = await open.client.submit('acme.die', null);
  await first.printed(/kept \d+/);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = defineJob({
    name: 'acme.die',
    payload: true,
    attempts: 1,
    run: async ({ step, attempt }) => [await step('first', () => 'again'), attempt > 1],
  });
  await open.serve([second]);
  expect(await job.result()).toEqual([first.child.pid, true]);
  expect(await job.job()).toMatchObject({ failures: 0 });
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

test('error: a step, a wait or a child inside a step fails the job at its first attempt', async () => {
  await using open = await openApi();
  const inside = {
    step: async ({ step }) => await step('inner', () => 1),
    sleep: async ({ sleep }) => await sleep('inner', '1s'),
    signal: async ({ waitFor }) => await waitFor('inner'),
    submit: async ({ submit }) => await submit('acme.nest-parts', 'step', { name: 'inner' }),
    result: async ({ result }) => await result({ id: crypto.randomUUID(), name: 'inner' }),
  } satisfies Record<string, (context: RunContext) => Promise<unknown>>;
  const nesting = defineJob({
    name: 'acme.nest-parts',
    payload: { type: 'string' },
    run: async (context) => {
      const make = inside[context.payload as keyof typeof inside];
      await context.step('outer', async () => void (await make(context)));
    },
  });
  await open.serve([nesting]);
  for (const kind of Object.keys(inside)) {
    const job = await open.client.submit(nesting, kind);
    await expect(job.result(), kind).rejects.toMatchObject({
      code: 'step_nested',
      message: expect.stringContaining('was asked for inside outer: no step holds another one'),
    });
    expect(await job.job(), kind).toMatchObject({ state: 'failed', attempt: 1 });
  }
});

test('error: a job beyond the bounds of its steps fails in a test as it does live', async () => {
  await using open = await openApi();
  const tooMuch = defineJob({
    name: 'acme.take-much',
    payload: { type: 'string' },
    run: async ({ payload, step }) => {
      if (payload === 'value') return await step('large', () => 'x'.repeat(1 << 20));
      return await step(payload === 'name' ? 'n'.repeat(201) : 'a\u0007b', () => 1);
    },
  });
  await open.serve([tooMuch]);
  for (const payload of ['value', 'name', 'bell']) {
    const { error } = await harness(tooMuch, payload);
    const live = await open.client.submit(tooMuch, payload);
    await expect(live.result(), payload).rejects.toMatchObject({ code: error?.code, message: error?.message });
  }
  expect(bounds).toEqual({
    steps: MOST_STEPS,
    stepBytes: MOST_STEP_BYTES,
    jobBytes: MOST_JOB_BYTES,
    nameCharacters: MOST_NAME_CHARACTERS,
  });
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
