import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { ownAttest } from '#src/receipts/verify/own-attest.ts';
import { type FalLike, startFalLike } from '#test/helpers/vendors/fal-like.ts';
import { mp4Of, pngOf } from '#test/helpers/vendors/media.ts';
import { type OpenaiRoute, startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { type ReplicateLike, startReplicateLike } from '#test/helpers/vendors/replicate-like.ts';
import { answersJson, away, busy, type VendorServer } from '#test/helpers/vendors/vendor-server.ts';
import { forgetCircuits } from '#test/providers/forget-circuits.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';
import { studioWorld } from '#test/studio/world.ts';

/** Renders whose pictures and films are made outside, by servers that speak as their vendors do. */
const KEY_NAME = 'VENDOR_RENDER_TEST_KEY';

let stack: AsyncDisposableStack;
let painter: VendorServer<OpenaiRoute>;
let first: ReplicateLike;
let second: FalLike;
let slow: FalLike;
let world: Awaited<ReturnType<typeof studioWorld>>;
let ada: Readonly<Record<string, string>>;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  process.env[KEY_NAME] = 'vendor-key-0123456789';
  stack.defer(() => void delete process.env[KEY_NAME]);
  const film = { fileBytes: mp4Of(2), fileType: 'video/mp4' };
  painter = stack.use(await startOpenaiLike({ imageBytes: pngOf(64, 64) }));
  first = stack.use(await startReplicateLike({ ...film, output: (base) => `${base}/files/0.mp4` }));
  second = stack.use(await startFalLike({ ...film, output: (base) => ({ video: { url: `${base}/files/0.mp4` } }) }));
  slow = stack.use(await startFalLike({ statuses: ['IN_QUEUE', 'IN_PROGRESS'] }));
  const common = { credential: KEY_NAME, timeoutSeconds: 60 };
  const { path } = stack.use(
    catalogueFile([
      provider({
        ...common,
        id: 'painter',
        style: 'openai-compatible',
        url: painter.url,
        // what it bills is what it used
        capabilities: { 'image.generate': offer({ quality: 1, price: { perMillionInput: 1, perMillionOutput: 10 } }) },
      }),
      provider({
        ...common,
        id: 'first',
        style: 'replicate-style',
        url: first.url,
        capabilities: { 'video.generate': offer({ model: 'maker/film', quality: 1, price: { perCall: 0.3 } }) },
      }),
      provider({
        ...common,
        id: 'second',
        style: 'fal-style',
        url: second.url,
        capabilities: { 'video.generate': offer({ model: 'maker/film', quality: 0.7, price: { perCall: 0.2 } }) },
      }),
      provider({
        ...common,
        id: 'slow',
        style: 'fal-style',
        url: slow.url,
        capabilities: {
          'avatar.talking-head-text': offer({ model: 'maker/talker', quality: 1, price: { perCall: 0.4 } }),
        },
      }),
    ]),
  );
  world = stack.use(await studioWorld({ PROVIDERS_FILE: path }));
  ada = (await world.key({ owner: 'ada' })).headers;
}, 120_000);
// one that was busy, or away, is left alone for a while
beforeEach(async () => await forgetCircuits(world.context));
afterAll(async () => await stack.disposeAsync());

/** A live render with its approval; a picture and a film, unless it is said what. */
async function started(mode = 'publish') {
  const { plan, approval } = await world.plan(
    ada,
    { mode, targetFormats: ['16:9 2s 144p'] },
    { routePolicy: 'quality_first' },
  );
  await world.granted(approval.id);
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  const { status, body } = await world.call('POST', '/api/studio/v1/render', ada, live);
  expect(status).toBe(200);
  return { plan, id: body.output.job.id as string };
}

async function rendered(mode?: string) {
  const { id, plan } = await started(mode);
  await expect
    .poll(async () => isTerminal((await readJob(world.context, id))?.state ?? ''), { timeout: 55_000 })
    .toBe(true);
  return { id, plan, job: (await world.call('GET', `/v1/jobs/${id}`, ada)).body };
}

/** What a render's calls came to, by step and provider. */
async function callsOf(render: string) {
  const rows = await world.context.db.any(sql.unsafe`
    select j.payload ->> 'name' as step, c.provider, c.state, c.cost, c.quoted from provider_calls c join jobs j on j.id = c.job
    where j.parent_id = ${render} order by c.created_at`);
  return rows as { step: string; provider: string; state: string; cost: number | null; quoted: number }[];
}

