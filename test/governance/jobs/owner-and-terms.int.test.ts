import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { effectHash } from '#src/governance/approvals/request-approval.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import { startGoverningJobs } from '#src/governance/jobs/govern-jobs.ts';
import { contract, fence, remoteApi } from '#test/http/workers/remote.ts';
import { monthly, person, submitAnswer, why, withTerms } from './under-terms.ts';

test('of many jobs that their budget cannot hold together, those that fit are let go and the others fail', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await withTerms(api, { budget: { job_usd: 0.5, month_usd: 1.2 } });
  const jobs = Array.from({ length: 5 }, () => ({ queue: 'acme.resize-image', payload: { width: 7 } }));
  const { body } = await api.call('POST', '/v1/jobs/bulk', jobs);
  const answers = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly id: string });
  await using _governing = startGoverningJobs(api.context);
  const inState = async (state: string) =>
    (await Promise.all(answers.map(async ({ id }) => (await api.job(id)).state))).filter((one) => one === state).length;
  await expect.poll(async () => await inState('failed')).toBe(3);
  expect(await inState('queued')).toBe(2);
  expect(await readBudget(api.context, monthly())).toMatchObject({ reserved: 1_000_000, spent: 0 });
  const worker = await api.worker();
  const taken = [...(await worker.take(1)), ...(await worker.take(1))];
  expect(taken).toHaveLength(2);
});

test('a key with scopes over jobs reads the decision that its job waits for, whoever may decide it', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const { id, approval_id: approvalId } = (await submitAnswer(api, { approval: { why, areas: [] } })).json();
  const found = (await api.call('GET', `/v1/jobs/${id}/approval`)).json();
  expect(found).toMatchObject({
    id: approvalId,
    state: 'pending',
    decided_by: null,
    effect: { payload: { width: 7 } },
  });
  expect(effectHash(found.effect)).toBe(found.effect_sha256);
  await decideApproval(api.context, approvalId, person, { decision: 'decline', reason: 'not now' });
  expect((await api.call('GET', `/v1/jobs/${id}/approval`)).json()).toMatchObject({
    state: 'declined',
    decided_by: 'ada@example.com',
    reason: 'not now',
  });
  const { headers } = await api.key({ owner: 'owner-2', scopes: ['jobs.submit', 'studio.read'] });
  expect((await api.app.inject({ url: `/v1/jobs/${id}/approval`, headers })).statusCode).toBe(404);
  const free = await api.submit(1);
  expect((await api.call('GET', `/v1/jobs/${free}/approval`)).json()).toMatchObject({ code: 'not_found' });
});

test('error: a refusal of terms gives the value that was wrong, also where it is a number or false', async () => {
  await using api = await remoteApi();
  await withTerms(api, { approval: { why }, budget: { job_usd: 0.5 } });
  const errorsOf = async (body: object) => (await submitAnswer(api, body)).json().errors;
  expect(await errorsOf({ approval: false })).toMatchObject([{ field: 'body.approval', value: false }]);
  expect(await errorsOf({ budget: { job_usd: 2 } })).toMatchObject([{ field: 'body.budget.job_usd', value: 2 }]);
  expect(await errorsOf({ run_at: '2030-01-01T00:00:00Z', delay_ms: 5 })).toMatchObject([{ value: 5 }]);
});

test('a child is paid by the key of its parent, also where that runs under no terms', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const key = await api.key({ scopes: ['jobs.submit', 'jobs.work', 'jobs.manage'] });
  const send = async (method: 'PUT' | 'POST', url: string, payload: object) =>
    await api.app.inject({ method, url, payload, headers: { ...key.headers, prefer: 'respond-async' } });
  await send('PUT', '/v1/queues/acme.buy-stamps', { contract: { ...contract, budget: { job_usd: 0.5 } } });
  await send('POST', '/v1/queues/acme.resize-image/jobs', { payload: { width: 1 } });
  const worker = await api.worker([{ name: 'acme.resize-image' }]);
  const [parent] = await worker.take();
  const [submitted] = (await worker.report({
    ...fence(parent!),
    type: 'submit',
    name: 'stamps',
    after: 0,
    queue: 'acme.buy-stamps',
    payload: { width: 2 },
  })) as readonly { child?: string }[];
  await using _governing = startGoverningJobs(api.context);
  await expect.poll(async () => (await readCalls(api.context, submitted!.child!)).length).toBe(1);
  const paying = await api.context.db.oneFirst(
    sql.unsafe`select key_id from provider_calls where job = ${submitted!.child!}`,
  );
  expect(paying).toBe(key.id);
});
