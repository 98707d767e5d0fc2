import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingestChain } from '#src/analytics/feed/feed.ts';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { enrolled, membersOf, type Person, person } from '#test/access/humans/identities.ts';
import { csvOf } from '#test/analytics/market.ts';
import { missionWorld } from './world.ts';

type World = Awaited<ReturnType<typeof missionWorld>>;
let world: World;
let prover: Prover;
let ada: Person;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await missionWorld({ FEED: 'none' }, { chain: false });
  prover = await openProver();
  ada = person(prover, 1);
  headers = (await world.key({ owner: 'ada', human: await enrolled(world.context, ada) })).headers;
  await ingestChain(world.context, 'SPX', csvOf('SPX'));
});

afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const prefer = () => ({ ...headers, prefer: 'respond-async' });
const read = async (id: string) => (await world.call('GET', `/api/v1/missions/${id}`, headers)).body;
const planned = async (body: object) => {
  const answer = await world.call('POST', '/api/v1/missions', headers, { goal: 'a test', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};

/** Executes a mission to its seal, and gives it as its owner sees it. */
async function run(body: object) {
  const { missionId } = await planned(body);
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, prefer(), {});
  await world.until(missionId, headers, 'receipt.sealed');
  return await read(missionId);
}

async function waiting(goal: string) {
  const { missionId, plan } = await planned({ goal });
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, prefer(), {});
  await world.until(missionId, headers, 'human.requested');
  return { missionId, plan };
}

const goal = 'Email me a snapshot of SPX every morning';
const leftOut = ['Email', 'every morning'];

test('a plan that leaves out words waits for its human before anything runs; after a yes it runs, and says what it gave', async () => {
  const { missionId, plan } = await waiting(goal);
  expect(plan).toMatchObject({
    unmapped: leftOut,
    steps: [
      {
        id: 'confirm',
        capability: 'human.confirm',
        input: { leftOut },
        sensitivity: 'confirm',
        policy: { decision: 'human' },
      },
      { id: 's1', capability: 'analytics.snapshot', dependsOn: ['confirm'], policy: { decision: 'allow' } },
    ],
  });
  expect(plan.notes.at(-1)).toContain('waits for a human’s yes, because it leaves out “Email”, “every morning”');
  const before = await read(missionId);
  expect(before).toMatchObject({ state: 'awaiting_human', answer: null });
  expect(before.steps.map(({ state }: any) => state)).toEqual(['awaiting_human', 'waiting']);
  const { challenge } = before.steps[0];
  const proof = await ada.prove(await membersOf(world.context), { purpose: 'step', body: challenge.body });
  const path = `/api/v1/missions/${missionId}/steps/confirm/approve`;
  expect(await world.call('POST', path, prefer(), { challengeId: challenge.id, proof })).toMatchObject({ status: 202 });
  await world.until(missionId, headers, 'receipt.sealed');
  const after = await read(missionId);
  expect(after.steps.map(({ state }: any) => state)).toEqual(['succeeded', 'succeeded']);
  expect(after.steps[0].output).toMatchObject({ confirmed: true, leftOut });
  expect(after.answer).toContain(`SPX at ${after.steps[1].output.data.spot}`);
  const { body: receipt } = await world.call('GET', `/api/v1/receipts/${missionId}`);
  expect(receipt.statement.predicate.human).toMatchObject([{ step: 'confirm' }]);
});

test('error: declined, nothing of the plan runs', async () => {
  const { missionId } = await waiting(goal);
  await world.call('POST', `/api/v1/missions/${missionId}/steps/confirm/decline`, prefer(), {});
  await world.until(missionId, headers, 'receipt.sealed');
  const mission = await read(missionId);
  expect(mission).toMatchObject({ state: 'failed', error: { code: 'declined' }, answer: null });
  expect(mission.steps.map(({ state }: any) => state)).toEqual(['failed', 'skipped']);
});

test('error: a question that no analysis answers is refused when it is planned', async () => {
  const asked = (question: string) => ({ id: 'a', capability: 'analytics.oracle', input: { question, symbol: 'SPX' } });
  for (const body of [
    { goal: 'SPX gamma by sector weighted by beta' },
    { goal: 'ask', steps: [asked('SPX gamma by sector weighted by beta')] },
    { goal: 'ask', steps: [asked('gamma flip of SPX, and the max pain of 2020-01-02')] },
  ]) {
    const answer = await world.call('POST', '/api/v1/missions', headers, body);
    expect([answer.status, answer.body.code]).toEqual([422, 'unplannable']);
  }
});

