import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fit, stress } from '#queues/analytics.ts';
import { searchJobs } from '#src/jobs/read/search-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

type Headers = Readonly<Record<string, string>>;
interface Page {
  readonly data: readonly { readonly id: string; readonly owner: string }[];
  readonly next_cursor: string | null;
  readonly searched_to: string | null;
}

let api: TestApi;
let operator: Headers;
let caller: Headers;
beforeAll(async () => {
  api = await testApi();
  operator = (await api.key({ owner: 'op', operator: true })).headers;
  caller = (await api.key({ owner: 'owner-1' })).headers;
});
afterAll(async () => await api[Symbol.asyncDispose]());

const ask = async (query: Readonly<Record<string, string>>, headers: Headers = operator) =>
  await api.app.inject({ url: `/v1/jobs?${new URLSearchParams(query).toString()}`, headers });

const idsOf = async (query: Readonly<Record<string, string>>, headers: Headers = operator) =>
  (await ask(query, headers)).json<Page>().data.map(({ id }) => id);

const add = async (owner: string, text: string, more: object = {}) =>
  (await submit(api.context, trial, { principal: { owner }, payload: { do: 'succeed', text }, ...more })).job.id;

test('a search finds jobs by a part of their id, key, payload or error, each caller among their own', async () => {
  const first = await add('owner-1', 'The quick brown Fox');
  const second = await add('owner-2', 'a quick 100% reader');
  const keyed = await add('owner-1', 'no such animal', { idempotencyKey: 'order-QUICK-17' });
  const failed = await add('owner-1', 'x');
  const error = JSON.stringify({ code: 'poisoned', message: 'it was too quick' });
  await api.context.db.query(
    sql.unsafe`update jobs set state = 'failed', finished_at = now(), error = ${error}::jsonb where id = ${failed}`,
  );
  expect(await idsOf({ text: 'quick' })).toEqual([failed, keyed, second, first].toSorted().toReversed());
  expect(await idsOf({ text: 'quick' }, caller)).toEqual([failed, keyed, first].toSorted().toReversed());
  expect(await idsOf({ text: 'quick', state: 'failed' })).toEqual([failed]);
  expect(await idsOf({ text: 'quick', owner: 'owner-2' })).toEqual([second]);
  expect(await idsOf({ text: 'quick', queue: fit.name })).toEqual([]);
  // what is a pattern elsewhere is text here
  expect(await idsOf({ text: '100%' })).toEqual([second]);
  expect(await idsOf({ text: 'q_ick' })).toEqual([]);
  expect(await idsOf({ text: first.slice(20, 36) })).toEqual([first]);
  expect(await idsOf({ text: first.toUpperCase() }, caller)).toEqual([first]);
  expect(await idsOf({ text: second }, caller)).toEqual([]);
});

test('pages of a search go on where the last one ended, a whole id first and once', async () => {
  const wanted = await add('owner-3', 'the needle');
  const naming = await Promise.all([1, 2, 3].map(async (n) => await add('owner-3', `${n} follows ${wanted}`)));
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = (await ask({ text: wanted, limit: '1', ...(cursor && { cursor }) })).json<Page>();
    expect(page.searched_to).toBeNull();
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual([wanted, ...naming.toSorted().toReversed()]);
});

test('a search that has no time left says how far it has looked, and the next page goes on there', async () => {
  const owner = `owner-${randomUUID()}`;
  await api.context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, held)
    select uuidv7(n * interval '1 minute'), ${owner}, ${stress.name}, 'queued', 0,
      jsonb_build_object('n', n, 'place', case n when -7 then 'here' when -290 then 'here' end), '', true
    from (select generate_series(-300, -1) as n) s`);
  const filter = { owner, text: '"here"', limit: 20 };
  let now = performance.now();
  // each look at the clock finds that three seconds have passed
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3_000));
  const first = await searchJobs(api.context, filter).finally(() => clock.mockRestore());
  expect(first).toMatchObject({ jobs: [{ owner }], nextCursor: expect.any(String), searchedTo: expect.any(Date) });
  const second = await searchJobs(api.context, { ...filter, cursor: first.nextCursor ?? '' });
  expect(second).toMatchObject({ jobs: [{ owner }], nextCursor: null, searchedTo: null });
  expect(second.jobs[0]?.id).not.toBe(first.jobs[0]?.id);
});

test('an operator lists the jobs of one owner, and anybody those that a job of theirs asked for', async () => {
  const parent = await add('owner-4', 'a batch');
  const child = await add('owner-4', 'its line', { parentId: parent });
  const other = await add('owner-5', 'its line', { parentId: parent });
  expect(await idsOf({ owner: 'owner-4' })).toEqual([child, parent]);
  expect(await idsOf({ parent })).toEqual([other, child].toSorted().toReversed());
  expect(await idsOf({ parent }, (await api.key({ owner: 'owner-4' })).headers)).toEqual([child]);
});

test('error: who is no operator names no owner, and a text that no row can hold is refused', async () => {
  const named = await ask({ owner: 'owner-1' }, caller);
  expect([named.statusCode, named.json<{ detail: string }>().detail]).toEqual([
    403,
    'expected a key of an operator with owner=owner-1, got one without that flag: leave owner out for your own jobs.',
  ]);
  expect((await ask({ text: 'a\0b' })).statusCode).toBe(400);
  expect((await ask({ text: 'a' })).statusCode).toBe(400);
  expect((await ask({ text: 'ab', cursor: 'nonsense' })).statusCode).toBe(400);
});
