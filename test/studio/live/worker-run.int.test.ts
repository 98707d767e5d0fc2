import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { wavOf } from '#test/helpers/vendors/media.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';
import { studioWorld } from '#test/studio/world.ts';

type World = Awaited<ReturnType<typeof studioWorld>>;
type Headers = Readonly<Record<string, string>>;

const KEY_NAME = 'WORKER_RUN_TEST_KEY';
const KEY = 'vendor-key-0123456789';

/** One system, as three processes of it see it: with provider calls off, with worker runs off, and with both on. */
let off: World;
let disabled: World;
let on: World;
let ada: Headers;
let eve: Headers;
let carol: Headers;
let stack: AsyncDisposableStack;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  process.env[KEY_NAME] = KEY;
  stack.defer(() => void delete process.env[KEY_NAME]);
  const vendor = stack.use(await startOpenaiLike({ soundBytes: wavOf(2) }));
  const speaker = provider({
    id: 'speaker',
    style: 'openai-compatible',
    url: vendor.url,
    credential: KEY_NAME,
    capabilities: { 'tts.synthesize': offer({ quality: 1, price: { perCall: 1 } }) },
  });
  const { path } = stack.use(catalogueFile([speaker]));
  off = stack.use(await studioWorld({ PROVIDERS_FILE: path, PROVIDER_CALLS: 'off' }, { fleet: false }));
  // settings of the same system but one
  const { PROVIDER_CALLS: _, ...same } = off.env;
  disabled = stack.use(await studioWorld({ ...same, STUDIO_WORKER: 'off' }, { fleet: false }));
  on = stack.use(await studioWorld(same));
  ada = (await off.key({ owner: 'ada' })).headers;
  eve = (await off.key({ owner: 'eve' })).headers;
  carol = (await off.key({ owner: 'carol' })).headers;
}, 120_000);
afterAll(async () => await stack.disposeAsync());

const run = async (world: World, headers: Headers, body: object = {}) => {
  const answer = await world.call('POST', '/api/studio/v1/worker/run', headers, body);
  expect(answer.status).toBe(200);
  return answer.body as { status: string; processed: number; items: any[]; reasons: string[] };
};

/** An approved render of a narration, which waits because provider calls are off. */
async function held(headers: Headers, routePolicy = 'cost_guarded'): Promise<string> {
  const { plan, approval } = await off.plan(headers, {}, { routePolicy });
  expect(plan.steps.map((step: any) => step.primary.provider)).toEqual([
    routePolicy === 'quality_first' ? 'speaker' : 'local-animatic',
  ]);
  await off.granted(approval.id);
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  const { status, body } = await off.call('POST', '/api/studio/v1/render', headers, live);
  expect(status).toBe(200);
  const { job } = body.output;
  expect(job).toMatchObject({ status: 'queued', held: true });
  expect(body.warnings.join(' ')).toContain('PROVIDER_CALLS');
  return job.id;
}

const standing = async (id: string) => {
  const job = await readJob(on.context, id);
  return { state: job?.state, held: job?.held };
};
const waits = { state: 'queued', held: true };

test('switched off, a worker run does nothing and says so', async () => {
  const id = await held(ada);
  expect(await run(disabled, ada)).toEqual({
    status: 'disabled',
    providerCallsEnabled: true,
    processed: 0,
    items: [],
    reasons: [expect.stringContaining('STUDIO_WORKER')],
  });
  expect(await standing(id)).toEqual(waits);
});

test('while provider calls are off, approved jobs wait, say so, and are not let go', async () => {
  const id = await held(ada);
  expect(await run(off, ada)).toEqual({
    status: 'blocked',
    providerCallsEnabled: false,
    processed: 0,
    items: [],
    reasons: [expect.stringContaining('PROVIDER_CALLS')],
  });
  const { body } = await off.call('GET', `/api/studio/v1/jobs/${id}`, ada);
  expect(JSON.stringify(body)).toContain('"held":true');
  expect(await standing(id)).toEqual(waits);
});

test('the oldest approved jobs of the caller are let go, so many and no more; another’s stay', async () => {
  // those of the tests before
  await expect.poll(async () => (await run(on, ada, { limit: 100 })).items.length, { timeout: 50_000 }).toBe(0);
  const hers = await held(eve);
  const mine = [await held(ada), await held(ada), await held(ada)];
  const done = await run(on, ada, { limit: 2 });
  expect(done).toMatchObject({ status: 'ok', providerCallsEnabled: true, reasons: [] });
  expect(done.items.map(({ id }) => id)).toEqual(mine.slice(0, 2));
  expect(done.processed).toBe(done.items.filter(({ finishedAt }) => finishedAt !== null).length);
  for (const id of mine.slice(0, 2)) await expect.poll(() => standing(id)).toEqual({ state: 'succeeded', held: false });
  expect(await standing(mine[2] ?? '')).toEqual(waits);
  expect(await standing(hers)).toEqual(waits);

  // an operator's run is of everybody, the oldest first
  const { headers: operator } = await on.key({ owner: 'ops', operator: true });
  const all = await run(on, operator);
  expect(all.items.map(({ id }) => id)).toEqual([hers, mine[2]]);
  for (const id of [mine[2] ?? '', hers])
    await expect.poll(() => standing(id)).toEqual({ state: 'succeeded', held: false });
  expect(await run(on, operator)).toMatchObject({ status: 'ok', processed: 0, items: [] });
});

test.for([undefined, '', 'short'])(
  'without credentials of a provider (%j), nothing of its work is let go',
  async (key) => {
    const id = await held(carol, 'quality_first');
    if (key === undefined) delete process.env[KEY_NAME];
    else process.env[KEY_NAME] = key;
    try {
      const reasons = [`The provider speaker has no worker credentials: set ${KEY_NAME}.`];
      expect(await run(on, carol)).toEqual({
        status: 'blocked',
        providerCallsEnabled: true,
        processed: 0,
        items: [],
        reasons,
      });
      // what needs none of them is not kept waiting
      const free = await held(carol);
      expect(await run(on, carol)).toMatchObject({ status: 'ok', items: [{ id: free }], reasons });
      expect(await standing(id)).toEqual(waits);
    } finally {
      process.env[KEY_NAME] = KEY;
    }
    expect((await run(on, carol)).items).toMatchObject([{ id }]);
    await expect.poll(() => standing(id)).toEqual({ state: 'succeeded', held: false });
  },
);
