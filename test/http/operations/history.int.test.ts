import pg from 'pg';
import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fillHistory } from '#src/jobs/history/fill-history.ts';
import { forgettable } from '#src/jobs/sweep/forgettable.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

const queue = 'acme.count-words';
const HOUR_MS = 3_600_000;

let api: TestApi;
let mine: Readonly<Record<string, string>>;
let operator: Readonly<Record<string, string>>;
let client: pg.Client;
beforeAll(async () => {
  api = await testApi({ GRAFANA_URL: 'https://grafana.example.com/team/' });
  mine = (await api.key({ owner: 'acme', scopes: ['jobs.manage', 'jobs.submit'] })).headers;
  operator = (await api.key({ owner: 'house', scopes: [], operator: true })).headers;
  const contract = { title: 'Count', payload: { type: 'object' }, result: { type: 'object' } };
  await api.app.inject({ method: 'PUT', url: `/v1/queues/${queue}`, headers: mine, payload: { contract } });
  client = new pg.Client({ connectionString: api.context.config.DATABASE_URL });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await api[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await client.query('truncate queue_history, queue_history_spans');
  await client.query('update queue_history_cursor set position = null');
});

const past = async (path: string, query: Record<string, string> = {}, headers = mine) =>
  await api.app.inject({ url: `${path}?${new URLSearchParams(query).toString()}`, headers });
const ofQueue = `/v1/queues/${queue}/history`;
const fill = async () => await fillHistory(api.context, client);

/** Keeps figures of an hour, known from an hour before it on. */
async function keep(start: Date, group: string, succeeded: number, runs: Record<string, number> = {}, of = queue) {
  await client.query(`insert into queue_history values ($1, $2, 3600, $3, $4, $4, $4, 0, 0, 0, 0, '{}', $5)`, [
    of,
    group,
    start.toISOString(),
    succeeded,
    JSON.stringify(runs),
  ]);
}
const known = async (since: number, until: number) =>
  void (await client.query('insert into queue_history_spans values ($1, $2)', [
    new Date(since).toISOString(),
    new Date(until).toISOString(),
  ]));

test('what is submitted shows in this minute, for its queue, its groups, and all queues', async () => {
  await fill();
  for (const group of ['desk', 'desk', undefined])
    await api.app.inject({
      method: 'POST',
      url: `/v1/queues/${queue}/jobs`,
      headers: { ...mine, prefer: 'respond-async' },
      payload: { payload: {}, ...(group !== undefined && { group }) },
    });
  await fill();
  const answer = (await past(ofQueue)).json();
  expect(answer).toMatchObject({
    queue,
    group: null,
    step_seconds: 60,
    resolution_seconds: 60,
    grafana: null,
    rest: null,
  });
  expect(answer.total).toMatchObject({ submitted: 3, started: 0, succeeded: 0, wait: null, run: null });
  expect(answer.groups).toMatchObject([
    { name: 'desk', submitted: 2 },
    { name: 'acme', submitted: 1 },
  ]);
  // nothing is known of the 58 minutes before
  expect(answer.points.length).toBeLessThanOrEqual(2);
  expect(answer.points.at(-1).complete).toBe(false);
  expect((await past(ofQueue, { group: 'desk' })).json().total).toMatchObject({ submitted: 2 });
  expect((await past('/v1/operations/history')).json()).toMatchObject({
    whose: 'own',
    total: { submitted: 3 },
    queues: [{ name: queue, submitted: 3 }],
  });
  const all = (await past('/v1/operations/history', {}, operator)).json();
  expect(all).toMatchObject({ whose: 'all', total: { submitted: 3 } });
  expect(all.grafana).toMatch(/^https:\/\/grafana\.example\.com\/team\/d\/proofline-fleet\?from=\d+&to=\d+$/);
});

test('a year is told by days, a gap is not told, and what is known and had no jobs is zero', async () => {
  const today = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const day = (ago: number) => today - ago * 24 * HOUR_MS;
  await known(day(300), day(200));
  await known(day(100), day(0));
  // 1 ms and about 2.2 s
  await keep(new Date(day(250)), '', 10, { 0: 6, 100: 4 });
  await keep(new Date(day(250) + 5 * HOUR_MS), '', 30, { 0: 30 });
  await keep(new Date(day(50)), '', 5);
  const answer = (
    await past(ofQueue, { from: new Date(day(365)).toISOString(), to: new Date(day(0)).toISOString(), step: '1d' })
  ).json();
  expect(answer).toMatchObject({ step_seconds: 86_400, resolution_seconds: 3_600 });
  expect(answer.points).toHaveLength(200);
  expect(answer.points.every(({ complete }: { complete: boolean }) => complete)).toBe(true);
  const at = (ago: number) =>
    answer.points.find((one: { at: string }) => one.at === new Date(day(ago)).toISOString()) ?? null;
  expect(at(250)).toMatchObject({ succeeded: 40, run: { count: 40, p50: 0.001 } });
  expect(at(250).run.p99).toBeGreaterThan(2);
  expect(at(249)).toMatchObject({ succeeded: 0, run: null });
  expect([at(301), at(150)]).toEqual([null, null]);
  expect(answer.total).toMatchObject({ succeeded: 45 });
});

test('the busiest groups are told by themselves, and the others together', async () => {
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;
  await known(hour - HOUR_MS, hour + 2 * HOUR_MS);
  for (let n = 1; n <= 23; n++) await keep(new Date(hour), `g${n}`, n, { 100: n });
  const { groups, rest } = (await past(ofQueue, { from: new Date(hour).toISOString(), step: '1h' })).json();
  expect(groups).toHaveLength(20);
  expect(groups[0]).toMatchObject({ name: 'g23', succeeded: 23 });
  expect(rest).toMatchObject({ succeeded: 1 + 2 + 3, run: { count: 6 } });
});

test('a queue of another is not there, and what they see of all is their own', async () => {
  await fill();
  const stranger = (await api.key({ owner: 'eve', scopes: ['jobs.manage'] })).headers;
  expect((await past(ofQueue, {}, stranger)).statusCode).toBe(404);
  expect((await past('/v1/queues/analytics.fit/history', {}, mine)).statusCode).toBe(404);
  expect((await past('/v1/queues/analytics.fit/history', {}, operator)).statusCode).toBe(200);
  expect((await past('/v1/queues/acme.none/history', {}, operator)).statusCode).toBe(404);
  await keep(new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS), '', 7);
  const theirs = (await past('/v1/operations/history', { step: '1h' }, stranger)).json();
  expect(theirs).toMatchObject({ whose: 'own', total: { succeeded: 0 }, queues: [] });
  const none = (await api.key({ owner: 'eve', scopes: [] })).headers;
  expect((await past('/v1/operations/history', {}, none)).statusCode).toBe(403);
});

