import { defineJob } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import { expect, test } from 'vitest';

type Run = Parameters<typeof defineJob>[0]['run'];
const jobOf = (run: Run) => defineJob({ name: 'acme.story', payload: true, run });

const sentence = (name: string, outer = 'outer') =>
  `The step ${name} was asked for inside ${outer}: no step holds another one, so ask for it before or behind.`;

test.each<[inner: string, run: Run]>([
  ['inner', async ({ step }) => await step('outer', async () => await step('inner', () => 1))],
  ['inner', async ({ step, effect }) => await step('outer', async () => await effect('inner', 1, () => 1))],
  ['inner', async ({ step, sleep }) => await step('outer', async () => await sleep('inner', '1s'))],
  ['inner', async ({ step, waitFor }) => await step('outer', async () => await waitFor('inner'))],
  ['inner', async ({ step, submit }) => await step('outer', () => submit('acme.part', 1, { name: 'inner' }))],
  ['inner', async ({ step, effect }) => await effect('outer', 1, async () => await step('inner', () => 1))],
  ['inner', async ({ sleep, effect }) => await effect('outer', 1, async () => await sleep('inner', '1s'))],
  [
    'part.result',
    async ({ step, submit, result }) => {
      const child = await submit('acme.part', 1, { name: 'part' });
      return await step('outer', async () => await result(child));
    },
  ],
])('error: %s inside the function of a step or an effect fails the job at once: %s', async (inner, run) => {
  const ended = await harness(jobOf(run), null);
  expect(ended).toMatchObject({ state: 'failed', attempt: 1 });
  expect(ended.error).toEqual({
    code: 'step_nested',
    message: sentence(inner),
    details: { name: inner, inside: 'outer' },
  });
});

test('error: a step inside another one fails the job whatever becomes of the error, and the outer one is not kept', async () => {
  const job = jobOf(async ({ step, sleep }) => {
    const value = await step('outer', async () => await step('inner', () => 1).catch(() => 'swallowed'));
    await sleep('a while', '1h');
    return value;
  });
  const run = await harness(job, null);
  expect(run).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'step_nested' }, steps: [] });
});

test('steps side by side, behind one another, and from what an ended step has left running are not nested', async () => {
  const job = jobOf(async ({ step, effect }) => {
    const ended = Promise.withResolvers<void>();
    let left: Promise<number> | undefined;
    await Promise.all([
      step('a', async () => await Promise.resolve(1)),
      step('b', () => 2),
      effect('c', 3, async () => await Promise.resolve(3)),
    ]);
    await step('leaves', () => {
      // goes on in the context of the step that began it
      left = ended.promise.then(() => step('behind', () => 4));
      return null;
    });
    ended.resolve();
    return await left;
  });
  const run = await harness(job, null);
  expect([run.state, run.error, run.result]).toEqual(['succeeded', null, 4]);
});

test('a job that is tried in memory inside a step of another one has steps of its own', async () => {
  const inner = jobOf(async ({ step }) => await step('own', () => 7));
  const outer = jobOf(async ({ step }) => await step('try it', async () => (await harness(inner, null)).result));
  expect(await harness(outer, null)).toMatchObject({ state: 'succeeded', result: 7 });
});
