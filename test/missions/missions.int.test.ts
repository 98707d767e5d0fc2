import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missionWorld } from './world.ts';

type World = Awaited<ReturnType<typeof missionWorld>>;

let pages: Server;
/** What is done with each request to the page server. */
let answer: (path: string, reply: (status: number, body: string, type?: string) => void) => void;
let origin: string;
let world: World;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  pages = createServer((request, response) =>
    answer(request.url ?? '', (status, body, type = 'application/json') =>
      response.writeHead(status, { 'content-type': type }).end(body),
    ),
  ).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  world = await missionWorld({ FETCH_ORIGINS: `${origin},http://localhost:1`, MISSION_PRICES: 'http.fetch=0.25' });
  headers = await world.humanKey();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  pages.close();
});

const plan = async (body: object, key = headers) => {
  const planned = await world.call('POST', '/api/v1/missions', key, { goal: 'a test', ...body });
  expect(planned.status, JSON.stringify(planned.body)).toBe(201);
  return planned.body;
};
const execute = async (id: string, key = headers) =>
  await world.call('POST', `/api/v1/missions/${id}/execute`, key, {});
const read = async (id: string) => (await world.call('GET', `/api/v1/missions/${id}`, headers)).body;
const digest = (id: string, value: unknown, more: object = {}) => ({
  id,
  capability: 'content.digest',
  input: { value },
  ...more,
});
const fetchStep = (id: string, path: string) => ({ id, capability: 'http.fetch', input: { url: `${origin}${path}` } });

test('a mission is planned, executed, sealed and anchored; its receipt says so, and nothing private', async () => {
  const planned = await plan({ goal: 'Hash "hello"; then hash it', budgetUsd: 1 });
  const { missionId } = planned;
  expect(planned).toMatchObject({
    state: 'planned',
    plan: {
      planner: 'rules',
      unmapped: [],
      steps: [
        { id: 's1', input: { value: 'hello' } },
        { id: 's2', dependsOn: ['s1'] },
      ],
    },
  });
  const executed = await execute(missionId);
  expect(executed.status, JSON.stringify(executed.body)).toBe(200);
  const receipt = executed.body;
  expect(receipt).toMatchObject({ id: missionId, statement: { predicate: { outcome: 'succeeded', human: [] } } });
  expect(receipt.anchor).toMatchObject({ chain: 'eip155:31337' });
  expect(JSON.stringify(receipt)).not.toContain('hello');

  const mission = await read(missionId);
  expect(mission).toMatchObject({ state: 'sealed', steps: [{ state: 'succeeded' }, { state: 'succeeded' }] });
  expect(mission.steps[0].output.sha256).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
  expect(await execute(missionId)).toMatchObject({ status: 200, body: { id: missionId, root: receipt.root } });

  const attested = (await world.call('GET', `/api/v1/receipts/${missionId}/verify?onchain=1`)).body;
  expect(attested).toMatchObject({
    integrity: { verdict: 'pass' },
    authenticity: { verdict: 'pass' },
    anchor: { verdict: 'pass', equalsRoot: true },
  });
  expect((await world.until(missionId, headers, 'mission.closed')).map(({ type }) => type)).toEqual([
    'mission.created',
    'policy.evaluated',
    'policy.evaluated',
    'mission.started',
    'step.dispatched',
    'step.succeeded',
    'step.dispatched',
    'step.succeeded',
    'mission.succeeded',
    'receipt.sealed',
    'receipt.anchored',
    'mission.closed',
  ]);
});

