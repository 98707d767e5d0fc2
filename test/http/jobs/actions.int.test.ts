import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { lastNumbers } from '#src/jobs/ledger/ledger.ts';
import { carriedIn } from '#test/helpers/carried.ts';
import { until } from '#test/helpers/processes.ts';
import { type ActionApi, actionApi } from './action-api.ts';

const queue = 'acme.resize-image';
const states = async (api: ActionApi, ids: readonly string[]): Promise<string[]> => {
  const found = await lastNumbers(api.context, ids);
  return ids.map((id) => found.get(id)?.state ?? 'gone');
};
const eventsOf = async (api: ActionApi, id: string) =>
  (await api.call('GET', `/v1/jobs/${id}/timeline`)).json().events as { type: string; data: object }[];

test('a preview shows what would be done and does nothing; its token does it to these jobs, and to no later ones', async () => {
  await using api = await actionApi();
  const [first, ...others] = await api.many(30);
  const previewed = await api.post({ action: 'cancel', filter: { queue }, preview: true });
  const { token, count, sample, priority } = previewed.json();
  expect([previewed.statusCode, count, priority, sample.length]).toEqual([200, 30, null, 20]);
  expect(sample.map(({ id }: { id: string }) => id)).toEqual([first, ...others].slice(0, 20));
  expect(new Set(await states(api, [first!, ...others]))).toEqual(new Set(['queued']));
  const later = await api.submit(99);
  await api.call('DELETE', `/v1/jobs/${first}`);

  const begun = await api.post({ token, rate: 10_000 });
  expect([begun.statusCode, begun.headers['location']]).toEqual([202, `/v1/jobs/${begun.json().id}`]);
  expect((await api.post({ token })).json().id).toBe(begun.json().id);
  await api.fleet();
  expect((await api.ended(begun.json().id)).result).toMatchObject({
    action: 'cancel',
    jobs: 30,
    done: 29,
    skipped: 1,
    skippedBy: { cancelled: 1 },
    failed: 0,
  });
  expect(new Set(await states(api, others))).toEqual(new Set(['cancelled']));
  expect(await states(api, [later])).toEqual(['queued']);
  const last = (await eventsOf(api, others[0]!)).at(-1);
  expect(last).toMatchObject({
    type: 'cancelled',
    data: { by: expect.stringMatching(/^key:/), action: begun.json().id },
  });
});

test('failed jobs of a code are redriven by an operator, and run; what one redrive would refuse fails here too', async () => {
  await using api = await actionApi();
  const ids = await api.many(6);
  await api.fail(ids.slice(0, 4));
  await api.fail(ids.slice(4, 5), 'other');
  await api.context.db.query(sql.unsafe`update jobs set receipt = 'sealed' where id = ${ids[0]!}`);
  await api.context.db.query(sql.unsafe`update jobs set gate = 'reserved' where id = ${ids[1]!}`);
  const filter = { queue, owner: 'owner-1', state: 'failed', error_code: 'timeout' };
  const { token, count } = (await api.post({ action: 'redrive', filter, preview: true }, api.operator)).json();
  expect(count).toBe(4);
  await api.fleet();
  const { id } = (await api.post({ token }, api.operator)).json();
  expect((await api.ended(id)).result).toMatchObject({
    done: 2,
    failed: 2,
    failedBy: { sealed: 1, settling: 1 },
    failures: [
      { job: ids[0], code: 'sealed' },
      { job: ids[1], code: 'settling' },
    ],
  });
  expect(await states(api, ids)).toEqual(['failed', 'failed', 'queued', 'queued', 'failed', 'queued']);
  expect((await eventsOf(api, ids[2]!)).at(-1)).toMatchObject({ type: 'redriven', data: { action: id } });
  const worker = await api.worker();
  const taken = new Set<string>();
  while (taken.size < 3) for (const job of await worker.take(10)) taken.add(job.id);
  expect([...taken].toSorted()).toEqual([ids[2]!, ids[3]!, ids[5]!].toSorted());
});

