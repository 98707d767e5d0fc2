import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { person, studioWorld } from '#test/studio/world.ts';

/** What stands between a plan and a live render; no fleet, so that nothing runs. */
let world: Awaited<ReturnType<typeof studioWorld>>;
let ada: Readonly<Record<string, string>>;
beforeAll(async () => {
  world = await studioWorld({}, { fleet: false });
  ada = (await world.key({ owner: 'ada' })).headers;
});
afterAll(async () => await world[Symbol.asyncDispose]());

const render = async (body: object, headers = ada) => await world.call('POST', '/api/studio/v1/render', headers, body);
const grant = async (id: string, owner = 'ada') =>
  await decideApproval(world.context, id, person(owner), { decision: 'grant' });
const film = { mode: 'publish', prompt: 'A harbour wakes' };

test('a brief becomes a costed plan with the approval that it needs', async () => {
  const { plan, approval, budgetExceeded } = await world.plan(ada, { mode: 'video', channels: ['tiktok', 'linkedin'] });
  expect(plan.steps.map(({ step }: { step: string }) => step)).toEqual([
    'image',
    'narration',
    'music',
    'video-9x16',
    'video-1x1',
  ]);
  expect(plan).toMatchObject({ estimatedCostUsd: 0, maximumCostUsd: 0, budgetUsd: null, routePolicy: 'balanced' });
  expect(plan.estimatedLatencyMs).toBeGreaterThan(0);
  expect(budgetExceeded).toBe(false);
  expect(approval).toMatchObject({ status: 'pending', kind: 'render', subject: plan.id });
  expect(approval.effect).toMatchObject({
    planSha256: plan.planSha256,
    maxCostUsd: '0.000000',
    providers: ['local-animatic'],
  });
});

test('the same brief gives the same plan', async () => {
  const { body } = await world.call('POST', '/api/studio/v1/brief', ada, film);
  const briefId = body.output.brief.id;
  const plans = await Promise.all(
    [1, 2].map(async () => (await world.call('POST', '/api/studio/v1/plan', ada, { briefId })).body.output.plan),
  );
  expect(plans[0].planSha256).toBe(plans[1].planSha256);
  expect(plans[0].id).not.toBe(plans[1].id);
});

test('a dry run makes the boundary and the package, and neither a job nor a call', async () => {
  const { plan, approval } = await world.plan(ada, film);
  const { status, body } = await render({ planId: plan.id, dryRun: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ tool: 'studio_render', status: 'ok', persistence: { store: 'postgres' } });
  // the plan asked for the same effect already
  expect(body.output).toMatchObject({
    dryRun: true,
    approval: { id: approval.id, status: 'pending' },
    outbox: { effectSha256: approval.effectSha256 },
  });
  expect(await world.jobsOf('studio.render')).toEqual([]);
});

test('live without an approval, the job waits for one of its own; its grant lets it go', async () => {
  const { plan, approval } = await world.plan(ada, film);
  const { status, body } = await render({ planId: plan.id, dryRun: false });
  expect(status).toBe(200);
  const { job } = body.output;
  expect(job).toMatchObject({ kind: 'render', status: 'awaiting_approval' });
  expect(job.approvalRef).not.toBe(approval.id);
  expect(body.warnings[0]).toContain(job.approvalRef);
  await grant(job.approvalRef);
  expect(await readJob(world.context, job.id)).toMatchObject({
    state: 'queued',
    approvalId: job.approvalRef,
    held: false,
  });
});

test('an approval lets one render of exactly its effect go', async () => {
  const { plan, approval } = await world.plan(ada, film);
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  expect(await render(live)).toMatchObject({
    status: 403,
    body: { error: { type: 'authorization_error', code: 'invalid_request' } },
  });
  await grant(approval.id);
  expect((await render({ ...live, maxCostUsd: 1 })).body.error.message).toContain('another effect');
  const answers = await Promise.all(Array.from({ length: 6 }, () => render(live)));
  expect(
    answers
      .map(({ status }) => String(status))
      .toSorted()
      .join(' '),
  ).toBe('200 403 403 403 403 403');
  expect((await render(live)).body.error.message).toMatch(/^Insufficient scope: approvalRef: .* one that was used\.$/);
});

test('a repeated request is one render', async () => {
  const { plan, approval } = await world.plan(ada, film);
  await grant(approval.id);
  const headers = { ...ada, 'idempotency-key': 'once' };
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  const answers = await Promise.all([render(live, headers), render(live, headers)]);
  const again = await render(live, headers);
  expect(new Set([...answers, again].map(({ body }) => body.output?.job.id)).size).toBe(1);
});

test("another's plan, approval and brief look like none", async () => {
  const eve = (await world.key({ owner: 'eve' })).headers;
  const { plan, approval } = await world.plan(ada, film);
  await grant(approval.id);
  expect(await render({ planId: plan.id, dryRun: true }, eve)).toMatchObject({ status: 404 });
  const hers = await world.plan(eve, film);
  const stolen = await render({ planId: hers.plan.id, dryRun: false, approvalRef: approval.id }, eve);
  expect(stolen.body.error.message).toContain('one that does not exist');
  const briefs = await world.call('POST', '/api/studio/v1/plan', eve, { briefId: plan.briefId });
  expect(briefs.status).toBe(404);
});

test('a plan above its budget says so, and its ceiling is the budget', async () => {
  const { approval } = await world.plan(ada, film, { budgetUsd: 2.5 });
  expect(approval.effect.maxCostUsd).toBe('2.500000');
});

test('a job whose approval is declined is cancelled', async () => {
  const { plan } = await world.plan(ada, film);
  const { body } = await render({ planId: plan.id, dryRun: false });
  const { job } = body.output;
  await decideApproval(world.context, job.approvalRef, person('ada'), { decision: 'decline', reason: 'no' });
  await expect.poll(async () => (await readJob(world.context, job.id))?.state).toBe('cancelled');
});

test('a key decides nothing', async () => {
  const { approval } = await world.plan(ada, film);
  const decision = await world.call('POST', `/api/studio/v1/approvals/${approval.id}/decision`, ada, {
    decision: 'grant',
  });
  expect(decision.status).toBe(403);
  expect(decision.body.error.message).toContain('a key never decides');
});
