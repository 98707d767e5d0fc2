import { expect, test } from 'vitest';
import { startActingFleet } from '#test/http/jobs/acting-fleet.ts';
import { fence } from '#test/http/workers/remote.ts';
import { count, double, type FlowApi, flowApi, sum, usual } from './flow-api.ts';

const figuresOf = async (api: FlowApi, flow: string, node: string) => {
  const { state, total, succeeded, failed, cancelled } = (await api.read(flow)).nodes.find(
    ({ name }: { name: string }) => name === node,
  );
  return { state, total, succeeded, failed, cancelled };
};

const broken = () => {
  throw new Error('the cause');
};

/** Takes one job of the fan-out and fails it. */
const failOne = async (api: FlowApi): Promise<string> => {
  const worker = await api.worker([{ name: 'acme.double-number' }], 1);
  const [first] = await worker.take(1);
  const error = { code: 'told_to', message: 'no' };
  await worker.report({ ...fence(first!), type: 'failed', error, retryable: false });
  await worker.leave();
  return first!.id;
};

/** Redrives a job by itself. */
const redriveOne = async (api: FlowApi, job: string): Promise<void> => {
  const answer = await api.call('POST', `/v1/jobs/${job}/redrive`);
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
};

/** Acts on jobs among many, and waits for the end of the action. */
const actOn = async (api: FlowApi, action: string, ids: readonly string[]): Promise<void> => {
  const fleet = await startActingFleet(api.context);
  try {
    const preview = { action, filter: { ids }, preview: true };
    const { token } = (await api.call('POST', '/v1/jobs/actions', preview)).json();
    const begun = (await api.call('POST', '/v1/jobs/actions', { token })).json();
    await expect.poll(async () => (await api.job(begun.id)).state, { timeout: 20_000 }).toBe('succeeded');
    expect((await api.job(begun.id)).result).toMatchObject({ done: ids.length });
  } finally {
    await fleet.drain();
  }
};

const redriveAmongMany = async (api: FlowApi, job: string): Promise<void> => await actOn(api, 'redrive', [job]);

test.for([
  ['by itself', redriveOne],
  ['among many', redriveAmongMany],
] as const)(
  'a job that is redriven %s while its node runs is counted once',
  { timeout: 60_000 },
  async ([_how, redrive]) => {
    await using api = await flowApi();
    const id = await api.flow([count, { ...double, on_failure: 'continue' }, sum]);
    // one of five fails, and the others wait
    {
      await using _counts = await api.work({ 'acme.count-up': usual['acme.count-up']! });
      await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ state: 'running', total: 5 });
    }
    const first = await failOne(api);
    await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ state: 'running', failed: 1 });
    await redrive(api, first);
    await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ state: 'running', failed: 0 });
    await using _all = await api.work(usual);
    expect(await api.over(id)).toMatchObject({ state: 'succeeded', result: { sum: { sum: 20 } } });
    expect(await figuresOf(api, id, 'double')).toEqual({
      state: 'succeeded',
      total: 5,
      succeeded: 5,
      failed: 0,
      cancelled: 0,
    });
  },
);

test('a node that failed early counts its other jobs too, which are cancelled with the flow', async () => {
  await using api = await flowApi();
  const id = await api.flow([count, double, sum]);
  {
    await using _worker = await api.work({ 'acme.count-up': usual['acme.count-up']! });
    await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ state: 'running', total: 5 });
  }
  await failOne(api);
  expect((await api.over(id)).state).toBe('failed');
  await expect
    .poll(async () => await figuresOf(api, id, 'double'))
    .toEqual({ state: 'failed', total: 5, succeeded: 0, failed: 1, cancelled: 4 });
});

test('jobs that failed in a flow which succeeded without them are redriven: none is cancelled, and the figures follow', async () => {
  await using api = await flowApi();
  const id = await api.flow([count, { ...double, on_failure: 'continue' }]);
  {
    await using _worker = await api.work({
      ...usual,
      'acme.double-number': ({ n }) => (n < 2 ? broken() : { n: 2 * n }),
    });
    await api.over(id);
  }
  const { children } = (await api.call('GET', `/v1/jobs/${id}/timeline`)).json();
  const failed = children
    .filter(({ state }: { state: string }) => state === 'failed')
    .map(({ id: job }: { id: string }) => job);
  expect(failed).toHaveLength(2);
  for (const job of failed) await redriveOne(api, job);
  await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ succeeded: 3, failed: 0 });
  await using _worker = await api.work(usual);
  for (const job of failed) await expect.poll(async () => (await api.job(job)).state).toBe('succeeded');
  await expect
    .poll(async () => await figuresOf(api, id, 'double'))
    .toMatchObject({ total: 5, succeeded: 5, failed: 0 });
  expect((await api.read(id)).state).toBe('succeeded');
});

test('jobs that expire, and jobs of a flow that is cancelled, are counted as cancelled, once', {
  timeout: 60_000,
}, async () => {
  await using api = await flowApi();
  const id = await api.flow([count, { ...double, on_failure: 'continue' }]);
  {
    await using _worker = await api.work({ 'acme.count-up': usual['acme.count-up']! });
    await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ state: 'running', total: 5 });
  }
  const { children } = (await api.call('GET', `/v1/jobs/${id}/timeline`)).json();
  const waiting = children.flatMap(({ id: job, state }: { id: string; state: string }) =>
    state === 'queued' ? [job] : [],
  );
  await actOn(api, 'expire', waiting.slice(0, 2));
  await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ state: 'running', cancelled: 2 });
  expect((await api.call('DELETE', `/v1/flows/${id}`)).statusCode).toBe(200);
  await expect.poll(async () => await figuresOf(api, id, 'double')).toMatchObject({ state: 'cancelled', cancelled: 5 });
});