test.each([
  [
    { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' },
    'from: expected an instant before 2026-03-01T00:00:00.000Z, where the time ends, got 2026-03-02T00:00:00.000Z.',
  ],
  [
    { from: '2026-03-01T00:00:00Z', to: '2026-03-03T00:00:00Z', step: '1m' },
    'step: expected at most 1,500 steps, got 2,880 from 2026-03-01T00:00:00.000Z to 2026-03-03T00:00:00.000Z: ask for longer steps, or for a shorter time.',
  ],
])('error: %j', async (query, detail) => {
  const answer = await past(ofQueue, query);
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'invalid_request', detail }]);
});

test.each([
  ['step', '90s'],
  ['from', 'yesterday'],
  ['since', '1h'],
])('error: %s=%s is refused', async (name, value) => {
  expect((await past(ofQueue, { [name]: value })).statusCode).toBe(400);
});

test('each width of buckets is forgotten in its time', async () => {
  for (const seconds of [60, 600, 3_600])
    for (const days of [1, 3, 15, 401])
      await client.query(
        `insert into queue_history values ('', '', $1::int, date_bin($1::int * interval '1 s', now() - $2::int * interval '1 day', '2000-01-01'), 0, 0, 0, 0, 0, 0, 0, '{}', '{}')`,
        [seconds, days],
      );
  for (const { name, statement, days } of forgettable)
    if (name.startsWith('queueHistory')) await client.query(statement, [days(api.context.config), 1_000]);
  const left = await api.context.db.any(sql.unsafe`
    select resolution, count(*)::int as n from queue_history group by resolution order by resolution`);
  expect(left).toEqual([
    { resolution: 60, n: 1 },
    { resolution: 600, n: 2 },
    { resolution: 3_600, n: 3 },
  ]);
});
