import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { effectHash } from '#src/governance/approvals/request-approval.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import { startGoverningJobs } from '#src/governance/jobs/govern-jobs.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { startSealingJobs } from '#src/receipts/jobs/start-sealing-jobs.ts';
import { contract, fence, type Handed, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';
import { monthly, person, submitAnswer, why, withTerms } from './under-terms.ts';

const opened = (salt: string, value: unknown): string =>
  createHash('sha256').update(Buffer.from(salt, 'hex')).update(canonicalText(value)).digest('hex');

/** Reads a decision, with a key that may. */
const decision = async (api: RemoteApi, id: string) =>
  await api.app.inject({
    url: `/api/studio/v1/approvals/${id}`,
    headers: (await api.key({ scopes: ['studio.read'] })).headers,
  });

/** Does an effect that costs so much, and ends. */
const spend = async (
  worker: Awaited<ReturnType<RemoteApi['worker']>>,
  job: Handed,
  cost_usd: number,
  end: object = { type: 'succeeded', result: { bytes: 1 } },
) =>
  await worker.report(
    { ...fence(job), type: 'effect_intended', name: 'buy', request: { amount: 1 } },
    { ...fence(job), type: 'effect_done', name: 'buy', outcome: { ok: true }, cost_usd },
    { ...fence(job), ...end },
  );

test('a job whose contract wants a decision waits for it with its exact effect, runs once a person has said yes, and its receipt says so', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  await using _sealing = startSealingJobs(api.context);
  await withTerms(api, { approval: { why, areas: ['commercialClaims'] }, receipt: true });
  const answer = await submitAnswer(api, { metadata: { campaign: 'spring' } });
  expect([answer.statusCode, answer.json()]).toMatchObject([202, { state: 'awaiting_approval' }]);
  const { id, approval_id: approvalId } = answer.json();
  // it is there as soon as the job is answered
  const approval = (await decision(api, approvalId)).json();
  expect(approval).toMatchObject({
    kind: 'job',
    subject: id,
    jobId: id,
    status: 'pending',
    areas: [{ area: 'commercialClaims', why }],
    effect: { queue: 'acme.resize-image', version: 1, payload: { width: 7 }, metadata: { campaign: 'spring' }, why },
  });
  expect(effectHash(approval.effect)).toBe(approval.effectSha256);
  const worker = await api.worker();
  expect((await worker.poll(1, [], { wait_ms: 0 })).jobs).toEqual([]);
  await decideApproval(api.context, approvalId, person, { decision: 'grant' });
  const [job] = await worker.take();
  expect(job).toMatchObject({ id, attempt: 1 });
  await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 1 } });
  await expect.poll(async () => (await api.job(id)).receipt).toBe('sealed');
  const { receipt, salts } = (await api.call('GET', `/v1/jobs/${id}/receipt`)).json();
  const events = (await api.call('GET', receipt)).json().events;
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'approval.used',
      data: { approval: approvalId, effectSha256: opened(salts.effect, approval.effect) },
    }),
  );
  // a payload that can be guessed is not given away by its effect
  expect(JSON.stringify(events)).not.toContain(approval.effectSha256);
});

test('a no ends the job, and a decision in the areas of the doctrine takes a proof', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  const { id, approval_id: approvalId } = (
    await submitAnswer(api, { approval: { why: 'It is published.', areas: ['publishing'] } })
  ).json();
  await expect(decideApproval(api.context, approvalId, person, { decision: 'grant' })).rejects.toMatchObject({
    code: 'human_required',
  });
  await decideApproval(api.context, approvalId, person, { decision: 'decline', reason: 'not now' });
  await expect.poll(async () => (await api.job(id)).state).toBe('cancelled');
  const { events } = (await api.call('GET', `/v1/jobs/${id}/timeline`)).json();
  expect(events.at(-1)).toMatchObject({
    type: 'cancelled',
    data: { by: 'ada@example.com', reason: 'its approval was declined' },
  });
});

test('a job that is cancelled while it waits leaves nothing to decide and nothing reserved', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await withTerms(api, { budget: { job_usd: 0.5 } });
  const [asked, reserved] = [
    (await submitAnswer(api, { approval: true })).json(),
    (await submitAnswer(api, { delay_ms: 60_000 })).json(),
  ];
  for (const { id } of [asked, reserved])
    expect((await api.call('DELETE', `/v1/jobs/${id}`)).statusCode).toBeLessThan(300);
  await using _governing = startGoverningJobs(api.context);
  await expect.poll(async () => (await decision(api, asked.approval_id)).json().status).toBe('expired');
  await expect.poll(async () => await readBudget(api.context, monthly())).toMatchObject({ reserved: 0, spent: 0 });
});

