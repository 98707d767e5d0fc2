import { createClient, JobFailed, ProoflineError } from '@proofline/client';
import { expect, test } from 'vitest';
import {
  event,
  json,
  openEvents,
  problem,
  type ScriptedServer,
  scriptedServer,
} from '#test/packages/scripted-server.ts';

const jobOf = (server: ScriptedServer) => createClient({ url: server.url, key: 'sk-1', backoff: 1 }).job('job-1');
const job = (state: string, more: object = {}) => ({ id: 'job-1', state, error: null, result: null, ...more });

test('a result is waited for by the events of the job', async () => {
  await using server = await scriptedServer(({ path, before }, response) => {
    if (path === '/v1/jobs/job-1')
      return json(response, 200, before === 0 ? job('running') : job('succeeded', { result: { url: 'y' } }));
    openEvents(response);
    event(response, 'started', 'e.1');
    return event(response, 'succeeded', 'e.2');
  });
  expect(await jobOf(server).result()).toEqual({ url: 'y' });
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/jobs/job-1',
    '/v1/jobs/job-1/events',
    '/v1/jobs/job-1',
  ]);
});

test('a job that was put back after it failed is waited for behind that failure', async () => {
  await using server = await scriptedServer(({ path, before }, response) => {
    if (path === '/v1/jobs/job-1') return json(response, 200, job(before < 2 ? 'running' : 'succeeded'));
    openEvents(response);
    return event(response, before === 0 ? 'failed' : 'succeeded', before === 0 ? 'e.3' : 'e.6');
  });
  expect(await jobOf(server).wait()).toMatchObject({ state: 'succeeded' });
  const streams = server.requests.filter(({ path }) => path.endsWith('/events'));
  expect(streams.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e.3']);
});

test('error: a wait that is over says so, and the job goes on', async () => {
  await using server = await scriptedServer(({ path }, response) =>
    path.endsWith('/events') ? openEvents(response) : json(response, 200, job('running')),
  );
  await expect(jobOf(server).wait({ timeout: 50 })).rejects.toMatchObject({
    code: 'timeout',
    retryable: true,
    message: 'expected the job job-1 to end within 50 ms; it has not, and goes on.',
  });
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(jobOf(server).result({ signal: stop })).rejects.toThrow('enough');
});

test.each([
  [
    job('failed', { error: { code: 'no_image', message: 'There is no image.', details: { url: 'x' } } }),
    { code: 'no_image', message: 'There is no image.', details: { job: 'job-1', failure: { url: 'x' } } },
  ],
  [
    job('cancelled', { error: { code: 'internal', message: 'an earlier attempt' } }),
    { code: 'cancelled', message: 'The job job-1 was cancelled.' },
  ],
])('error: the result of a job that has none: %j', async (ended, failure) => {
  await using server = await scriptedServer((_, response) => json(response, 200, ended));
  const error = await jobOf(server)
    .result()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(JobFailed);
  expect(error).toBeInstanceOf(ProoflineError);
  expect(error).toMatchObject({ name: 'JobFailed', job: ended, status: 0, retryable: false, ...failure });
});

test('a job is read and cancelled, and one that has ended is not', async () => {
  await using server = await scriptedServer(({ method }, response) =>
    method === 'GET'
      ? json(response, 200, job('running'))
      : problem(response, 409, 'state_conflict', 'The job has ended.'),
  );
  expect(await jobOf(server).job()).toMatchObject({ state: 'running' });
  await expect(jobOf(server).cancel()).rejects.toMatchObject({ code: 'state_conflict', status: 409 });
});

test('a signal is sent once for each key, also where its answer is lost', async () => {
  await using server = await scriptedServer(({ before }, response) =>
    before === 0 ? void response.destroy() : json(response, 202, { job: 'job-1', name: 'paid', accepted: true }),
  );
  const answer = await jobOf(server).signal('paid/now', { amount: 3 });
  expect(answer).toEqual({ job: 'job-1', name: 'paid', accepted: true });
  expect(server.requests).toMatchObject([
    { path: '/v1/jobs/job-1/signals/paid%2Fnow', text: '{"payload":{"amount":3}}' },
    { headers: { 'idempotency-key': server.requests[0]?.headers['idempotency-key'] } },
  ]);
  await jobOf(server).signal('stop', undefined, { idempotencyKey: 'once' });
  expect(server.requests.at(-1)).toMatchObject({ text: '{}', headers: { 'idempotency-key': 'once' } });
});