/** The receipt, which holds: its events. */
async function sealed(render: string, outcome: string) {
  await expect.poll(async () => (await readReceipt(world.context, render)) !== null).toBe(true);
  const receipt = await readReceipt(world.context, render);
  if (!receipt) throw new Error('the receipt is gone');
  expect(receipt.statement.predicate.outcome).toBe(outcome);
  expect(await ownAttest(world.context).offline(receipt, render)).toMatchObject({
    integrity: { verdict: 'pass' },
    authenticity: { verdict: 'pass' },
  });
  return receipt.events.map(({ type, data }) => ({ type, data }));
}

test('a ceiling below the prices of vendors has everything made here, for nothing, and it is said before', async () => {
  const { body: brief } = await world.call('POST', '/api/studio/v1/brief', ada, {
    mode: 'publish',
    prompt: 'A harbour wakes',
    targetFormats: ['16:9 2s 144p'],
  });
  const { body: planned } = await world.call('POST', '/api/studio/v1/plan', ada, {
    briefId: brief.output.brief.id,
    routePolicy: 'quality_first',
    budgetUsd: 0,
  });
  const { plan, approval } = planned.output;
  expect(plan.steps[0].primary.provider).toBe('painter');
  const said = expect.stringMatching(
    /^Under a budgetUsd of \$0 image is made by local-animatic \(\$0\) instead of painter/,
  );
  expect(planned.warnings).toContainEqual(said);
  const dry = await world.call('POST', '/api/studio/v1/render', ada, { planId: plan.id, dryRun: true });
  expect(dry.body.warnings).toContainEqual(said);
  const dear = await world.call('POST', '/api/studio/v1/render', ada, { planId: plan.id, dryRun: true, maxCostUsd: 1 });
  expect(dear.body.warnings).toContainEqual(expect.stringContaining('maxCostUsd ($1) is above the budgetUsd'));
  await world.granted(approval.id);
  const before = [painter, first, second].map((vendor) => vendor.received().length);
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  const { body } = await world.call('POST', '/api/studio/v1/render', ada, live);
  const id = body.output.job.id as string;
  await expect
    .poll(async () => isTerminal((await readJob(world.context, id))?.state ?? ''), { timeout: 55_000 })
    .toBe(true);
  expect((await world.call('GET', `/v1/jobs/${id}`, ada)).body).toMatchObject({ state: 'succeeded', error: null });
  const made = await callsOf(id);
  expect(made.map((call) => `${call.provider} ${call.cost}`)).toEqual(plan.steps.map(() => 'local-animatic 0'));
  expect([painter, first, second].map((vendor) => vendor.received().length)).toEqual(before);
});

test.for([
  ['has no capacity', away],
  ['is asked too often', busy],
] as const)('where the first provider %s, the second makes it, and it alone is paid', async ([, turn]) => {
  first.follow({ create: [turn] });
  const { id, job, plan } = await rendered();
  const film = plan.steps.find(({ step }: { step: string }) => step === 'video-16x9');
  expect([film.primary, ...film.backups].map((leg: any) => leg.provider)).toEqual([
    'first',
    'second',
    'local-animatic',
  ]);
  expect(job).toMatchObject({ state: 'succeeded', error: null });
  expect(await callsOf(id)).toMatchObject([
    { step: 'image', provider: 'painter', state: 'settled' },
    { step: 'video-16x9', provider: 'first', state: 'released', cost: null },
    { step: 'video-16x9', provider: 'second', state: 'settled', cost: 200_000 },
  ]);
  const { result } = job;
  // 50 tokens in, 1,000 out
  expect(result.cost).toBe(200_000 + 50 + 10_000);
  expect(result.assets.find(({ name }: any) => name === 'video-16x9')).toMatchObject({ mediaType: 'video/mp4' });
  const spent = await sealed(id, 'succeeded');
  expect(spent).toEqual(
    expect.arrayContaining([
      { type: 'call.released', data: expect.objectContaining({ provider: 'first', costUsd: null }) },
      { type: 'call.settled', data: expect.objectContaining({ provider: 'second', costUsd: '0.200000' }) },
    ]),
  );
});

test('a provider whose task is polled too often is polled again, and not paid again', async () => {
  first.follow({ get: [busy, 'usual', busy] });
  const before = first.received('create').length;
  const { id, job } = await rendered();
  expect(job).toMatchObject({ state: 'succeeded' });
  expect(first.received('create').length - before).toBe(1);
  expect((await callsOf(id)).filter(({ step }) => step === 'video-16x9')).toMatchObject([
    { provider: 'first', state: 'settled', cost: 300_000 },
  ]);
});