test('a submission may want more than its contract, and never less', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await withTerms(api, { approval: { why }, budget: { job_usd: 0.5 } });
  const refused = [{ approval: false }, { budget: { job_usd: 0.6 } }, { approval: { why: '' } }, { budget: {} }];
  for (const body of refused) expect((await submitAnswer(api, body)).statusCode).toBe(400);
  const { approval_id: id } = (
    await submitAnswer(api, { approval: { why: 'It is large.', decide_within_s: 120 }, budget: { job_usd: 0.2 } })
  ).json();
  expect((await decision(api, id)).json().effect).toMatchObject({
    why: `${why} It is large.`,
    budgetUsd: 0.2,
  });
});

test('jobs of many and children wait for their decision too', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  const worker = await api.worker();
  await api.submit(1);
  const [parent] = await worker.take();
  await withTerms(api, { approval: { why } });
  const [{ child }] = (await worker.report({
    ...fence(parent!),
    type: 'submit',
    name: 'smaller',
    after: 0,
    queue: 'acme.resize-image',
    payload: { width: 2 },
  })) as any;
  const line = JSON.stringify({ queue: 'acme.resize-image', payload: { width: 3 } });
  const many = await api.call('POST', '/v1/jobs/bulk', line, { 'content-type': 'application/x-ndjson' });
  for (const id of [child, JSON.parse(many.body).id]) {
    const { state, approval_id: approvalId } = await api.job(id);
    expect(state).toBe('awaiting_approval');
    await expect.poll(async () => (await decision(api, approvalId)).statusCode).toBe(200);
  }
});

test('what a job may cost is reserved before it runs, and settled by what its effects cost', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  await withTerms(api, { budget: { job_usd: 0.5, month_usd: 1 } });
  const id = (await submitAnswer(api, {})).json().id;
  expect(await readBudget(api.context, monthly())).toMatchObject({ reserved: 500_000, spent: 0, ceiling: 1_000_000 });
  const worker = await api.worker();
  const [job] = await worker.take();
  await spend(worker, job!, 0.2);
  await expect
    .poll(async () => await readBudget(api.context, monthly()))
    .toMatchObject({ reserved: 0, spent: 200_000 });
  expect(await readCalls(api.context, id)).toMatchObject([{ state: 'settled', cost: 200_000, surface: 'jobs' }]);
});

test('a job that its budget cannot hold fails without having run; one that waits for a decision reserves after it', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  await withTerms(api, { approval: { why }, budget: { job_usd: 0.6, month_usd: 1 } });
  const [first, second] = [(await submitAnswer(api, {})).json(), (await submitAnswer(api, {})).json()];
  expect(await readBudget(api.context, monthly())).toBeNull();
  await decideApproval(api.context, first.approval_id, person, { decision: 'grant' });
  const worker = await api.worker();
  const [job] = await worker.take();
  expect(job!.id).toBe(first.id);
  await decideApproval(api.context, second.approval_id, person, { decision: 'grant' });
  await expect
    .poll(async () => await api.job(second.id))
    .toMatchObject({ state: 'failed', attempt: 0, error: { code: 'budget_exceeded' } });
  // without a cost nothing is spent, and there is room again
  await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 1 } });
  await expect.poll(async () => await readBudget(api.context, monthly())).toMatchObject({ reserved: 0, spent: 0 });
  const { headers } = await api.key({ operator: true });
  const redriven = await api.app.inject({ method: 'POST', url: `/v1/jobs/${second.id}/redrive`, headers, payload: {} });
  expect(redriven.statusCode).toBeLessThan(300);
  const [again] = await worker.take();
  expect(again!.id).toBe(second.id);
});

