import { expect, test } from 'vitest';
import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { contract, fence, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';
import { submitAnswer, why, withTerms } from './under-terms.ts';

const queue = 'acme.resize-image';
const payload = { width: 7 };

/** Registers a version of the queue of these tests, under terms. */
const version = async (api: RemoteApi, number: number, terms: object) =>
  expect(
    (await api.call('PUT', `/v1/queues/${queue}`, { version: number, contract: { ...contract, ...terms } })).statusCode,
  ).toBeLessThan(300);

/** Submits a flow of one job, and answers that job once it is there. */
const jobOfFlow = async (api: RemoteApi, node: object) => {
  const { id } = (await api.call('POST', '/v1/flows', { nodes: [{ name: 'one', queue, payload, ...node }] })).json();
  const job = async () => (await api.call('GET', `/v1/flows/${id}`)).json().nodes[0].job_id;
  await expect.poll(job).not.toBe(null);
  return await api.job(await job());
};

test('error: no submission goes without the receipt that its contract wants', async () => {
  await using api = await remoteApi();
  await withTerms(api, { receipt: true });
  const refused = { code: 'invalid_request', errors: [{ field: 'body.receipt', value: false }] };
  const alone = await submitAnswer(api, { receipt: false });
  expect([alone.statusCode, alone.json()]).toMatchObject([400, refused]);
  const many = await api.call('POST', '/v1/jobs/bulk', [{ queue, payload, receipt: false }]);
  expect(JSON.parse(many.body)).toMatchObject({ index: 0, error: { code: 'invalid_request' } });
  const schedule = { queue, payload, every_ms: 60_000, receipt: false };
  expect((await api.call('PUT', '/v1/schedules/hourly', schedule)).json()).toMatchObject(refused);
  const flow = { nodes: [{ name: 'one', queue, payload, options: { receipt: false } }] };
  expect((await api.call('POST', '/v1/flows', flow)).statusCode).toBe(400);
  expect((await submitAnswer(api, { receipt: true })).json()).toMatchObject({ receipt: 'wanted' });
});

test('a job of an earlier version runs under the terms of that version and of the newest one', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await withTerms(api, { approval: { why, areas: ['publishing'] }, budget: { job_usd: 0.4 } });
  const areas = ['publishing', 'commercialClaims'];
  await version(api, 2, { approval: { why, areas }, budget: { job_usd: 0.4, month_usd: 9 }, receipt: true });
  const earlier = (await submitAnswer(api, { version: 1 })).json();
  expect(earlier).toMatchObject({ version: 1, state: 'awaiting_approval', receipt: 'wanted' });
  const decision = (await api.call('GET', `/v1/jobs/${earlier.id}/approval`)).json();
  expect(decision.effect).toMatchObject({ version: 1 });
  expect(decision.areas.map(({ area }: { readonly area: string }) => area).toSorted()).toEqual(areas.toSorted());
  expect((await submitAnswer(api, { version: 1, budget: { job_usd: 0.5 } })).statusCode).toBe(400);
  expect((await submitAnswer(api, { version: 1, receipt: false })).statusCode).toBe(400);
});

test('the terms of a newer version hold for jobs of the earlier one in bulk, as children and in flows', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const parent = await api.submit(1);
  const worker = await api.worker();
  const [handed] = await worker.take();
  expect(handed).toMatchObject({ id: parent, version: 1 });
  startFlows(api.context);
  await version(api, 2, { approval: { why }, receipt: true });
  const governed = { version: 1, state: 'awaiting_approval', receipt: 'wanted' };
  const { body } = await api.call('POST', '/v1/jobs/bulk', [{ queue, payload, version: 1 }]);
  expect(await api.job(JSON.parse(body).id)).toMatchObject(governed);
  const child = { ...fence(handed!), type: 'submit', name: 'small', after: 0, queue, version: 1, payload };
  const [submitted] = (await worker.report(child)) as readonly { readonly child?: string }[];
  expect(await api.job(submitted!.child!)).toMatchObject(governed);
  expect(await jobOfFlow(api, { version: 1 })).toMatchObject(governed);
});
