import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missionWorld } from '#test/missions/world.ts';
import { testHome } from '#test/providers/asset-world.ts';

type Headers = Readonly<Record<string, string>>;
const path = '/api/v2/orchestrate/run';
let home: Awaited<ReturnType<typeof testHome>>;
let pages: Server;
let origin: string;
let world: Awaited<ReturnType<typeof missionWorld>>;
let ada: Headers;

beforeAll(async () => {
  home = await testHome();
  const file = join(home.path, 'providers.json');
  // what the local provider makes for nothing, better and not for nothing; nothing here calls it
  const offered = { model: 'pictures', price: { perImage: 5 }, latency: { base: 1 }, quality: 1 };
  const paid = { id: 'paid', title: 'Paid', style: 'openai-compatible', url: 'https://vendor.example/v1' };
  writeFileSync(file, JSON.stringify({ providers: [{ ...paid, capabilities: { 'image.generate': offered } }] }));
  pages = createServer((_request, response) => response.writeHead(302, { location: '/' }).end()).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const settings = {
    PROOFLINE_HOME: home.path,
    PROVIDERS_FILE: file,
    FETCH_ORIGINS: origin,
    MISSION_PRICES: 'analytics.snapshot=0.25',
  };
  world = await missionWorld(settings, { chain: false });
  ada = await world.humanKey();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  pages.close();
  await home[Symbol.asyncDispose]();
});

