import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget } from '#src/governance/budgets/budgets.ts';
import { enrolled, membersOf, type Person, person } from '#test/access/humans/identities.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { missionWorld } from '#test/missions/world.ts';
import { testHome } from '#test/providers/asset-world.ts';

type World = Awaited<ReturnType<typeof missionWorld>>;

let home: Awaited<ReturnType<typeof testHome>>;
let vendor: Awaited<ReturnType<typeof startOpenaiLike>>;
let world: World;
let prover: Prover;
let ada: Person;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  home = await testHome();
  vendor = await startOpenaiLike({ usage: null });
  const offered = { model: 'pictures', price: { perImage: 0.1 }, latency: { base: 1 }, quality: 1 };
  const paid = { id: 'paid', title: 'Paid', style: 'openai-compatible', url: vendor.url };
  const file = join(home.path, 'providers.json');
  writeFileSync(file, JSON.stringify({ providers: [{ ...paid, capabilities: { 'image.generate': offered } }] }));
  world = await missionWorld({ PROOFLINE_HOME: home.path, PROVIDERS_FILE: file }, { chain: false });
  prover = await openProver();
  ada = person(prover, 1);
  headers = (await world.key({ owner: 'ada', human: await enrolled(world.context, ada) })).headers;
});

afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const prefer = () => ({ ...headers, prefer: 'respond-async' });
const picture = (id: string, more: object = {}) => ({
  id,
  capability: 'media.generate',
  input: { capability: 'image.generate', prompt: 'a lighthouse', ...more },
});
const asked = async (body: object) =>
  await world.call('POST', '/api/v1/missions', headers, { goal: 'a test', ...body });
const planned = async (body: object) => {
  const answer = await asked(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};

/** Executes a mission, and has its human agree to a step. */
async function approved(missionId: string, step: string): Promise<void> {
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, prefer(), {});
  await world.until(missionId, headers, 'human.requested');
  const { steps } = (await world.call('GET', `/api/v1/missions/${missionId}`, headers)).body;
  const { challenge } = steps.find(({ id }: { id: string }) => id === step);
  const proof = await ada.prove(await membersOf(world.context), { purpose: 'step', body: challenge.body });
  const path = `/api/v1/missions/${missionId}/steps/${step}/approve`;
  const { status } = await world.call('POST', path, prefer(), { challengeId: challenge.id, proof });
  expect(status).toBe(202);
}

test('a picture is made by the route that its human approved, under the budget of the mission, and stands in the receipt', async () => {
  const { missionId, plan } = await planned({ goal: 'Make a square picture of a lighthouse', budgetUsd: 0.25 });
  const route = [
    { provider: 'paid', model: 'pictures', quotedUsd: 0.1 },
    { provider: 'local-animatic', model: 'storyboard-frame', quotedUsd: 0 },
  ];
  const input = { capability: 'image.generate', prompt: 'a lighthouse', aspect: '1:1' };
  expect(plan).toMatchObject({ planner: 'rules', unmapped: [], costUsd: 0.1 });
  expect(plan.steps).toMatchObject([
    { id: 's1', capability: 'media.generate', input, route, sensitivity: 'spend', policy: { decision: 'human' } },
  ]);
  await approved(missionId, 's1');
  await world.until(missionId, headers, 'receipt.sealed');
  const mission = (await world.call('GET', `/api/v1/missions/${missionId}`, headers)).body;
  const [{ output, input: done }] = mission.steps;
  expect(done).toEqual({ ...input, route });
  expect(output).toMatchObject({ provider: 'paid', assets: [{ name: 's1', kind: 'image', mediaType: 'image/png' }] });
  // a receiver that is told of it has no key
  const { pathname, search } = new URL(output.assets[0].url);
  const fetched = await fetch(`${world.url}${pathname}${search}`);
  expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(mission.spentUsd).toBe(0.1);
  expect(await readBudget(world.context, `mission:${missionId}`)).toMatchObject({
    ceiling: 250_000,
    spent: 100_000,
    reserved: 0,
  });
  const receipt = (await world.call('GET', `/api/v1/receipts/${missionId}`)).body;
  const subjects = receipt.statement.subject.map(({ name, digest }: any) => [name, digest.sha256]);
  expect(subjects).toContainEqual(['assets/s1/s1', output.assets[0].sha256]);
});

test('what another has spent under the mission’s budget is not spent again: who costs nothing makes it', async () => {
  const { missionId } = await planned({ steps: [picture('cover')], budgetUsd: 0.15 });
  await openBudget(world.context.db, `mission:${missionId}`, null);
  await world.context.db.query(sql.unsafe`update budgets set spent = 100000 where id = ${`mission:${missionId}`}`);
  const before = vendor.received().length;
  await approved(missionId, 'cover');
  await world.until(missionId, headers, 'receipt.sealed');
  const mission = (await world.call('GET', `/api/v1/missions/${missionId}`, headers)).body;
  expect(mission).toMatchObject({ state: 'sealed', error: null, spentUsd: 0 });
  expect(vendor.received()).toHaveLength(before);
});

test('a route is what the budget can pay; a voice is a person’s likeness', async () => {
  const { plan } = await planned({
    steps: [picture('cover'), { ...picture('voice'), input: { capability: 'tts.synthesize', prompt: 'Hello.' } }],
    budgetUsd: 0.05,
  });
  expect(plan.costUsd).toBe(0);
  expect(plan.steps).toMatchObject([
    { route: [{ provider: 'local-animatic' }], sensitivity: 'spend' },
    { route: [{ provider: 'local-animatic' }], sensitivity: 'likeness' },
  ]);
});

test.each([
  [
    'what an earlier step gives',
    [{ id: 'a', capability: 'content.digest', input: { value: 1 } }, picture('b', { prompt: { $from: 'a' } })],
    'without $from',
  ],
  ['a route of one’s own', [picture('a', { route: [] })], 'a: input'],
  [
    'more seconds than anybody takes',
    [{ ...picture('a'), input: { capability: 'music.generate', prompt: 'x', seconds: 299 } }],
    'a: expected a provider for music.generate',
  ],
])('error: a step with %s is not planned', async (_what, steps, message) => {
  const { status, body } = await asked({ steps });
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'unplannable' });
  expect(JSON.stringify(body)).toContain(message);
});

test('error: with calls of providers switched off nothing is planned that needs one', async () => {
  await using quiet = await missionWorld({ PROVIDER_CALLS: 'off' }, { chain: false, conducted: false });
  const { status, body } = await quiet.call('POST', '/api/v1/missions', await quiet.humanKey(), {
    goal: 'Make a picture of a lighthouse',
  });
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'unplannable' });
  expect(JSON.stringify(body)).toContain('PROVIDER_CALLS');
});
