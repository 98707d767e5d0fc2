import { expect, test } from 'vitest';
import { decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { startGoverningJobs } from '#src/governance/jobs/govern-jobs.ts';
import { fence, remoteApi } from '#test/http/workers/remote.ts';
import { monthly, person, submitAnswer, why, withTerms } from './under-terms.ts';

test('a decision is about one run: a job that failed and is redriven waits for another one', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  await withTerms(api, { approval: { why }, budget: { job_usd: 0.5 }, attempts: 1 });
  const { id, approval_id: first } = (await submitAnswer(api, {})).json();
  await decideApproval(api.context, first, person, { decision: 'grant' });
  const worker = await api.worker();
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'failed', error: { message: 'It broke.' } });
  await expect.poll(async () => await readBudget(api.context, monthly())).toMatchObject({ reserved: 0 });
  const { headers } = await api.key({ operator: true });
  const reader = (await api.key({ scopes: ['studio.read'] })).headers;
  const statusOf = async (approval: string) =>
    (await api.app.inject({ url: `/api/studio/v1/approvals/${approval}`, headers: reader })).json().status;
  const redrive = async () =>
    (await api.app.inject({ method: 'POST', url: `/v1/jobs/${id}/redrive`, headers, payload: {} })).json();
  const { state, approval_id: second } = await redrive();
  expect(state).toBe('awaiting_approval');
  expect(second).not.toBe(first);
  await expect.poll(async () => await statusOf(second)).toBe('pending');
  expect(await statusOf(first)).toBe('used');
  expect((await worker.poll(1, [], { wait_ms: 0 })).jobs).toEqual([]);
  await decideApproval(api.context, second, person, { decision: 'grant' });
  const [again] = await worker.take();
  expect(again).toMatchObject({ id, attempt: 2 });
  await worker.report({ ...fence(again!), type: 'failed', error: { message: 'It broke again.' } });
  await expect.poll(async () => await readBudget(api.context, monthly())).toMatchObject({ reserved: 0 });
  const { approval_id: third } = await redrive();
  await expect.poll(async () => await statusOf(third)).toBe('pending');
  await decideApproval(api.context, third, person, { decision: 'decline' });
  await expect.poll(async () => (await api.job(id)).state).toBe('cancelled');
});
