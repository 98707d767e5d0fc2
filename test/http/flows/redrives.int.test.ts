import { expect, test } from 'vitest';
import { startActingFleet } from '#test/http/jobs/acting-fleet.ts';
import { count, double, flowApi, usual } from './flow-api.ts';

test('a job of a flow that failed is not run again without it, and its owner redrives the flow among many or as a job', {
  timeout: 60_000,
}, async () => {
  await using api = await flowApi();
  let isBroken = true;
  await using _worker = await api.work({
    ...usual,
    'acme.double-number': ({ n }) => {
      if (isBroken) throw new Error('the cause');
      return { n: 2 * n };
    },
  });
  const [first, second] = [await api.flow([count, double], { name: 'doubles' }), await api.flow([count, double])];
  const failed = await api.over(first);
  const job = failed.nodes[1].job_id;
  expect(failed.error).toMatchObject({ code: 'dependency_failed', details: { node: 'double', job } });
  expect(failed.error.message).toContain(`The job ${job}: Error: the cause.`);
  const { events } = (await api.call('GET', `/v1/jobs/${first}/timeline`)).json();
  expect(events.at(-1)).toMatchObject({ type: 'failed', data: { name: 'doubles' } });
  await api.over(second);

  const refused = await api.call('POST', `/v1/jobs/${job}/redrive`);
  expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining(`POST /v1/flows/${first}/redrive`)]);
  const fleet = await startActingFleet(api.context);
  try {
    const act = async (ids: readonly string[]) => {
      const preview = { action: 'redrive', filter: { ids }, preview: true };
      const { token, count: found } = (await api.call('POST', '/v1/jobs/actions', preview)).json();
      expect(found).toBe(1);
      const begun = (await api.call('POST', '/v1/jobs/actions', { token })).json();
      await expect.poll(async () => (await api.job(begun.id)).state, { timeout: 20_000 }).toBe('succeeded');
      return (await api.job(begun.id)).result;
    };
    expect(await act([job])).toMatchObject({ failures: [{ job, code: 'flow_ended' }] });
    isBroken = false;
    expect(await act([first])).toMatchObject({ done: 1 });
    expect((await api.call('POST', `/v1/jobs/${second}/redrive`)).statusCode).toBe(200);
    for (const id of [first, second])
      await expect.poll(async () => (await api.read(id)).state, { timeout: 20_000 }).toBe('succeeded');
  } finally {
    await fleet.drain();
  }
});

test('error: a token for a flow is not made for a job that is none', async () => {
  await using api = await flowApi(false);
  const [flow, job] = [await api.flow([count]), await api.submit(1)];
  const make = async (id: string) => (await api.call('POST', '/v1/stream-tokens', { flow: id })).statusCode;
  expect([await make(flow), await make(job)]).toEqual([201, 404]);
});