test('an owner redrives its failed jobs, one and many, but for those that a person had to allow', async () => {
  await using api = await actionApi();
  const ids = await api.many(4);
  await api.fail(ids);
  await api.context.db.query(sql.unsafe`update jobs set approval_id = uuidv7() where id = ${ids[0]!}`);
  const strangers = await api.key({ owner: 'owner-2', scopes: ['jobs.submit', 'jobs.manage'] });
  const { token, count } = (await api.post({ action: 'redrive', filter: { state: 'failed' }, preview: true })).json();
  expect(count).toBe(3);
  const one = async (id: string, headers?: Record<string, string>) =>
    headers === undefined
      ? await api.call('POST', `/v1/jobs/${id}/redrive`)
      : await api.app.inject({ method: 'POST', url: `/v1/jobs/${id}/redrive`, headers });
  expect((await one(ids[1]!)).json()).toMatchObject({ state: 'queued' });
  expect((await one(ids[1]!, strangers.headers)).statusCode).toBe(404);
  expect((await one(ids[0]!)).body).toContain('operator');
  await api.fleet();
  const { id } = (await api.post({ token, changed_share: 1 })).json();
  expect((await api.ended(id)).result).toMatchObject({ done: 2, skippedBy: { queued: 1 } });
  expect(await states(api, ids)).toEqual(['failed', 'queued', 'queued', 'queued']);
});

test('jobs that have not begun expire; those that have begun are no part of it', async () => {
  await using api = await actionApi();
  const ids = await api.many(3);
  const worker = await api.worker();
  const [running] = await worker.take(1);
  const { token, count } = (await api.post({ action: 'expire', filter: { queue }, preview: true })).json();
  expect(count).toBe(2);
  await api.fleet();
  await api.ended((await api.post({ token })).json().id);
  const left = ids.filter((id) => id !== running!.id);
  expect(await states(api, left)).toEqual(['cancelled', 'cancelled']);
  expect(await api.job(left[0]!)).toMatchObject({ error: { code: 'cancelled', details: { reason: 'expired' } } });
  expect((await api.job(running!.id)).state).toBe('running');
});

test('waiting jobs get another priority, and are taken by it, each once', async () => {
  await using api = await actionApi();
  const ids = await api.many(8, { priority: 500 });
  const chosen = ids.slice(5);
  const wanted = { action: 'reprioritise', priority: 1, filter: { ids: chosen }, preview: true };
  const { token, count, priority } = (await api.post(wanted)).json();
  expect([count, priority]).toEqual([3, 1]);
  await api.fleet();
  await api.ended((await api.post({ token })).json().id);
  expect((await api.post(wanted)).json().count).toBe(0);
  // the broker hears of it after the action: until then it has each job under its old priority alone
  await until(async () => (await carriedIn(api.context, { queue, version: 1, suspect: false })).size === 11);
  const worker = await api.worker();
  const order: string[] = [];
  while (order.length < ids.length) order.push(...(await worker.take(1)).map(({ id }) => id));
  expect(order.slice(0, 3).toSorted()).toEqual(chosen);
  expect(new Set(order).size).toBe(ids.length);
  expect((await eventsOf(api, chosen[0]!)).map(({ type }) => type)).toContain('reprioritised');
});

test('a running job that is cancelled with others is stopped at its worker, and a decision that is waited for is withdrawn', async () => {
  await using api = await actionApi();
  const running = await api.submit(1);
  const worker = await api.worker();
  const inHand = await worker.take(1);
  const waiting = await api.submit(2, { approval: true });
  const { token, count } = (await api.post({ action: 'cancel', filter: { queue }, preview: true })).json();
  expect(count).toBe(2);
  await api.fleet();
  await api.ended((await api.post({ token })).json().id);
  expect(await states(api, [running, waiting])).toEqual(['cancelled', 'cancelled']);
  expect((await worker.poll(1, inHand)).stop).toMatchObject([{ id: running }]);
  // the mark by which governing withdraws the request for a decision
  expect(
    await api.context.db.oneFirst(sql.unsafe`select gate in ('ask', 'asked') from jobs where id = ${waiting}`),
  ).toBe(true);
});

test('error: where too many have moved on, nothing is done, and both counts are said', async () => {
  await using api = await actionApi();
  const ids = await api.many(10);
  const { token } = (await api.post({ action: 'cancel', filter: { queue }, preview: true })).json();
  for (const id of ids.slice(0, 2)) await api.call('DELETE', `/v1/jobs/${id}`);
  const refused = await api.post({ token });
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'state_conflict', details: { previewed: 10, unchanged: 8, changed_share: 0.1 } },
  ]);
  expect(new Set(await states(api, ids.slice(2)))).toEqual(new Set(['queued']));
  await api.fleet();
  const { id } = (await api.post({ token, changed_share: 0.2 })).json();
  expect((await api.ended(id)).result).toMatchObject({ done: 8, skipped: 2 });
});

