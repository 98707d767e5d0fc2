import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { admitWork } from '#src/access/quota.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { runDue } from '#src/jobs/schedules/run-due.ts';
import { readSchedule } from '#src/jobs/schedules/schedule-row.ts';
import { submissionOf } from '#src/jobs/schedules/submission-of.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const body = { queue: 'acme.resize-image', payload: { width: 7 }, overlap: 'replace' };
const put = async (api: RemoteApi, more: object = {}) =>
  await api.call('PUT', '/v1/schedules/newest', { ...body, every_ms: 1_000, ...more });
const read = async (api: RemoteApi) => (await api.call('GET', '/v1/schedules/newest')).json();
const look = async (api: RemoteApi) => await runDue(api.context, admitWork(api.context));

/** Sets the next time of the schedule so many seconds back, of one that was made half an hour ago. */
const overdue = async (api: RemoteApi, seconds: number) =>
  await api.context.db.query(sql.unsafe`
    update schedules set made_at = date_trunc('second', now()) - interval '30 minutes',
      next_at = date_trunc('second', now()) - ${seconds} * interval '1 second'`);
const unfinished = async (api: RemoteApi) =>
  await api.context.db.anyFirst(sql.unsafe`select id from jobs where finished_at is null`);

test.each(['last', 'all'])(
  'of many times that are due at once by the policy %s one job lives: that of the newest',
  async (missed) => {
    await using api = await remoteApi({ LEASE_MS: '60000' });
    await put(api, { missed });
    for (const seconds of [90, 30]) {
      await overdue(api, seconds);
      await look(api);
      const { runs, last_job_id: last } = await read(api);
      expect(runs[0]).toMatchObject({ outcome: 'submitted', job_id: last });
      expect(await unfinished(api)).toEqual([last]);
      if (seconds === 90) expect(runs[1]).toMatchObject({ outcome: 'skipped', reason: 'A later run replaced it.' });
    }
  },
);

test('a run that a process submitted and did not live to note is replaced by a later one', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await put(api);
  await overdue(api, 3);
  const schedule = await readSchedule(api.context, 'owner-1', 'newest');
  const queue = await registryOf(api.context).find(body.queue);
  const { job } = await submit(api.context, queue!, submissionOf(schedule!, schedule!.nextAt!));
  await look(api);
  const { runs, last_job_id: last } = await read(api);
  expect(await unfinished(api)).toEqual([last]);
  expect(runs.at(-1)).toMatchObject({ outcome: 'submitted', job_id: job.id, job_state: 'cancelled' });
});

test('a run that is refused lets the one before run on, and the history says so', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000' });
  await put(api, { every_ms: 3_600_000 });
  await overdue(api, 2);
  await look(api);
  const worker = await api.worker();
  const [before] = await worker.take();
  await api.context.db.query(sql.unsafe`update schedules set queue = 'acme.gone-away'`);
  await overdue(api, 1);
  await look(api);
  expect(await api.job(before!.id)).toMatchObject({ state: 'running' });
  const { runs, last_job_id: last } = await read(api);
  expect(runs[0]).toMatchObject({
    outcome: 'refused',
    reason: expect.stringMatching(/not there.*The run before goes on\.$/),
  });
  expect(last).toBe(before!.id);
});

test('a run takes the place of the one it replaces where the queue is full, and is refused where it is not let in', async () => {
  await using api = await remoteApi({ LEASE_MS: '60000', OWNER_QUEUE_DEPTH: '1' });
  await put(api, { every_ms: 3_600_000 });
  await overdue(api, 2);
  await look(api);
  const [before] = await unfinished(api);
  await overdue(api, 1);
  await look(api);
  const { runs, last_job_id: last } = await read(api);
  expect([runs[0].outcome, await unfinished(api)]).toEqual(['submitted', [last]]);
  expect(last).not.toBe(before);
  const refuse = async () => await Promise.reject(new Error('full'));
  await overdue(api, 1);
  await runDue(api.context, refuse);
  expect(await unfinished(api)).toEqual([last]);
});
