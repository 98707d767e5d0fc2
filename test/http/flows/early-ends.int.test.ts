import { expect, test } from 'vitest';
import { readNodes } from '#src/jobs/flows/flow-rows.ts';
import { count, double, flowApi, sum, usual } from './flow-api.ts';

test('a flow that was cancelled runs its rest again, also before all of its jobs have been cancelled', async () => {
  await using api = await flowApi();
  const idle = { name: 'idle', queue: 'acme.resize-image', payload: { width: 1 } };
  const id = await api.flow([count, double, idle, sum]);
  {
    await using _worker = await api.work({ 'acme.count-up': usual['acme.count-up']! });
    await expect.poll(async () => (await api.states(id))['double']).toBe('running');
  }
  expect((await api.call('DELETE', `/v1/flows/${id}`)).statusCode).toBe(200);
  expect((await api.call('POST', `/v1/flows/${id}/redrive`)).json()).toMatchObject({ state: 'queued' });
  let counted = 0;
  await using _all = await api.work({
    ...usual,
    'acme.resize-image': () => ({ bytes: 1 }),
    'acme.count-up': () => ({ list: [++counted] }),
  });
  expect(await api.over(id)).toMatchObject({ state: 'succeeded', result: { sum: { sum: 20 }, idle: { bytes: 1 } } });
  expect(counted).toBe(0);
  expect((await api.call('POST', `/v1/flows/${id}/redrive`)).statusCode).toBe(409);
});

test('a flow that was cancelled in the middle shows no node under way', async () => {
  await using api = await flowApi();
  const id = await api.flow([count, double]);
  await expect.poll(async () => (await api.read(id)).nodes[0].job_id).not.toBeNull();
  expect((await api.call('DELETE', `/v1/flows/${id}`)).statusCode).toBe(200);
  await expect.poll(async () => await api.states(id)).toEqual({ count: 'cancelled', double: 'skipped' });
  await expect.poll(async () => (await api.read(id)).nodes[0]).toMatchObject({ total: 1, cancelled: 1 });
});

test('a failure in a large fan-out ends the flow before all of its jobs are stored', async () => {
  await using api = await flowApi();
  const many = 30_000;
  const id = await api.flow([{ ...count, payload: { to: many } }, double]);
  await using _worker = await api.work({
    ...usual,
    'acme.double-number': () => {
      throw new Error('no');
    },
  });
  expect(await api.over(id)).toMatchObject({ state: 'failed', error: { details: { node: 'double' } } });
  const { total, submitted } = (await readNodes(api.context.db, id))[1]!;
  expect(total).toBe(many);
  expect(submitted).toBeLessThan(many);
});
