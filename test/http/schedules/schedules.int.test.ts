import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { admitWork } from '#src/access/quota.ts';
import { runDue } from '#src/jobs/schedules/run-due.ts';
import { startSchedules } from '#src/jobs/schedules/start-schedules.ts';
import { contract, fence, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const body = { queue: 'acme.resize-image', payload: { width: 7 }, every_ms: 3_600_000 };
const put = async (api: RemoteApi, name: string, more: object = {}) =>
  await api.call('PUT', `/v1/schedules/${name}`, { ...body, ...more });
const read = async (api: RemoteApi, name: string) => (await api.call('GET', `/v1/schedules/${name}`)).json();
const look = async (api: RemoteApi) => await runDue(api.context, admitWork(api.context));

/** Sets the next time of a schedule so many seconds back. */
const overdue = async (api: RemoteApi, name: string, seconds = 0) =>
  await api.context.db.query(sql.unsafe`
    update schedules set next_at = date_trunc('milliseconds', now()) - ${seconds} * interval '1 second',
      made_at = date_trunc('milliseconds', now()) - ${seconds} * interval '1 second' where name = ${name}`);
const outcomes = async (api: RemoteApi, name: string): Promise<string[]> =>
  (await read(api, name)).runs.map(({ outcome }: { outcome: string }) => outcome);

test('a schedule is made, shown with its next times, changed, paused, resumed, run and removed', async () => {
  await using api = await remoteApi();
  const made = await put(api, 'nightly', {
    every_ms: undefined,
    cron: '0 7 * * 1-5',
    zone: 'Europe/London',
    priority: 3,
  });
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    { name: 'nightly', cron: '0 7 * * 1-5', zone: 'Europe/London', overlap: 'skip', missed: 'last', paused: false },
  ]);
  const { next, next_at: nextAt, runs } = await read(api, 'nightly');
  expect([next.length, next[0], runs]).toEqual([10, nextAt, []]);
  expect((await put(api, 'nightly')).json()).toMatchObject({ cron: null, every_ms: 3_600_000 });
  expect((await api.call('POST', '/v1/schedules/nightly/pause')).json()).toMatchObject({ paused: true, next_at: null });
  const { job_id: job } = (await api.call('POST', '/v1/schedules/nightly/run')).json();
  expect(await api.job(job)).toMatchObject({ state: 'queued', payload: { width: 7 } });
  expect((await read(api, 'nightly')).runs).toMatchObject([{ outcome: 'submitted', job_id: job, reason: 'by hand' }]);
  expect((await api.call('POST', '/v1/schedules/nightly/resume')).json()).toMatchObject({ paused: false });
  expect((await api.call('GET', '/v1/schedules')).json()).toMatchObject({ data: [{ name: 'nightly' }], next: null });
  expect((await api.call('DELETE', '/v1/schedules/nightly')).statusCode).toBe(204);
  expect((await api.call('GET', '/v1/schedules/nightly')).statusCode).toBe(404);
});

test('error: what could never run is refused with its place', async () => {
  await using api = await remoteApi();
  const refused: [object, number, string][] = [
    [{ cron: '0 7 * * *' }, 400, 'body.cron'],
    [{ every_ms: undefined }, 400, 'body.cron'],
    [{ every_ms: undefined, cron: '0 0 31 2 *' }, 400, 'body.cron'],
    [{ zone: 'Mars/Base' }, 400, 'body.zone'],
    [{ zone: '+02:00' }, 400, 'body.zone'],
    [{ zone: '-0330' }, 400, 'body.zone'],
    [{ queue: 'other.queue' }, 404, 'body.queue'],
    [{ payload: { width: 0 } }, 422, '/width'],
    [{ overlap: 'wait' }, 400, 'body.overlap'],
    [{ every_ms: 1 }, 400, 'body.every_ms'],
  ];
  for (const [more, status, place] of refused) {
    const answer = await put(api, 'nightly', more);
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(place)]);
  }
  expect((await put(api, 'Not a name')).statusCode).toBe(400);
  const stranger = await api.key({ owner: 'owner-2', scopes: ['jobs.submit'] });
  await put(api, 'nightly');
  const url = '/v1/schedules/nightly';
  for (const method of ['GET', 'DELETE'] as const)
    expect((await api.app.inject({ method, url, headers: stranger.headers })).statusCode).toBe(404);
});

test('operators see, pause and remove the schedules of all owners, and nobody else does', async () => {
  await using api = await remoteApi();
  await put(api, 'a-first');
  await put(api, 'b-second');
  const operator = await api.key({ owner: 'op', scopes: ['jobs.submit'], operator: true });
  const stranger = await api.key({ owner: 'owner-2', scopes: ['jobs.submit'] });
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, { headers } = operator) =>
    await api.app.inject({ method, url: `/v1/schedules${path}`, headers });
  expect((await call('GET', '')).json().data).toEqual([]);
  const first = (await call('GET', '?owner=*&limit=1')).json();
  expect(first).toMatchObject({ data: [{ owner: 'owner-1', name: 'a-first', last_run: null }] });
  const second = (await call('GET', `?owner=*&after=${encodeURIComponent(first.next)}`)).json();
  expect(second).toMatchObject({ data: [{ owner: 'owner-1', name: 'b-second' }], next: null });
  expect((await call('GET', '?owner=owner-1')).json().data).toHaveLength(2);
  expect((await call('POST', '/a-first/pause?owner=owner-1')).json()).toMatchObject({ paused: true });
  expect((await call('GET', '/a-first?owner=owner-1')).json()).toMatchObject({ owner: 'owner-1', paused: true });
  for (const path of ['?owner=*', '?owner=owner-1', '/a-first?owner=owner-1'])
    expect((await call('GET', path, stranger)).statusCode).toBe(403);
  expect((await call('DELETE', '/a-first?owner=owner-1', stranger)).statusCode).toBe(403);
  expect((await call('DELETE', '/a-first?owner=owner-1')).statusCode).toBe(204);
  expect((await call('GET', '?owner=*')).json().data).toHaveLength(1);
});