test('error: one that is known only when it is asked fails its step, and the receipt says so', async () => {
  const digest = { id: 'd', capability: 'content.digest', input: { value: 'lunch' } };
  const question = { $from: 'd', path: 'sha256' };
  const mission = await run({ steps: [digest, { id: 'a', capability: 'analytics.oracle', input: { question } }] });
  expect(mission).toMatchObject({ state: 'failed', error: { code: 'unanswerable' } });
  expect(mission.error.message).toContain('expected a question that the analyses answer');
  const { body: receipt } = await world.call('GET', `/api/v1/receipts/${mission.missionId}`);
  expect(receipt.statement.predicate.outcome).toBe('failed');
});

test('an answer in words is a field of its own', async () => {
  const mission = await run({ goal: 'What is the gamma flip of SPX?' });
  const said = mission.steps[0].output.data.answer;
  expect(said.length).toBeGreaterThan(20);
  expect(mission).toMatchObject({ state: 'sealed', answer: said, steps: [{ summary: said }] });
});

test('points and levels are run with the spot of the chain, which is said', async () => {
  const { plan } = await planned({ goal: 'Stress SPX: loses 20 points and vol up 5 points' });
  const scenarios = [{ spot_points: -20, vol_points: 5 }];
  expect(plan.steps).toMatchObject([{ input: { symbols: ['SPX'], scenarios } }]);
  const { steps } = await run({ goal: 'Stress SPX: loses 20 points and vol up 5 points' });
  const { results, converted } = steps[0].output;
  expect(converted).toMatchObject({ symbol: 'SPX', spot: expect.any(Number) });
  expect(results[0].spot_shock_pct).toBeCloseTo((-100 * 20) / converted.spot, 9);
  expect(results[0].members[0].result.vol_points).toBeCloseTo(5, 9);
  const { spot } = converted;
  const level = await run({ goal: `What if SPX falls to ${Math.floor(spot) - 10}` });
  expect(level.steps[0].output.results[0].members[0].result.spot).toBeCloseTo(Math.floor(spot) - 10, 6);
  const above = await run({ goal: `What if SPX falls to ${Math.ceil(spot) + 10}` });
  expect(above).toMatchObject({ state: 'failed', error: { code: 'invalid_payload' } });
  expect(above.error.message).toContain(`expected a level below the spot of SPX, which is ${spot}`);
});

test.each([
  ['Stress SPX: a 3 sigma down move', 'give percent'],
  ['What if rates rise 50 bps on SPX', 'only spot and volatility'],
  ['Run a 2008-style crash on SPX', 'names no shock that can be run'],
  ['If gamma is negative, take a snapshot of SPX', 'nothing here can decide'],
])('error: %s is refused when it is planned, in words', async (wanted, why) => {
  const { status, body } = await world.call('POST', '/api/v1/missions', headers, { goal: wanted });
  expect([status, body.code]).toEqual([422, 'unplannable']);
  expect(body.detail).toContain(why);
});

const stressOf = (shocks: string) => [{ id: 'a', capability: 'analytics.stress', input: { symbols: ['SPX'], shocks } }];

test('shocks that a client gives in words are numbers in the plan; those that cannot be run are refused', async () => {
  const { plan } = await planned({ steps: stressOf('down five percent, vol up 15 points, over 3 days') });
  const scenarios = [{ spot_shock_pct: -5, vol_points: 15, days: 3 }];
  expect(plan.steps[0].input).toEqual({ symbols: ['SPX'], scenarios });
  for (const words of ['a 3 sigma move down', 'down 7%, VIX to 45', 'down 2% and rates up 1%', 'quite a lot']) {
    const { status, body } = await world.call('POST', '/api/v1/missions', headers, {
      goal: 'a test',
      steps: stressOf(words),
    });
    expect([words, status, body.code]).toEqual([words, 422, 'unplannable']);
    expect(body.detail).toContain('a: expected shocks');
  }
});

test('a goal that is asked for by the platform, or by a machine, waits in the same way', async () => {
  const { status, body } = await world.call(
    'POST',
    '/api/v2/orchestrate/run',
    { ...headers, prefer: 'wait=20' },
    { query: goal },
  );
  expect([status, body.status ?? body.state]).toEqual([202, 'awaiting_human']);
  const bounded = await world.call('POST', '/api/v2/orchestrate/run', headers, {
    query: goal,
    capabilities: ['analytics.snapshot'],
    plan_only: true,
  });
  expect(bounded.body.plan.steps.map(({ capability }: any) => capability)).toEqual([
    'human.confirm',
    'analytics.snapshot',
  ]);
});
