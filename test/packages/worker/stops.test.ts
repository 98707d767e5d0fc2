import { defineJob, JobStopped } from '@proofline/worker';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { protocolServer } from './protocol-server.ts';
import { serving } from './serving.ts';

/** A job that runs until it is stopped, and tells why it was. */
function patient() {
  const reasons: string[] = [];
  const state = { begun: 0 };
  const job = defineJob({
    name: 'acme.wait',
    payload: true,
    run: async ({ signal, step }) => {
      state.begun += 1;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      reasons.push(signal.reason instanceof JobStopped ? signal.reason.reason : 'other');
      // nothing more is begun by a run that was stopped
      await step('late', () => reasons.push('late'));
    },
  });
  return { job, reasons, state };
}

test.each(['cancelled', 'lost'] as const)(
  'a job that is %s is stopped, and nothing is reported of it',
  async (reason) => {
    await using server = await protocolServer();
    const { job, reasons, state } = patient();
    const one = server.submit('acme.wait');
    const worker = serving(server, [job]);
    await until(() => state.begun === 1);
    server.stop(one, reason);
    await until(() => reasons.length > 0);
    const other = server.submit('acme.wait');
    await until(() => state.begun === 2);
    server.stop(other, reason);
    await until(() => reasons.length > 1);
    worker.stop();
    await worker.ended;
    expect([reasons, server.reports]).toEqual([[reason, reason], []]);
  },
);

test('a job whose time is over has failed at once, whenever its run notices', async () => {
  await using server = await protocolServer();
  const gate = Promise.withResolvers<void>();
  const deaf = defineJob({ name: 'acme.deaf', payload: true, run: async () => await gate.promise });
  const job = server.submit('acme.deaf');
  await using _worker = serving(server, [deaf], { capacity: 1 });
  await server.taken(job);
  server.stop(job, 'timeout');
  expect(await server.ended(job)).toMatchObject({
    type: 'failed',
    error: { code: 'job_timeout', message: 'The attempt was not done by 2026-01-01T00:01:00.000Z.' },
    retryable: true,
  });
  // its hand is not free before the run has ended
  const next = server.submit('acme.deaf');
  const polls = server.callsOf('poll').length;
  await until(() => server.callsOf('poll').length > polls + 2);
  expect(next.attempt).toBe(0);
  gate.resolve();
  expect(await server.ended(next)).toMatchObject({ type: 'succeeded' });
  expect(server.reports).toHaveLength(2);
});

test('a stale answer stops the run: the job is with another worker', async () => {
  await using server = await protocolServer();
  const reasons: unknown[] = [];
  const gate = Promise.withResolvers<void>();
  const job = defineJob({
    name: 'acme.stale',
    payload: true,
    run: async ({ step, signal }) => {
      await gate.promise;
      await step('one', () => 1).catch((error: unknown) => reasons.push(error, signal.reason));
    },
  });
  const one = server.submit('acme.stale');
  await using _worker = serving(server, [job]);
  await until(() => one.attempt === 1);
  one.token = 'of another';
  gate.resolve();
  await until(() => reasons.length === 2);
  expect(reasons).toMatchObject([{ reason: 'lost' }, { reason: 'lost' }]);
  expect(one.end).toBeNull();
});

test('a job that is handed out anew while an older attempt runs here replaces it', async () => {
  await using server = await protocolServer();
  const { job, reasons, state } = patient();
  const one = server.submit('acme.wait');
  await using _worker = serving(server, [job]);
  await until(() => state.begun === 1);
  server.requeue(one);
  await until(() => state.begun === 2);
  expect(reasons).toEqual(['lost']);
});

test('a job that this worker does not take goes back at once', async () => {
  await using server = await protocolServer();
  const { job } = patient();
  const one = server.submit('acme.wait');
  // as a server with a fault would hand it out
  Object.defineProperty(one, 'queue', { get: () => (one.attempt === 0 ? 'acme.wait' : 'acme.other') });
  await using worker = serving(server, [job]);
  expect(await server.ended(one)).toMatchObject({ type: 'released' });
  expect(worker.lines.join('\n')).toContain('error a job was handed out that this worker does not take');
});