const run = async (body: object, headers: Headers = ada) => await world.call('POST', path, headers, body);
const planned = async (body: object) => {
  const answer = await run({ plan_only: true, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const keyed = () => ({ ...ada, 'idempotency-key': randomUUID() });

test('a goal is planned, carried out and sealed in one request', async () => {
  const { status, headers, body } = await run({ query: 'Hash "hello"; then hash it', budget_usd: 1 });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(headers.get('location')).toBe(`${world.url}/api/v1/missions/${body.id}`);
  expect(body).toMatchObject({
    object: 'orchestration',
    status: 'sealed',
    budget_usd: 1,
    spent_usd: 0,
    approvals: [],
    plan: { planner: 'rules', steps: [{ id: 's1' }, { id: 's2', dependsOn: ['s1'] }] },
    job: { id: body.id, kind: 'mission', state: 'sealed', status: 'sealed', url: `/api/v1/missions/${body.id}` },
    run: { id: body.id, steps: [{ capability: 'content.digest', status: 'succeeded' }, { status: 'succeeded' }] },
    audit_receipt: { id: body.id, anchor: null, statement: { predicate: { outcome: 'succeeded' } } },
  });
  const receipt = await world.call('GET', new URL(body.links.receipt).pathname);
  expect(receipt).toMatchObject({ status: 200, body: { root: body.audit_receipt.root } });
  const listed = (await world.call('GET', '/api/v2/gov/receipts', ada)).body.data;
  expect(listed.map(({ id }: any) => id)).toContain(body.id);
});

test('a client that does not want to wait is answered at once, and the mission goes on', async () => {
  const { status, headers, body } = await run({ query: 'Hash "later"' }, { ...ada, prefer: 'respond-async' });
  expect([status, headers.get('preference-applied')]).toEqual([202, 'respond-async']);
  expect(body).toMatchObject({ audit_receipt: null, links: { receipt: null } });
  await world.until(body.id, ada, 'receipt.sealed');
});

test('what is planned alone is not carried out, and can be', async () => {
  const { id, run: execution, links, status } = await planned({ query: 'Hash "hello"' });
  expect([status, execution]).toEqual(['planned', null]);
  const prefer = { ...ada, prefer: 'respond-async' };
  expect((await world.call('POST', new URL(links.execute).pathname, prefer, {})).status).toBe(202);
  await world.until(id, ada, 'receipt.sealed');
});

test('a step that spends waits for its human: what is approved, for how much, and where', async () => {
  const { status, body } = await run({ query: 'Make a square picture of a lighthouse', policy: 'quality_first' });
  expect([status, body.status]).toEqual([202, 'awaiting_human']);
  expect(body.approvals).toMatchObject([
    {
      step: 's1',
      capability: 'media.generate',
      cost_usd: 5,
      assurance: 'enrolled',
      effect_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      challenge: { id: expect.any(String), sha256: expect.any(String), body: { stepId: 's1', missionId: body.id } },
      approve_at: `${world.url}/api/v1/missions/${body.id}/steps/s1/approve`,
    },
  ]);
  expect(body.audit_receipt).toBe(null);
});

test.each([
  ['quality_first', 'paid'],
  ['cost_guarded', 'local-animatic'],
] as const)('the policy %s asks %s first', async (policy, first) => {
  const { plan } = await planned({ query: 'Make a picture of a lighthouse', policy });
  expect(plan.steps[0].route[0].provider).toBe(first);
});

test('the plan uses what it may, by the name of the capability or of what is made', async () => {
  const picture = 'Make a picture of a lighthouse';
  await planned({ query: picture, capabilities: ['image.generate'] });
  await planned({ query: picture, capabilities: ['media.generate', 'content.digest'] });
  const { status, body } = await run({
    query: `Hash "a"; ${picture}`,
    capabilities: ['content.digest', 'music.generate'],
  });
  expect([status, body.code]).toEqual([422, 'unplannable']);
  expect(body.error.message).toContain(
    's2: expected one of the requested capabilities (content.digest, music.generate), got media.generate for image.generate',
  );
});

test('one key is one mission, however often and at once it is requested', async () => {
  const headers = keyed();
  const body = { query: 'Hash "once"', capabilities: ['content.digest'] };
  const atOnce = await Promise.all([run(body, headers), run(body, headers)]);
  const again = await run(body, headers);
  const answers = [...atOnce, again];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = await run({ ...body, plan_only: true }, headers);
  expect([other.status, other.body.code, other.headers.get('x-should-retry')]).toEqual([
    409,
    'idempotency_conflict',
    'false',
  ]);
  const bob = await world.humanKey('bob', 2);
  const bobs = await run(body, { ...bob, 'idempotency-key': headers['idempotency-key'] });
  expect(bobs.status).toBe(200);
  expect(bobs.body.id).not.toBe(again.body.id);
});

test('error: a mission that fails says so, each time it is requested, and where its receipt is', async () => {
  const headers = keyed();
  for (const replayed of [null, 'true']) {
    const answer = await run({ query: `Fetch ${origin}/moved` }, headers);
    expect([answer.status, answer.body.code, answer.headers.get('idempotency-replayed')]).toEqual([
      422,
      'mission_failed',
      replayed,
    ]);
    expect(answer.body.error).toMatchObject({ code: 'mission_failed', type: 'invalid_request_error' });
    expect((await world.call('GET', answer.body.details.receipt)).body.statement.predicate.outcome).toBe('failed');
  }
});

test('error: without a key, without the scope, and without a human nothing is planned', async () => {
  const body = { query: 'Hash "hello"' };
  expect((await run(body, {})).status).toBe(401);
  const reader = await world.key({ owner: 'ada', scopes: ['platform.mcp.read'] });
  const lesser = await run(body, reader.headers);
  expect([lesser.status, lesser.body.code]).toEqual([403, 'forbidden']);
  const machine = await run(body, (await world.key({ owner: 'ada' })).headers);
  expect([machine.status, machine.body.code, machine.body.error.type]).toEqual([
    403,
    'human_required',
    'permission_error',
  ]);
});

test.each([
  ['no query', {}, 400, 'query'],
  ['an empty query', { query: '' }, 400, 'query'],
  ['a query with a null byte', { query: 'Hash "\0"' }, 400, null],
  ['a capability that is none', { query: 'Hash "a"', capabilities: ['video.teleport'] }, 400, 'capabilities'],
  ['no capability at all', { query: 'Hash "a"', capabilities: [] }, 400, 'capabilities'],
  ['a policy that is none', { query: 'Hash "a"', policy: 'cheap' }, 400, 'policy'],
  ['a budget below nothing', { query: 'Hash "a"', budget_usd: -1 }, 400, 'budget_usd'],
  ['a member that is not known', { query: 'Hash "a"', steps: [] }, 400, 'steps'],
  ['a goal that nothing here does', { query: 'Whistle.' }, 422, null],
])('error: %s is told in a sentence', async (_what, body, status, param) => {
  const answer = await run(body);
  expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining('expected ')]);
  if (param !== null) expect(answer.body.error.param).toContain(param);
});

test('error: a plan that costs more than its budget is refused before anything is done', async () => {
  const { status, body } = await run({ query: 'Take a snapshot of SPX', budget_usd: 0.1 });
  expect([status, body.code]).toEqual([422, 'budget_exceeded']);
});

test('the provider that is called is one that the budget can pay', async () => {
  const dear = { query: 'Make a picture of a lighthouse', policy: 'quality_first', budget_usd: 1 };
  expect((await planned(dear)).plan).toMatchObject({
    costUsd: 0,
    steps: [{ route: [{ provider: 'local-animatic' }] }],
  });
});
