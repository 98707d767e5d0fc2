import { defineJob, type JobStopped } from '@proofline/worker';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { type Fault, protocolServer } from './protocol-server.ts';
import { serving } from './serving.ts';

/** A job that is held until the test lets it go, and tells why it was stopped. */
function held() {
  const gates: (() => void)[] = [];
  const reasons: string[] = [];
  const job = defineJob({
    name: 'acme.held',
    payload: true,
    run: async ({ signal }) => {
      signal.addEventListener('abort', () => reasons.push((signal.reason as JobStopped).reason));
      await new Promise<void>((resolve) => gates.push(resolve));
      return 'done';
    },
  });
  return { job, gates, reasons };
}

test.each(['http', 'websocket'] as const)(
  'over %s a worker that the server forgot stops what it has and registers again',
  async (transport) => {
    await using server = await protocolServer();
    const { job, gates, reasons } = held();
    const one = server.submit('acme.held');
    await using worker = serving(server, [job], { transport, capacity: 2 });
    await until(() => gates.length === 1);
    server.endLeases();
    await until(() => server.callsOf('register').length === 2);
    expect(reasons).toEqual(['lost']);
    expect(worker.lines.join('\n')).toContain('warn the lease was lost');
    // a run that does not notice holds its hand
    const [{ worker: first } = { worker: '' }] = server.callsOf('poll');
    await until(() => server.callsOf('poll').at(-1)?.worker !== first);
    expect(server.callsOf('poll').at(-1)?.body).toMatchObject({ credits: 1, jobs: [] });
    server.requeue(one);
    await until(() => gates.length === 2);
    for (const open of gates) open();
    expect(await server.ended(one)).toMatchObject({ type: 'succeeded', attempt: 2 });
    expect(server.reports).toHaveLength(1);
  },
);

test('a worker that hears nothing for a lease stops what it has, though the server may be there', async () => {
  let isSilent = false;
  await using server = await protocolServer(
    ({ kind }): Fault | undefined => (isSilent && kind !== 'register' ? 'cut' : undefined),
    {
      leaseMs: 300,
      beatMs: 20,
    },
  );
  const { job, gates, reasons } = held();
  server.submit('acme.held');
  await using _worker = serving(server, [job]);
  await until(() => gates.length === 1);
  isSilent = true;
  await until(() => reasons.length === 1);
  expect(reasons).toEqual(['lost']);
  isSilent = false;
  await until(() => server.callsOf('register').length > 1);
});

test('the outcome of an effect that was made while the lease was lost is reported by the next worker', async () => {
  await using server = await protocolServer();
  const gate = Promise.withResolvers<void>();
  const job = defineJob({
    name: 'acme.charge',
    payload: true,
    run: async ({ effect }) =>
      await effect('charge', { amount: 5 }, async () => {
        await gate.promise;
        return 'charged';
      }),
  });
  const one = server.submit('acme.charge');
  await using _worker = serving(server, [job]);
  await until(() => one.stored.effects.get('charge')?.state === 'intended');
  server.endLeases();
  await until(() => server.callsOf('register').length === 2);
  gate.resolve();
  await until(() => one.stored.effects.get('charge')?.state === 'done');
  expect(one.stored.effects.get('charge')).toMatchObject({ outcome: 'charged' });
  expect(one.end).toBeNull();
});

test('reports that are not answered are sent again until they are, together with what gathers meanwhile', async () => {
  await using server = await protocolServer(({ kind, before }): Fault | undefined =>
    kind === 'report' && before < 3
      ? (['lose', 'cut', { status: 503, code: 'unavailable' }] as const)[before]
      : undefined,
  );
  const many = defineJob({
    name: 'acme.many',
    payload: true,
    run: async ({ step }) => await Promise.all(Array.from({ length: 50 }, async (_, n) => await step(`${n}`, () => n))),
  });
  const job = server.submit('acme.many');
  await using _worker = serving(server, [many]);
  expect(await server.ended(job)).toMatchObject({ type: 'succeeded', result: Array.from({ length: 50 }, (_, n) => n) });
  const sizes = server.callsOf('report').map(({ body }) => (body['reports'] as unknown[]).length);
  // the first may go alone; the others gathered while it was under way
  expect(sizes.length).toBeLessThan(12);
  expect(Math.max(...sizes)).toBeGreaterThan(40);
  expect(job.stored.steps).toHaveLength(50);
});

test('one report that the server cannot read fails its job alone', async () => {
  await using server = await protocolServer(({ kind, body }): Fault | undefined =>
    kind === 'report' && JSON.stringify(body).includes('poison')
      ? { status: 400, code: 'invalid_request', detail: 'expected another report' }
      : undefined,
  );
  const job = defineJob({
    name: 'acme.mixed',
    payload: true,
    run: async ({ step, payload }) => await step('one', () => payload),
  });
  const jobs = ['good', 'poison', 'fine', 'well'].map((payload) => server.submit('acme.mixed', payload));
  await using _worker = serving(server, [job]);
  const ends = await Promise.all(jobs.map(async (one) => await server.ended(one)));
  expect(ends.map(({ type }) => type)).toEqual(['succeeded', 'failed', 'succeeded', 'succeeded']);
  expect(ends[1]).toMatchObject({ error: { code: 'invalid_request', message: 'expected another report' } });
});