test('a bill above the ceiling is recorded in full, fails the render, and is in its receipt', async () => {
  const png = pngOf().toString('base64');
  const usage = { input_tokens: 1_000_000, output_tokens: 4_900_000, total_tokens: 5_900_000 };
  painter.follow({ generate: [answersJson(200, { created: 1, data: [{ b64_json: png }], usage })] });
  const films = first.received('create').length;
  const { id, job, plan } = await rendered();
  expect(plan.maximumCostUsd).toBeLessThan(1);
  expect(job).toMatchObject({ state: 'failed', error: { code: 'budget_exceeded' } });
  expect(job.error.message).toMatch(/painter to bill at most .* got \$?50\b/);
  expect(await callsOf(id)).toMatchObject([{ step: 'image', provider: 'painter', state: 'settled', cost: 50_000_000 }]);
  // nothing more was bought
  expect(first.received('create').length).toBe(films);
  const events = await sealed(id, 'failed');
  expect(events).toEqual(
    expect.arrayContaining([
      { type: 'call.settled', data: expect.objectContaining({ provider: 'painter', costUsd: '50.000000' }) },
      { type: 'execution.failed', data: { code: 'budget_exceeded' } },
    ]),
  );
});

test('a ceiling that no route can meet fails the render before its first call, and is a warning; one that a backup meets is none', async () => {
  const made = await world.plan(
    ada,
    { mode: 'publish', targetFormats: ['16:9 2s 144p'] },
    { routePolicy: 'quality_first', budgetUsd: 0.25 },
  );
  // the first choices cost more, what is made here costs nothing
  expect(made.plan.estimatedCostUsd).toBeGreaterThan(0.25);
  expect(made.budgetExceeded).toBe(false);
  // as it is planned where nothing is made here: the film alone costs 0.2 at least
  await world.context.db.query(sql.unsafe`
    update studio_plans set plan = jsonb_set(plan, '{steps}', (
      select jsonb_agg(jsonb_set(step, '{backups}', coalesce((
        select jsonb_agg(leg) from jsonb_array_elements(step->'backups') leg where leg->>'provider' <> 'local-animatic'
      ), '[]')) order by n) from jsonb_array_elements(plan->'steps') with ordinality as s (step, n)))
    where id = ${made.plan.id}`);
  const dry = await world.call('POST', '/api/studio/v1/render', ada, {
    planId: made.plan.id,
    dryRun: true,
    maxCostUsd: 0.1,
  });
  expect(dry.body.warnings).toContainEqual(expect.stringMatching(/^A maxCostUsd of \$0\.1 cannot suffice/));
  const before = [painter, first, second].map((vendor) => vendor.received().length);
  await world.granted(dry.body.output.approval.id);
  const { body } = await world.call('POST', '/api/studio/v1/render', ada, {
    planId: made.plan.id,
    dryRun: false,
    maxCostUsd: 0.1,
    approvalRef: dry.body.output.approval.id,
  });
  const id = body.output.job.id as string;
  await expect
    .poll(async () => isTerminal((await readJob(world.context, id))?.state ?? ''), { timeout: 55_000 })
    .toBe(true);
  expect(await readJob(world.context, id)).toMatchObject({
    state: 'failed',
    error: { code: 'budget_exceeded', details: { ceilingUsd: 0.1 } },
  });
  // none was started, so none was cancelled either
  expect(await world.context.db.any(sql.unsafe`select id from jobs where parent_id = ${id}`)).toEqual([]);
  expect([painter, first, second].map((vendor) => vendor.received().length)).toEqual(before);
  await sealed(id, 'failed');
});

test('a render that is cancelled in the middle cancels the task of its provider', async () => {
  const looked = slow.next('status');
  const cancelled = slow.next('cancel');
  const { id } = await started('avatar');
  const [, , , , task = ''] = (await looked).path.split('/');
  expect((await world.call('DELETE', `/v1/jobs/${id}`, ada)).status).toBe(200);
  expect((await cancelled).path).toContain(task);
  await sealed(id, 'cancelled');
  expect(slow.requests()).toMatchObject([{ id: task, isCancelled: true }]);
  // it may have been made, so what it would cost stays reserved until somebody knows
  await expect
    .poll(async () => (await callsOf(id)).filter(({ provider: one }) => one === 'slow'))
    .toMatchObject([{ state: 'unknown', quoted: 400_000 }]);
});