test('steps that do not depend on each other run side by side, and hand on what they gave', async () => {
  // each is answered only once both have been asked
  const waiting: (() => void)[] = [];
  answer = (path, reply) => {
    waiting.push(() => reply(200, JSON.stringify({ path })));
    if (waiting.length === 2) for (const release of waiting) release();
  };
  const steps = [
    digest('c', [
      { $from: 'a', path: 'content.path' },
      { $from: 'b', path: 'content.path' },
    ]),
    fetchStep('a', '/a'),
    fetchStep('b', '/b'),
  ];
  const { missionId, plan: made } = await plan({ steps, budgetUsd: 0.5 });
  expect(made).toMatchObject({ costUsd: 0.5, planner: 'client' });
  expect(await execute(missionId)).toMatchObject({ status: 200 });
  const mission = await read(missionId);
  expect(mission.spentUsd).toBe(0.5);
  expect(mission.steps.find(({ id }: { id: string }) => id === 'c').input).toEqual({ value: ['/a', '/b'] });
});

test.each<[string, () => unknown[], string, string]>([
  [
    'an origin that is not allowed, as a step before gave it',
    () => [
      fetchStep('p', '/elsewhere'),
      { id: 'a', capability: 'http.fetch', input: { url: { $from: 'p', path: 'content' } } },
    ],
    'forbidden',
    'expected an address of',
  ],
  [
    'a name that leads to a private address',
    () => [{ id: 'a', capability: 'http.fetch', input: { url: 'http://localhost:1/' } }],
    'forbidden',
    'public addresses alone',
  ],
  ['a redirect', () => [fetchStep('a', '/moved')], 'unavailable', 'got 302'],
  ['an answer too long', () => [fetchStep('a', '/long')], 'payload_too_large', 'at most 1048576 bytes'],
  ['JSON that is none', () => [fetchStep('a', '/broken')], 'invalid_result', 'expected JSON'],
  [
    'a reference to nothing',
    () => [digest('a', 1), digest('b', { $from: 'a', path: 'no.such' })],
    'invalid_payload',
    'expected no.such of the step a',
  ],
  [
    'a job that is none of ours',
    () => [{ id: 'a', capability: 'job.status', input: { jobId: '0198c0de-0000-7000-8000-000000000000' } }],
    'not_found',
    'one of your jobs',
  ],
])('error: %s ends the mission, with a receipt that says how', async (_what, steps, code, message) => {
  answer = (path, reply) => {
    if (path === '/moved') return reply(302, '');
    if (path === '/elsewhere') return reply(200, '"https://example.com/"');
    if (path === '/long') return reply(200, JSON.stringify('x'.repeat(1_100_000)));
    return reply(200, '{"half":');
  };
  const { missionId } = await plan({ steps: [...steps(), digest('z', 1, { dependsOn: ['a'] })] });
  const { status, body } = await execute(missionId);
  expect({ status, code: body.code, cause: body.details.cause.code }).toEqual({
    status: 422,
    code: 'mission_failed',
    cause: code,
  });
  expect(body.detail).toContain(message);
  // whoever hears of the failure is sent to it, so it is there
  const { body: receipt } = await world.call('GET', body.details.receipt);
  expect(receipt.statement?.predicate.outcome).toBe('failed');
  const events = await world.until(missionId, headers, 'mission.closed');
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['step.failed', 'mission.failed', 'receipt.sealed']),
  );
});

test.each([
  ['a step of the client', { steps: [{ id: 'a', capability: 'http.fetch', input: { url: 'https://example.com/' } }] }],
  ['the goal', { goal: 'fetch https://example.com/ and hash it' }],
])(
  'error: %s wants to go where the settings do not allow it, which is said when it is planned',
  async (_what, asked) => {
    const refused = await world.call('POST', '/api/v1/missions', headers, { goal: 'a test', ...asked });
    expect(refused).toMatchObject({ status: 422, body: { code: 'unplannable' } });
    expect(refused.body.detail).toContain(`expected an address of ${origin}`);
  },
);

test('a mission is executed by a POST without a body as well; with another body it is refused', async () => {
  const { missionId } = await plan({ steps: [digest('a', 1)] });
  const path = `/api/v1/missions/${missionId}/execute`;
  expect(await world.call('POST', path, headers, { more: 1 })).toMatchObject({ status: 400 });
  expect(await world.call('POST', path, headers)).toMatchObject({ status: 200, body: { id: missionId } });
});

