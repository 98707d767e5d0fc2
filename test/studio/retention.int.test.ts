import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget, reserve, settle } from '#src/governance/budgets/budgets.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { forgetOld } from '#src/jobs/sweep/retention.ts';
import { openDirect } from '#src/system/postgres/direct-postgres.ts';
import { trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { openSse } from '#test/http/streams.ts';

const days = { JOB_RETENTION_DAYS: '10', EVENT_RETENTION_DAYS: '10', CALLS_RETENTION_DAYS: '10' };
let api: TestApi;
let url: string;

beforeAll(async () => {
  api = await testApi({ ...days, ARTEFACT_RETENTION_DAYS: '20' });
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => await api[Symbol.asyncDispose]());

async function forget(): Promise<Readonly<Record<string, number>>> {
  const client = await openDirect(api.context.config, 'test', () => {});
  try {
    return await forgetOld(api.context, client);
  } finally {
    await client.end();
  }
}

const ids = async (table: string, column = 'id') =>
  new Set(
    await api.context.db.anyFirst(sql.unsafe`select ${sql.identifier([column])}::text from ${sql.identifier([table])}`),
  );
const job = async () =>
  (await submit(api.context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' } })).job.id;

test('a cursor older than the stored events is answered by a reset with a snapshot, and so is a missing one', async () => {
  const { headers } = await api.key({ owner: 'iris', scopes: ['studio.read', 'studio.brief'] });
  const brief = async () =>
    await fetch(`${url}/api/studio/v1/brief`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'Shoes that run', mode: 'campaign' }),
    });
  for (let n = 1; n <= 3; n++) expect((await brief()).status).toBe(201);
  const follow = async (cursor: string | null) => {
    const stream = await openSse(`${url}/api/studio/v1/events`, {
      ...headers,
      ...(cursor !== null && { 'last-event-id': cursor }),
    });
    const seen: { event: string; id: string; data: any }[] = [];
    for await (const { event = '', id = '', data } of stream.events) {
      seen.push({ event, id, data: data === '' ? null : JSON.parse(data) });
      if (seen.length === 2) break;
    }
    stream.close();
    return seen;
  };
  const [, first] = await follow(null);
  expect(first).toMatchObject({ event: 'brief.created' });
  await api.context.db.query(sql.unsafe`
    update owner_events set at = now() - interval '11 days' where owner = 'iris' and n <= 2`);
  expect(await forget()).toMatchObject({ ownerEvents: 2 });
  for (const cursor of [first?.id ?? '', null]) {
    const [ready, answer] = await follow(cursor);
    expect(ready?.event).toBe('studio_stream_ready');
    expect(answer).toMatchObject({ event: 'reset', data: { data: { reason: 'gap', snapshot: expect.anything() } } });
    expect(answer?.id).toMatch(/\.3$/);
  }
});

test('what a call cost is forgotten with its job; what weighs on a budget stays, and the sums of budgets as well', async () => {
  const { context } = api;
  await openBudget(context.db, 'job:kept', null);
  const call = {
    provider: 'one',
    owner: 'alice',
    keyId: null,
    surface: 'studio',
    capability: 'image.generate',
  } as const;
  const [gone, unknown, living] = [randomUUIDv7(), randomUUIDv7(), await job()];
  for (const of of [gone, unknown, living]) {
    await reserve(context, { ...call, job: of, budgets: ['job:kept'], quoted: 100 });
    await context.db.query(sql.unsafe`
      insert into provider_messages (job, provider, body, created_at) values (${of}, 'one', '{}', now() - interval '11 days')`);
  }
  for (const of of [gone, living]) await settle(context, { job: of, provider: 'one' }, { cost: 100, externalId: null });
  await context.db.query(sql.unsafe`
    update provider_calls set ended_at = now() - interval '11 days', created_at = now() - interval '11 days',
      state = case when job = ${unknown} then 'unknown' else state end`);
  expect(await forget()).toMatchObject({ providerCalls: 1, providerMessages: 2 });
  expect(await ids('provider_calls', 'job')).toEqual(new Set([unknown, living]));
  expect(await ids('provider_messages', 'job')).toEqual(new Set([living]));
  expect(await readBudget(context, 'job:kept')).toMatchObject({ reserved: 100, spent: 200 });
});

test('approvals that are over, and briefs and plans that nothing refers to, are forgotten by their own clocks', async () => {
  const { context } = api;
  const insert = async (table: string, more: Readonly<Record<string, unknown>>, age: number, name = 'created_at') => {
    const id = randomUUIDv7();
    const entries = Object.entries({ id, owner: 'otto', ...more });
    const names = sql.join(
      [...entries.map(([key]) => sql.identifier([key])), sql.identifier([name])],
      sql.fragment`, `,
    );
    const values = sql.join(
      entries.map(([, value]) => sql.fragment`${value}`),
      sql.fragment`, `,
    );
    await context.db.query(sql.unsafe`
      insert into ${sql.identifier([table])} (${names}) values (${values}, now() - ${age} * interval '1 day')`);
    return id;
  };
  const hash = sql.fragment`decode(${'00'.repeat(32)}, 'hex')`;
  const approval = async (state: string, subject: string, age: number, of: string | null = null) => {
    const id = randomUUIDv7();
    await context.db.query(sql.unsafe`
      insert into approvals (id, owner, kind, subject, effect, effect_hash, areas, state, job, requested_by, expires_at)
      values (${id}, 'otto', 'render', ${subject}, '{}', ${hash}, '[]', ${state}, ${of}, 'a test', now() - ${age} * interval '1 day')`);
    return id;
  };
  const plan = async (brief: string, age: number) => {
    const id = randomUUIDv7();
    await context.db.query(sql.unsafe`
      insert into studio_plans (id, owner, brief, plan, plan_hash, created_at)
      values (${id}, 'otto', ${brief}, '{}', ${hash}, now() - ${age} * interval '1 day')`);
    return id;
  };
  const brief = async (age: number) => await insert('studio_briefs', { brief: '{}' }, age);
  const [lonely, planned, needed, young] = [await brief(21), await brief(21), await brief(21), await brief(11)];
  const forgotten = await plan(planned, 21);
  const asked = await plan(needed, 21);
  const rendered = await plan(needed, 21);
  const work = await job();
  await insert('studio_jobs', { id: work, kind: 'render', plan: rendered }, 21);
  const orphan = await insert('studio_jobs', { kind: 'render' }, 21);
  const over = [await approval('used', forgotten, 11), await approval('declined', forgotten, 11)];
  const stay = [
    await approval('granted', asked, 11),
    await approval('expired', forgotten, 9),
    await approval('used', rendered, 11, work),
  ];
  const before = await forget();
  expect(before).toMatchObject({ approvals: over.length, studioJobs: 1, plans: 0 });
  expect(await ids('approvals')).toEqual(new Set(stay));
  expect(await ids('studio_jobs')).not.toContain(orphan);
  await context.db.query(
    sql.unsafe`update approvals set expires_at = now() - interval '11 days' where state = 'expired'`,
  );
  expect(await forget()).toMatchObject({ approvals: 1, plans: 1, briefs: 1 });
  expect(await ids('studio_plans')).toEqual(new Set([asked, rendered]));
  const kept = await ids('studio_briefs');
  expect([lonely, planned].map((id) => kept.has(id))).toEqual([false, false]);
  expect([needed, young].map((id) => kept.has(id))).toEqual([true, true]);
});
