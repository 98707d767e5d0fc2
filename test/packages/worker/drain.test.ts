import { defineJob } from '@proofline/worker';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { type Fault, protocolServer } from './protocol-server.ts';
import { serving } from './serving.ts';

test('a worker that is stopped takes no more, and lets what runs end', async () => {
  await using server = await protocolServer();
  const gate = Promise.withResolvers<void>();
  const job = defineJob({
    name: 'acme.slow',
    payload: true,
    run: async ({ step, log }) => {
      await gate.promise;
      log.info('nearly');
      return await step('last', () => 'done');
    },
  });
  const running = server.submit('acme.slow');
  const worker = serving(server, [job], { drain: '1m' });
  await server.taken(running);
  worker.stop();
  await until(() => server.callsOf('poll').at(-1)?.body['credits'] === 0);
  const waiting = server.submit('acme.slow');
  // beats go on: the lease must last as long as the drain
  const polls = server.callsOf('poll').length;
  await until(() => server.callsOf('poll').length > polls + 2);
  gate.resolve();
  await worker.ended;
  expect(running.end).toMatchObject({ type: 'succeeded', result: 'done' });
  expect(waiting.attempt).toBe(0);
  expect(server.callsOf('leave')).toHaveLength(1);
});

test('what is not done by the deadline is stopped and goes back, without having failed', async () => {
  await using server = await protocolServer();
  const noticed: string[] = [];
  const job = defineJob({
    name: 'acme.long',
    payload: { enum: ['throws', 'returns', 'deaf'] },
    run: async ({ signal, payload }) => {
      if (payload === 'deaf') return await new Promise<never>(() => {});
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      noticed.push(String(signal.reason));
      if (payload === 'throws') throw new Error('stopped in the middle');
      return 'just done';
    },
  });
  const [throws, returns, deaf] = ['throws', 'returns', 'deaf'].map((payload) => server.submit('acme.long', payload));
  const worker = serving(server, [job], { drain: 20 });
  await server.taken(deaf!);
  worker.stop();
  await worker.ended;
  expect(throws!.end).toMatchObject({ type: 'released' });
  expect(returns!.end).toMatchObject({ type: 'succeeded', result: 'just done' });
  // goes back as the worker leaves
  expect(deaf!.end).toBeNull();
  expect(server.callsOf('leave')).toHaveLength(1);
  expect(noticed[0]).toContain('The worker stops; the job goes back without losing an attempt.');
});

test('a worker with nothing in hand leaves at once, in the middle of a poll', async () => {
  await using server = await protocolServer(undefined, { beatMs: 60_000 });
  const job = defineJob({ name: 'acme.none', payload: true, run: () => 1 });
  const worker = serving(server, [job]);
  await until(() => server.callsOf('poll').length === 1);
  worker.stop();
  await worker.ended;
  expect(server.callsOf('leave')).toHaveLength(1);
});

test('a worker that is stopped before it is registered ends', async () => {
  await using server = await protocolServer((): Fault => ({ status: 503, code: 'unavailable' }));
  const job = defineJob({ name: 'acme.none', payload: true, run: () => 1 });
  const worker = serving(server, [job]);
  await until(() => server.calls.length > 0);
  worker.stop();
  await worker.ended;
  await using second = serving(server, [job], { register: false, signal: AbortSignal.abort() });
  await second.ended;
  expect(server.callsOf('poll')).toEqual([]);
});
