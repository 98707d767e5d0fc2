import { defineJob, EffectRefused } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import { expect, test } from 'vitest';

/** A job of one effect, which counts its calls and fails as told. */
function charging(kind: 'idempotent' | 'neither', fail?: (call: number) => unknown) {
  const keys: string[] = [];
  const job = defineJob({
    name: 'acme.charge',
    payload: true,
    run: async ({ effect }) => {
      const send = ({ key, request }: { key: string; request: { amount: number } }) => {
        keys.push(key);
        const fault = fail?.(keys.length);
        if (fault !== undefined) throw fault;
        return { charged: request.amount, id: `ch-${keys.length}` };
      };
      return await effect('charge', { amount: 5 }, send, {
        kind,
        externalId: ({ id }) => id,
        costUsd: ({ charged }) => charged / 100,
      });
    },
  });
  return { job, keys };
}

test('an effect is kept with its intent, its outcome and the name that the other side gave it', async () => {
  const { job, keys } = charging('neither');
  const run = await harness(job, null);
  expect(run.result).toEqual({ charged: 5, id: 'ch-1' });
  expect(run.effects).toEqual([
    {
      name: 'charge',
      state: 'done',
      key: keys[0],
      request: { amount: 5 },
      outcome: { charged: 5, id: 'ch-1' },
      externalId: 'ch-1',
      costUsd: 0.05,
    },
  ]);
});

test('after a crash before its outcome was kept, an idempotent effect is made again under the same key', async () => {
  const { job, keys } = charging('idempotent');
  const run = await harness(job, null, { pauseAt: 'charge' });
  await run.crash();
  expect(run).toMatchObject({ state: 'succeeded', attempt: 2 });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('error: any other effect is not made again: the job fails, and a human looks', async () => {
  const { job, keys } = charging('neither');
  const run = await harness(job, null, { pauseAt: 'charge' });
  await run.crash();
  expect(run).toMatchObject({
    state: 'failed',
    attempt: 2,
    failures: 1,
    error: { code: 'outcome_unknown', details: { effect: 'charge' } },
  });
  expect(keys).toHaveLength(1);
  expect(run.effects).toMatchObject([{ state: 'unknown' }]);
});

test('an effect that was refused for certain is made again by the next attempt', async () => {
  const { job, keys } = charging('neither', (call) => (call === 1 ? new EffectRefused('card declined') : undefined));
  const run = await harness(job, null);
  expect(run).toMatchObject({ state: 'queued', error: { message: 'card declined' } });
  expect(run.effects).toMatchObject([{ state: 'failed' }]);
  await run.advance();
  expect(run).toMatchObject({ state: 'succeeded', attempt: 2 });
  expect(keys).toHaveLength(2);
});

test('error: an effect that threw may have happened: it is not made again', async () => {
  const { job, keys } = charging('neither', () => new Error('connection reset'));
  const run = await harness(job, null);
  expect(run).toMatchObject({ state: 'queued', error: { message: 'connection reset' } });
  await run.advance();
  expect(run).toMatchObject({ state: 'failed', error: { code: 'outcome_unknown' } });
  expect(keys).toHaveLength(1);
});

test('an effect that is done gives its outcome to later attempts', async () => {
  let calls = 0;
  const job = defineJob({
    name: 'acme.charge',
    payload: true,
    run: async ({ effect, sleep }) => {
      const outcome = await effect('charge', {}, () => {
        calls += 1;
        return calls;
      });
      await sleep('a while', '1h');
      return outcome;
    },
  });
  const run = await harness(job, null);
  await run.advance('1h');
  expect([run.result, calls]).toEqual([1, 1]);
});

test('error: a name belongs to one request', async () => {
  const job = defineJob({
    name: 'acme.charge',
    payload: true,
    run: async ({ effect, attempt, sleep }) => {
      await effect('charge', { amount: attempt }, () => 1);
      await sleep('a while', '1h');
    },
  });
  const run = await harness(job, null);
  await run.advance('1h');
  expect(run).toMatchObject({ state: 'failed', error: { code: 'state_conflict' } });
});

test.each([-1, Number.NaN, 1e9])(
  'error: an effect with a cost of %d is kept without it, and the job says so',
  async (cost) => {
    const job = defineJob({
      name: 'acme.pay',
      payload: true,
      run: async ({ effect }) => await effect('pay', {}, () => 'paid', { costUsd: () => cost }),
    });
    const run = await harness(job, null);
    expect(run).toMatchObject({ state: 'failed', error: { code: 'invalid_cost' } });
    expect(run.effects).toEqual([expect.not.objectContaining({ costUsd: expect.anything() })]);
    expect(run.effects).toMatchObject([{ state: 'done', outcome: 'paid' }]);
  },
);