test('executed twice at once it runs once', async () => {
  const paths: string[] = [];
  answer = (path, reply) => {
    paths.push(path);
    reply(200, '1');
  };
  const { missionId } = await plan({ steps: [fetchStep('a', '/once')] });
  const [one, two] = await Promise.all([execute(missionId), execute(missionId)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body.root).toBe(two.body.root);
  expect(paths).toEqual(['/once']);
});

test('a mission that is cancelled stops its jobs, and leaves a receipt where it had begun', async () => {
  const asked = Promise.withResolvers<void>();
  answer = () => asked.resolve();
  const { missionId } = await plan({ steps: [fetchStep('a', '/never'), digest('b', { $from: 'a' })] });
  const executing = execute(missionId);
  await asked.promise;
  const cancelled = await world.call('DELETE', `/api/v1/missions/${missionId}`, headers);
  expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } });
  expect(await executing).toMatchObject({ status: 409, body: { code: 'cancelled' } });
  const types = (await world.until(missionId, headers, 'mission.closed')).map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining(['step.cancelled', 'step.skipped', 'mission.cancelled', 'receipt.anchored']),
  );
  const { steps } = await read(missionId);
  const { body: job } = await world.call('GET', `/v1/jobs/${steps[0].jobId}`, headers);
  expect(job.state).toBe('cancelled');
  expect(await world.call('DELETE', `/api/v1/missions/${missionId}`, headers)).toMatchObject({ status: 409 });
  expect(await execute(missionId)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });

  const unbegun = await plan({ steps: [digest('a', 1)] });
  await world.call('DELETE', `/api/v1/missions/${unbegun.missionId}`, headers);
  const last = (await world.until(unbegun.missionId, headers, 'mission.closed')).map(({ type }) => type);
  expect(last.slice(-2)).toEqual(['mission.cancelled', 'mission.closed']);
  expect(await world.call('GET', `/api/v1/receipts/${unbegun.missionId}`)).toMatchObject({ status: 404 });
});

test('a mission that takes longer than it may fails, and says so', async () => {
  answer = () => {};
  const { missionId } = await plan({ steps: [fetchStep('a', '/slow')], timeoutSeconds: 1 });
  const { status, body } = await execute(missionId);
  expect({ status, cause: body.details?.cause }).toMatchObject({ status: 422, cause: { code: 'deadline_exceeded' } });
});

test('only its owner sees a mission, and only a key bound to a human makes one', async () => {
  const { missionId } = await plan({ steps: [digest('a', 1)] });
  const stranger = await world.humanKey('eve', 2);
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/events'],
    ['DELETE', ''],
    ['POST', '/execute'],
  ] as const)
    expect(
      await world.call(method, `/api/v1/missions/${missionId}${path}`, stranger, method === 'POST' ? {} : undefined),
      `${method} ${path}`,
    ).toMatchObject({ status: 404 });
  const { headers: unbound } = await world.key({ owner: 'ada' });
  expect(await world.call('POST', '/api/v1/missions', unbound, { goal: 'hash "x"' })).toMatchObject({
    status: 403,
    body: { code: 'human_required' },
  });
  const list = (await world.call('GET', '/api/v1/missions?limit=1', headers)).body;
  expect(list).toMatchObject({ missions: [{ missionId }], nextCursor: missionId });
  expect((await world.call('GET', '/api/v1/missions', stranger)).body).toEqual({ missions: [], nextCursor: null });
});

test('the figures count what was done', async () => {
  const { body } = await world.call('GET', '/api/v1/stats', headers);
  expect(body.missions.sealed).toBeGreaterThan(0);
  expect(body.receipts.sealed).toBe(body.receipts.anchored + body.receipts.pending);
  expect(body.capabilities).toContainEqual(expect.objectContaining({ name: 'notify.webhook', sensitivity: 'outside' }));
});