test('the times of a rule are shown before a schedule has it, and a wrong one says what is wrong', async () => {
  await using api = await remoteApi();
  const times = async (query: Record<string, string>) =>
    await api.call('GET', `/v1/schedule-times?${new URLSearchParams(query).toString()}`);
  const { next } = (await times({ cron: '30 7 * * 1', zone: 'Australia/Lord_Howe' })).json();
  const shown = (at: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Australia/Lord_Howe', weekday: 'short' }).format(new Date(at));
  expect(next.map(shown)).toEqual(Array(10).fill('Mon'));
  expect((await times({ every_ms: '60000' })).json().next.length).toBe(10);
  for (const [query, field] of [
    [{ cron: '0 25 * * *' }, 'query.cron'],
    [{ cron: '0 7 * * *', zone: 'Mars/Base' }, 'query.zone'],
    [{}, 'query.cron'],
    [{ cron: '0 7 * * *', every_ms: '60000' }, 'query.cron'],
  ] as const) {
    const answer = await times({ ...query });
    expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(field)]);
  }
});

test('a time that has come is submitted once, whoever looks, and its job is done', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await put(api, 'hourly');
  await overdue(api, 'hourly', 5);
  await Promise.all([look(api), look(api), look(api)]);
  const worker = await api.worker();
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 1 } });
  const { runs, last_job_id: last } = await read(api, 'hourly');
  const run = { outcome: 'submitted', job_id: job!.id, job_state: 'succeeded' };
  expect(runs).toMatchObject([run]);
  expect((await api.call('GET', '/v1/schedules')).json().data).toMatchObject([{ name: 'hourly', last_run: run }]);
  expect(last).toBe(job!.id);
  expect((await worker.poll(1, [], { wait_ms: 0 })).jobs).toEqual([]);
});

test('while the run before has not ended, the next is skipped, queued, or replaces it', async () => {
  await using api = await remoteApi();
  for (const overlap of ['skip', 'queue', 'replace']) {
    const name = `on-${overlap}`;
    await put(api, name, { overlap });
    await overdue(api, name, 3);
    await look(api);
    const before = (await read(api, name)).last_job_id;
    await overdue(api, name, 1);
    await look(api);
    const { runs } = await read(api, name);
    const expected = {
      skip: ['skipped', 'queued'],
      queue: ['submitted', 'queued'],
      replace: ['submitted', 'cancelled'],
    };
    expect([runs[0].outcome, (await api.job(before)).state]).toEqual(expected[overlap as keyof typeof expected]);
  }
});

test('times that were missed are made up for as the policy says', async () => {
  await using api = await remoteApi();
  for (const missed of ['none', 'last', 'all']) {
    await put(api, missed, { missed, overlap: 'queue', every_ms: 600_000 });
    await overdue(api, missed, 1_900);
    await look(api);
  }
  expect(await outcomes(api, 'none')).toEqual(['missed']);
  expect(await outcomes(api, 'last')).toEqual(['submitted', 'missed', 'missed', 'missed']);
  expect(await outcomes(api, 'all')).toEqual(['submitted', 'submitted', 'submitted', 'submitted']);
});

test('a run that is refused says why, and the next one comes; a schedule that is removed meanwhile leaves nothing', async () => {
  await using api = await remoteApi();
  await put(api, 'strict', { overlap: 'queue' });
  await put(api, 'gone');
  await api.call('PUT', '/v1/queues/acme.resize-image', {
    version: 2,
    contract: { ...contract, payload: { ...contract.payload, required: ['width', 'height'] } },
  });
  await overdue(api, 'strict', 5);
  await overdue(api, 'gone', 5);
  const looking = look(api);
  await api.call('DELETE', '/v1/schedules/gone');
  await looking;
  const { runs, next_at: nextAt } = await read(api, 'strict');
  expect(runs).toMatchObject([{ outcome: 'refused', job_id: null, reason: expect.stringContaining('height') }]);
  expect(nextAt).not.toBeNull();
});

test('the leader runs what is due, and another takes over', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  const admit = admitWork(api.context);
  await put(api, 'quick', { every_ms: 1_000, overlap: 'queue' });
  const submitted = async (count: number) =>
    await expect
      .poll(async () => (await outcomes(api, 'quick')).filter((one) => one === 'submitted').length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(count);
  {
    await using _first = startSchedules(api.context, admit);
    await submitted(1);
  }
  await using _second = startSchedules(api.context, admit);
  const before = (await outcomes(api, 'quick')).length;
  await submitted(before + 1);
  const { runs } = await read(api, 'quick');
  const times = runs.map(({ at }: { at: string }) => Date.parse(at));
  // whole intervals, none left out and none twice
  for (const [index, at] of times.slice(1).entries()) expect(times[index] - at).toBe(1_000);
});