test('error: an action on the jobs of others, without the scope, without a token of one’s own, or that is too old', async () => {
  await using api = await actionApi();
  await api.many(2);
  const stranger = (await api.key({ owner: 'owner-2', scopes: ['jobs.submit'] })).headers;
  const reader = (await api.key({ scopes: ['studio.read'] })).headers;
  const other = (await api.key({ scopes: ['jobs.submit'] })).headers;
  const cancel = (filter: object) => ({ action: 'cancel', filter, preview: true });
  const { token } = (await api.post(cancel({ queue }))).json();
  const refused: [object, typeof stranger | undefined, number, string][] = [
    [cancel({ owner: 'owner-1' }), stranger, 403, 'operator'],
    [cancel({ queue }), stranger, 400, 'body.filter.queue'],
    [cancel({ state: 'queued' }), reader, 403, 'jobs.submit'],
    [{ action: 'redrive', filter: { queue }, preview: true }, other, 403, 'jobs.manage'],
    [{ action: 'redrive', filter: { queue: 'platform.respond' }, preview: true }, undefined, 403, 'operator'],
    [cancel({ state: 'failed' }), undefined, 400, 'body.filter.state'],
    [cancel({}), undefined, 400, 'body'],
    [{ ...cancel({ queue }), priority: 1 }, undefined, 400, 'body.priority'],
    [{ ...cancel({ queue }), action: 'reprioritise' }, undefined, 400, 'body.priority'],
    [{ action: 'cancel', filter: { queue } }, undefined, 400, 'body'],
    [{ token }, stranger, 404, 'body.token'],
    // a key of the same owner has its own previews
    [{ token }, other, 404, 'body.token'],
    [{ token, rate: 0 }, undefined, 400, 'body.rate'],
  ];
  for (const [body, headers, status, place] of refused) {
    const answer = await api.post(body, headers);
    expect([answer.statusCode, answer.body], JSON.stringify(body)).toEqual([status, expect.stringContaining(place)]);
  }
  expect((await api.post(cancel({ state: 'queued' }), stranger)).json().count).toBe(0);
  await api.context.db.query(sql.unsafe`update job_actions set expires_at = now() - interval '1 second'`);
  const late = await api.post({ token });
  expect([late.statusCode, late.json().code]).toEqual([409, 'state_conflict']);
});

test('a filter narrows by group, age and text', async () => {
  await using api = await actionApi();
  const [plain] = await api.many(1);
  const grouped = await api.submit(77, { group: 'north' });
  await api.context.db.query(sql.unsafe`update jobs set created_at = now() - interval '2 hours' where id = ${plain!}`);
  const found = async (filter: object) =>
    (await api.post({ action: 'cancel', filter, preview: true })).json().sample.map(({ id }: { id: string }) => id);
  expect(await found({ group: 'north' })).toEqual([grouped]);
  expect(await found({ older_than_s: 3_600 })).toEqual([plain]);
  expect(await found({ created_after: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([grouped]);
  expect(await found({ text: '77' })).toEqual([grouped]);
  expect(await found({ queue, state: 'queued' })).toEqual([plain!, grouped].toSorted());
});

test('an action is not about actions, keeps to its rate, and ends where it is cancelled', async () => {
  await using api = await actionApi();
  const ids = await api.many(60);
  const { token } = (await api.post({ action: 'cancel', filter: { queue }, preview: true })).json();
  const { id } = (await api.post({ token, rate: 10 })).json();
  const all = await api.post({ action: 'cancel', filter: { owner: 'owner-1' }, preview: true }, api.operator);
  expect(all.json().count).toBe(60);
  await api.fleet();
  const cancelled = async () => (await states(api, ids)).filter((state) => state === 'cancelled').length;
  await expect.poll(cancelled, { timeout: 20_000 }).toBeGreaterThan(3);
  const ended = await api.call('DELETE', `/v1/jobs/${id}`);
  const atCancel = await cancelled();
  // it says what it had done, in its answer and whenever it is read
  const counts = { action: 'cancel', jobs: 60, over: atCancel, done: atCancel, skipped: 0, failed: 0 };
  for (const { statusCode, json } of [ended, await api.call('GET', `/v1/jobs/${id}`)])
    expect([statusCode, json()]).toMatchObject([200, { state: 'cancelled', result: null, progress: counts }]);
  expect(atCancel).toBeLessThan(60);
  // final when it is committed: whoever comes later finds the same
  await api.submit(1);
  expect(await cancelled()).toBe(atCancel);
});
