import { defineJob, JobError } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import { expect, test } from 'vitest';

const jobOf = (run: Parameters<typeof defineJob>[0]['run']) => defineJob({ name: 'acme.story', payload: true, run });

test('a step runs once: attempts after a crash get what it gave', async () => {
  const calls: string[] = [];
  const job = jobOf(async ({ step, attempt }) => {
    const first = await step('first', () => {
      calls.push(`first in ${attempt}`);
      return { at: new Date(0), nothing: undefined };
    });
    const second = await step('second', async () => {
      calls.push(`second in ${attempt}`);
      return 2;
    });
    return { first, second };
  });
  const run = await harness(job, null, { pauseAt: 'second' });
  expect([run.state, calls]).toEqual(['running', ['first in 1', 'second in 1']]);
  await run.crash();
  // the outcome of the second was not kept when the process died
  expect(calls).toEqual(['first in 1', 'second in 1', 'second in 2']);
  // through JSON, in the first run as in a later one
  expect(run.result).toEqual({ first: { at: '1970-01-01T00:00:00.000Z' }, second: 2 });
  expect(run).toMatchObject({ state: 'succeeded', attempt: 2, failures: 0 });
  expect(run.steps).toMatchObject([
    { name: 'first', kind: 'step', n: 1, after: 0 },
    { name: 'second', kind: 'step', n: 2, after: 1, value: 2 },
  ]);
});

test('a step that is held goes on with resume, and the time of a crash changes nothing', async () => {
  const job = jobOf(async ({ step }) => await step('only', () => 1));
  const run = await harness(job, null, { pauseAt: 'only' });
  await run.resume();
  expect(run).toMatchObject({ state: 'succeeded', attempt: 1, result: 1 });
  await expect(run.resume()).rejects.toThrow(/expected an attempt that is held, got a job that is succeeded/);
  await expect(run.crash()).rejects.toThrow(/expected a job that has not ended for a crash/);
});

test('steps that begin together know of none of the others, and those behind them of all', async () => {
  const job = jobOf(async ({ step }) => {
    await Promise.all([step('a', () => 1), step('b', async () => 2), step('c', () => 3)]);
    await step('d', () => 4);
  });
  const run = await harness(job, null);
  expect(run.steps.map(({ name, after }) => [name, after])).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 0],
    ['d', 3],
  ]);
});

test('branches that were cut at any step go on without being taken for a changed story', async () => {
  const branch = async (step: Parameters<typeof job.run>[0]['step'], name: string) => {
    for (let n = 1; n <= 3; n += 1) {
      await step(`${name}${n}`, () => n);
      // a run may wait for other things between its steps
      await new Promise((resolve) => setTimeout(resolve, n));
    }
  };
  const job = jobOf(async ({ step }) => {
    await Promise.all([branch(step, 'a'), branch(step, 'b')]);
    return 'done';
  });
  for (const pauseAt of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) {
    const run = await harness(job, null, { pauseAt });
    await run.crash();
    expect([pauseAt, run.state, run.error, run.steps.length]).toEqual([pauseAt, 'succeeded', null, 6]);
  }
});

test('error: a failed attempt is repeated after its backoff, with the steps it has done, until none is left', async () => {
  let calls = 0;
  const job = defineJob({
    name: 'acme.story',
    payload: true,
    attempts: 3,
    backoff: { first: '1s', cap: '90s' },
    run: async ({ step, job: { failures } }) => {
      await step('once', () => {
        calls += 1;
      });
      throw new Error(`no, ${failures}`);
    },
  });
  const run = await harness(job, null, { now: new Date(0) });
  expect(run).toMatchObject({ state: 'queued', failures: 1, error: { message: 'no, 0' } });
  await run.advance('999ms');
  expect(run.attempt).toBe(1);
  await run.advance(1);
  expect(run).toMatchObject({ state: 'queued', attempt: 2 });
  await run.advance();
  expect(run).toMatchObject({ state: 'failed', attempt: 3, failures: 3 });
  expect(run.now).toEqual(new Date(3_000));
  expect(calls).toBe(1);
});

test('error: a failure that another attempt cannot mend ends the job at once, with its code and details', async () => {
  const job = jobOf(() => {
    throw new JobError('no_image', 'There is no image.', { retryable: false, details: { url: 'x' } });
  });
  const run = await harness(job, null);
  expect(run).toMatchObject({ state: 'failed', attempt: 1 });
  expect(run.error).toEqual({ code: 'no_image', message: 'There is no image.', details: { url: 'x' } });
});

test('error: a name that is asked for twice fails the job, whatever the run makes of it', async () => {
  const job = jobOf(async ({ step, effect }) => {
    await step('same', () => 1);
    await effect('same', null, () => 1).catch(() => {});
    return 'went on';
  });
  const run = await harness(job, null);
  expect(run).toMatchObject({
    state: 'failed',
    error: { code: 'step_repeated', message: expect.stringContaining('The name same was asked for twice') },
  });
});

test('error: what JSON cannot say fails the job, and names the step', async () => {
  const run = await harness(
    jobOf(async ({ step }) => await step('count', () => 1n)),
    null,
  );
  expect(run.error).toMatchObject({
    code: 'invalid_value',
    message: expect.stringMatching(/^the step count: expected a value that JSON can say.*BigInt/),
  });
  const ended = await harness(
    jobOf(() => 1n),
    null,
  );
  expect(ended.error).toMatchObject({ code: 'invalid_value', message: expect.stringMatching(/^the result: /) });
});

test.each([
  ['a function', () => () => 1],
  ['a symbol', () => Symbol('x')],
  [
    'a generator',
    function* () {
      yield 1;
    },
  ],
  [
    'an async generator, or another stream',
    async function* () {
      yield 1;
    },
  ],
])('error: %s is no result, and no value of a step', async (kind, made) => {
  const expected = (place: string) => ({
    code: 'invalid_value',
    message: `${place}: expected a value that JSON can say, got ${kind}.`,
  });
  const whole = await harness(jobOf(made as never), null);
  expect([whole.state, whole.attempt, whole.error]).toEqual(['failed', 1, expected('the result')]);
  const step = await harness(
    jobOf(async (context) => await context.step<unknown>('s', made as never)),
    null,
  );
  expect([step.state, step.attempt, step.error]).toEqual(['failed', 1, expected('the step s')]);
});

test('error: steps beyond their bounds are refused, and fail the job', async () => {
  const large = await harness(
    jobOf(async ({ step }) => await step('large', () => 'x'.repeat(1 << 20))),
    null,
  );
  expect(large).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'step_too_large' } });
  const many = await harness(
    jobOf(async ({ step }) => {
      for (let n = 0; n < 10_001; n += 1) await step(`${n}`, () => n);
    }),
    null,
  );
  expect(many).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'too_many_steps' } });
  expect(many.steps).toHaveLength(10_000);
});

test('a rejected step that a run does not look at is no fault of the process', async () => {
  const job = jobOf(async ({ step }) => {
    void step('unseen', () => {
      throw new Error('nobody looks');
    });
    await step('seen', () => 1);
    return 'done';
  });
  expect(await harness(job, null)).toMatchObject({ state: 'succeeded', result: 'done' });
});
