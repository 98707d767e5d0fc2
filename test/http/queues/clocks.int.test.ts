import { sql } from 'slonik';
import { afterEach, expect, test, vi } from 'vitest';
import { fence, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const queue = 'acme.resize-image';
const jobs = `/v1/queues/${queue}/jobs`;
const minuteMs = 60_000;

afterEach(() => void vi.useRealTimers());

/** Sets the clock of this process, which goes on from there; that of Postgres stays as it is. */
function setClock(hours: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() + hours * 60 * minuteMs });
}

const ago = async ({ context }: RemoteApi, ms: number) =>
  new Date(
    String(await context.db.oneFirst(sql.unsafe`select to_json(now() - ${ms} * interval '1 ms')`)),
  ).toISOString();

/** Time that a job waits for, from when it came into its queue. */
const delayOf = async ({ context }: RemoteApi, id: string) =>
  Number(
    await context.db.oneFirst(
      sql.unsafe`select (extract(epoch from run_at - queued_at) * 1000)::int from jobs where id = ${id}`,
    ),
  );

test.each([1, -1])('a process whose clock jumps by %i hour delays, expires and pauses as before', async (hours) => {
  // the worker does not beat while the clock is set
  await using api = await remoteApi({ LEASE_MS: '600000' });
  const worker = await api.worker();
  const send = async (more: object = {}) =>
    await api.call('POST', jobs, { payload: { width: 1 }, ...more }, { prefer: 'respond-async' });
  const rule = async (body: object) =>
    expect((await api.call('PUT', `/v1/queues/${queue}/rules`, body)).statusCode).toBe(200);
  const every = { queue, payload: { width: 1 }, every_ms: 10 * minuteMs };
  expect((await api.call('PUT', '/v1/schedules/hourly', every)).statusCode).toBe(201);
  expect((await api.call('POST', '/v1/schedules/hourly/pause', {})).statusCode).toBe(200);
  await rule({ kind: 'group', name: 'paused', paused: true });
  const held = (await send({ group: 'paused' })).json().id;
  setClock(hours);

  // delays, also of one that is replaced
  const unique = { key: 'one', while: 'queued', conflict: 'replace' };
  for (const delay_ms of [2 * minuteMs, 3 * minuteMs]) {
    const { id } = (await send({ unique, delay_ms })).json();
    expect(Math.abs((await delayOf(api, id)) - delay_ms)).toBeLessThan(minuteMs);
  }
  // what expires within the hour does not at once, and what is over by the clock that counts is refused
  const late = (await send({ expires_at: await ago(api, -30 * minuteMs) })).json();
  expect(late).toMatchObject({ state: 'queued' });
  expect((await send({ expires_at: await ago(api, minuteMs) })).statusCode).toBe(400);
  // pauses hold: what comes behind is handed out before
  const taken = await worker.take(10);
  expect(taken.map(({ id }) => id)).toEqual([late.id]);
  await worker.report(...taken.map((job) => ({ ...fence(job), type: 'succeeded', result: { bytes: 1 } })));
  // and end, while the clock jumps back
  setClock(-hours);
  await rule({ kind: 'group', name: 'paused', paused: false });
  expect((await worker.take(10)).map(({ id }) => id)).toEqual([held]);

  setClock(hours);
  const resumed = await api.call('POST', '/v1/schedules/hourly/resume', {});
  expect(resumed.statusCode).toBe(200);
  const next = Number(
    await api.context.db.oneFirst(sql.unsafe`select (extract(epoch from next_at - now()) * 1000)::int from schedules`),
  );
  expect([next > -minuteMs, next <= 10 * minuteMs]).toEqual([true, true]);
});
