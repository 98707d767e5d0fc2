import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlan } from '#src/studio/plan/make-plan.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

let api: TestApi;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  api = await testApi();
  ({ headers } = await api.key());
});
afterAll(async () => await api[Symbol.asyncDispose]());

const brief = { mode: 'voice', prompt: 'A harbour wakes' };

async function post(path: string, payload: object, key?: string, who = headers) {
  const response = await api.app.inject({
    method: 'POST',
    url: `/api/studio/v1/${path}`,
    headers: { ...who, ...(key !== undefined && { 'idempotency-key': key }) },
    payload,
  });
  return { status: response.statusCode, replayed: response.headers['idempotency-replayed'], body: response.json() };
}

async function rows(table: 'studio_briefs' | 'studio_plans'): Promise<number> {
  const name = table === 'studio_briefs' ? sql.fragment`studio_briefs` : sql.fragment`studio_plans`;
  const { rows: found } = await api.context.db.query(sql.unsafe`select id from ${name} where owner = 'owner-1'`);
  return found.length;
}

test('a brief that is sent again under its key is one brief; another under it is 409', async () => {
  const before = await rows('studio_briefs');
  const first = await post('brief', brief, 'b-1');
  const again = await post('brief', { ...brief, managedByPlatform: true }, 'b-1');
  expect([first.status, again.status, first.replayed, again.replayed]).toEqual([201, 200, undefined, 'true']);
  expect(again.body).toEqual(first.body);
  expect(await rows('studio_briefs')).toBe(before + 1);
  const other = await post('brief', { ...brief, title: 'Dawn' }, 'b-1');
  expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_conflict']);
  // without a key, or with another, there are more
  expect((await post('brief', brief)).body.output.brief.id).not.toBe(first.body.output.brief.id);
  expect((await post('brief', brief, 'b-2')).body.output.brief.id).not.toBe(first.body.output.brief.id);
});

test('eight at once under one key are one brief and one plan with one approval', async () => {
  const before = [await rows('studio_briefs'), await rows('studio_plans')];
  const briefs = await Promise.all(Array.from({ length: 8 }, async () => await post('brief', brief, 'b-8')));
  expect(new Set(briefs.map(({ body }) => body.output.brief.id)).size).toBe(1);
  expect(briefs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 200, 200, 200, 200, 200, 200, 201,
  ]);
  const plans = await Promise.all(Array.from({ length: 8 }, async () => await post('plan', brief, 'b-8')));
  expect(new Set(plans.map(({ body }) => body.output.plan.id)).size).toBe(1);
  expect(new Set(plans.map(({ body }) => body.output.approval.id)).size).toBe(1);
  // the plan's own brief is another than that of the key
  expect([await rows('studio_briefs'), await rows('studio_plans')]).toEqual([before[0]! + 2, before[1]! + 1]);
});

test('a plan that is sent again under its key is that plan, as it was made; another under it is 409', async () => {
  const kept = await post('brief', brief);
  const asked = { briefId: kept.body.output.brief.id, routePolicy: 'cost_guarded', budgetUsd: 2 };
  const first = await post('plan', asked, 'p-1');
  const again = await post('plan', asked, 'p-1');
  expect([first.status, again.status, again.replayed]).toEqual([201, 200, 'true']);
  expect(again.body).toEqual(first.body);
  for (const change of [{ budgetUsd: 3 }, { routePolicy: 'balanced' }, { targetFormats: ['1:1'] }]) {
    const other = await post('plan', { ...asked, ...change }, 'p-1');
    expect([other.status, other.body.error.code], JSON.stringify(change)).toEqual([409, 'idempotency_conflict']);
    expect(other.body.error.message).toContain(
      `made the plan ${first.body.output.plan.id}. Send this request with a new key`,
    );
  }
  // of another brief, or of words, though they say the same
  expect((await post('plan', brief, 'p-1')).status).toBe(409);
  const declined = sql.unsafe`update approvals set state = 'declined' where id = ${first.body.output.approval.id}`;
  await api.context.db.query(declined);
  // the answer tells how the approval stands now, and asks for no other
  const later = await post('plan', asked, 'p-1');
  expect(later.body.output.approval).toMatchObject({ id: first.body.output.approval.id, status: 'declined' });
});

test('a plan of words under a used key names that key, as the client wrote it, and what it made', async () => {
  const first = await post('plan', brief, 'p-words');
  const other = await post('plan', { ...brief, prompt: 'A harbour sleeps' }, 'p-words');
  expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_conflict']);
  const { briefId } = first.body.output.plan;
  expect(other.body.error.message).toBe(
    `The Idempotency-Key "p-words" was used before with another request, which made the brief ${briefId} of a plan. Send this request with a new key, or repeat that one unchanged to get the same again.`,
  );
});

test('keys are of an owner, and lists stay in order of time', async () => {
  const stranger = await api.key({ owner: 'owner-2' });
  const mine = await post('brief', brief, 'shared');
  const theirs = await post('brief', { ...brief, title: 'Other' }, 'shared', stranger.headers);
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  const last = await post('brief', brief);
  const { body } = await (async () => {
    const response = await api.app.inject({ url: '/api/studio/v1/briefs?limit=2', headers });
    return { body: response.json() };
  })();
  expect(JSON.stringify(body).indexOf(last.body.output.brief.id)).toBeLessThan(
    JSON.stringify(body).indexOf(mine.body.output.brief.id),
  );
});

test('what a caller does without a key makes a plan each time', async () => {
  const principal = {
    owner: 'owner-1',
    keyId: null,
    scopes: [],
    operator: false,
    human: null,
    session: null,
    tier: 'standard',
  };
  const make = async () => await createPlan(api.context, principal, brief as never);
  const [one, two] = [await make(), await make()];
  expect([one.created, two.created]).toEqual([true, true]);
  expect(one.output['plan']).not.toEqual(two.output['plan']);
});