test('a job that failed keeps what it has spent, and its next go reserves and settles the rest alone', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  await withTerms(api, { budget: { job_usd: 0.5 }, attempts: 1 });
  const { id } = (await submitAnswer(api, {})).json();
  const worker = await api.worker();
  const [job] = await worker.take();
  await spend(worker, job!, 0.3, { type: 'failed', error: { message: 'It broke.' } });
  await expect
    .poll(async () => await readBudget(api.context, monthly()))
    .toMatchObject({ reserved: 0, spent: 300_000 });
  const { headers } = await api.key({ operator: true });
  await api.app.inject({ method: 'POST', url: `/v1/jobs/${id}/redrive`, headers, payload: {} });
  const [again] = await worker.take();
  await worker.report(
    { ...fence(again!), type: 'effect_intended', name: 'mail', request: {} },
    { ...fence(again!), type: 'effect_done', name: 'mail', outcome: {}, cost_usd: 0.1 },
    { ...fence(again!), type: 'succeeded', result: { bytes: 1 } },
  );
  await expect
    .poll(async () => await readBudget(api.context, monthly()))
    .toMatchObject({ reserved: 0, spent: 400_000 });
});

test('where it is not known whether an effect happened, its money stays held', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  await withTerms(api, { budget: { job_usd: 0.5 }, attempts: 1 });
  const { id } = (await submitAnswer(api, {})).json();
  const worker = await api.worker();
  const [job] = await worker.take();
  await worker.report(
    { ...fence(job!), type: 'effect_intended', name: 'buy', request: {} },
    { ...fence(job!), type: 'effect_unknown', name: 'buy' },
    { ...fence(job!), type: 'failed', error: { message: 'It is not known.' }, retryable: false },
  );
  await expect.poll(async () => (await readCalls(api.context, id))[0]?.state).toBe('unknown');
  expect(await readBudget(api.context, monthly())).toMatchObject({ reserved: 500_000, spent: 0 });
});

test('a key does not loosen a contract; an operator does', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const terms = { approval: { why, areas: ['publishing'] }, budget: { job_usd: 0.5, month_usd: 9 }, receipt: true };
  await withTerms(api, terms);
  const looser: [object, string][] = [
    [{ ...terms, approval: undefined }, '/approval'],
    [{ ...terms, approval: { why } }, '/approval/areas'],
    [{ ...terms, budget: { job_usd: 0.6, month_usd: 9 } }, '/budget/job_usd'],
    [{ ...terms, budget: { job_usd: 0.5 } }, '/budget/month_usd'],
    [{ ...terms, receipt: false }, '/receipt'],
  ];
  const url = '/v1/queues/acme.resize-image';
  for (const [more, path] of looser)
    for (const version of [1, 2]) {
      const answer = await api.call('PUT', url, { version, contract: { ...contract, ...more } });
      expect([answer.statusCode, answer.json().details]).toMatchObject([403, { reason: 'terms', path }]);
    }
  const { headers } = await api.key({ operator: true, scopes: ['jobs.manage'] });
  const byOperator = await api.app.inject({ method: 'PUT', url, headers, payload: { contract } });
  expect(byOperator.statusCode).toBe(200);
});

test('a key does not loosen a version of before either, though the newest asks for nothing', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await withTerms(api, { approval: { why } });
  const url = '/v1/queues/acme.resize-image';
  const { headers } = await api.key({ operator: true, scopes: ['jobs.manage'] });
  const newest = await api.app.inject({ method: 'PUT', url, headers, payload: { version: 2, contract } });
  expect(newest.statusCode).toBe(201);
  const answer = await api.call('PUT', url, { version: 1, contract });
  expect([answer.statusCode, answer.json().details]).toMatchObject([403, { reason: 'terms', path: '/approval' }]);
});

test('no effect is begun once those before have cost what the job may cost', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await using _governing = startGoverningJobs(api.context);
  await withTerms(api, { budget: { job_usd: 0.5 } });
  await submitAnswer(api, {});
  const worker = await api.worker();
  const [job] = await worker.take();
  const effect = (name: string, type: string, more: object) => ({ ...fence(job!), type, name, ...more });
  expect(
    await worker.report(
      effect('one', 'effect_intended', { request: 1 }),
      effect('one', 'effect_done', { outcome: 1, cost_usd: 0.7 }),
      effect('two', 'effect_intended', { request: 2 }),
      effect('one', 'effect_intended', { request: 1 }),
    ),
  ).toMatchObject([
    { status: 'accepted' },
    { status: 'accepted' },
    { status: 'refused', code: 'budget_exceeded' },
    { status: 'accepted', effect: { state: 'done' } },
  ]);
  await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 1 } });
  // it has happened: what it cost is counted in full
  await expect
    .poll(async () => await readBudget(api.context, monthly()))
    .toMatchObject({ reserved: 0, spent: 700_000 });
});
