import { afterAll, beforeAll, expect, test } from 'vitest';
import { missionWorld } from './world.ts';

let world: Awaited<ReturnType<typeof missionWorld>>;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await missionWorld(
    { MISSION_PRICES: 'http.fetch=0.25', FETCH_ORIGINS: 'https://example.com' },
    { chain: false, conducted: false },
  );
  headers = await world.humanKey();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const digest = (id: string, value: unknown) => ({ id, capability: 'content.digest', input: { value } });
const fetchStep = (id: string) => ({ id, capability: 'http.fetch', input: { url: 'https://example.com/' } });

test('error: a goal that nothing maps to, steps that do not fit, a plan above its budget', async () => {
  const post = async (body: object) => await world.call('POST', '/api/v1/missions', headers, body);
  expect(await post({ goal: 'Make me a sandwich' })).toMatchObject({
    status: 422,
    body: {
      code: 'unplannable',
      detail: expect.stringContaining('analytics.snapshot'),
      details: { unmapped: ['Make me a sandwich'] },
    },
  });
  expect(await post({ goal: 'x', steps: [digest('a', { $from: 'b' })] })).toMatchObject({
    status: 422,
    body: { code: 'unplannable' },
  });
  expect(await post({ goal: 'x', steps: [fetchStep('a')], budgetUsd: 0.2 })).toMatchObject({
    status: 422,
    body: { code: 'budget_exceeded', detail: expect.stringContaining('$0.25') },
  });
  for (const goal of ['', 'x'.repeat(100_000), 7])
    expect(await post({ goal })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
  for (const value of ['\u0000', '\ud800', deep]) {
    const refused = await post({ goal: 'x', steps: [digest('a', value)] });
    expect(refused, JSON.stringify(value).slice(0, 20)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  }
  expect(await post({ goal: 'hash "\\u0000" \u0007 \u202e 株' })).toMatchObject({ status: 201 });
  expect(await post({ goal: 'hash "x"', more: 1 })).toMatchObject({ status: 400 });
});

test('a repeated request with its Idempotency-Key is the same mission; another one under it is refused', async () => {
  const key = { ...headers, 'idempotency-key': 'one' };
  const body = { goal: 'hash "once"' };
  const first = await world.call('POST', '/api/v1/missions', key, body);
  const second = await world.call('POST', '/api/v1/missions', key, body);
  expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 200, 'true']);
  expect(second.body.missionId).toBe(first.body.missionId);
  expect(await world.call('POST', '/api/v1/missions', key, { goal: 'hash "twice"' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  });
  const many = await Promise.all(
    Array.from({ length: 5 }, () =>
      world.call('POST', '/api/v1/missions', { ...key, 'idempotency-key': 'many' }, body),
    ),
  );
  expect(new Set(many.map(({ body: { missionId } }) => missionId)).size).toBe(1);
  expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
});

test('error: a body that names a member twice, which two readers would understand differently', async () => {
  const response = await fetch(`${world.url}/api/v1/missions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"goal": "hash \\"a\\"", "goal": "hash \\"b\\""}',
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'malformed_body',
    detail: expect.stringContaining('"goal" again'),
  });
});
