import { defineJob, JobError } from '@proofline/worker';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { type Call, type Fault, protocolServer } from './protocol-server.ts';
import { serving } from './serving.ts';

const echo = defineJob({ name: 'acme.echo', payload: true, run: ({ payload }) => payload });

/** Both ways to the server. */
const transports = ['http', 'websocket'] as const;

test.each(transports)(
  'over %s a worker registers its contracts and itself, runs jobs, and leaves',
  async (transport) => {
    await using server = await protocolServer();
    const jobs = [server.submit('acme.echo', { n: 1 }), server.submit('acme.echo', { n: 2 })];
    const twice = defineJob({
      name: 'acme.twice',
      version: 2,
      upcasts: [{ from: 1, upcast: (n: number) => [n] }],
      payload: true,
      run: () => 0,
    });
    const worker = serving(server, [echo, twice], { transport, capacity: 3, name: 'here' });
    for (const job of jobs) expect(await server.ended(job)).toMatchObject({ type: 'succeeded', result: job.payload });
    worker.stop();
    await worker.ended;
    expect(server.callsOf('contract')).toMatchObject([
      { worker: 'acme.echo', body: { version: 1, contract: { title: 'acme.echo', payload: true, result: true } } },
      { worker: 'acme.twice', body: { version: 2 } },
    ]);
    expect(server.callsOf('register')).toMatchObject([
      {
        headers: { authorization: 'Bearer sk-1' },
        body: {
          name: 'here',
          queues: [
            { name: 'acme.echo', versions: [1] },
            { name: 'acme.twice', versions: [2, 1] },
          ],
          capacity: 3,
          sdk: '@proofline/worker',
        },
      },
    ]);
    expect(server.callsOf('poll')[0]?.body).toMatchObject({ credits: 3, jobs: [] });
    expect(server.callsOf('leave')).toHaveLength(1);
  },
);

test('a worker is handed no more than it has hands for, and names what it has in every poll', async () => {
  await using server = await protocolServer();
  const gate = Promise.withResolvers<void>();
  let most = 0;
  let running = 0;
  const slow = defineJob({
    name: 'acme.slow',
    payload: true,
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
    },
  });
  const jobs = Array.from({ length: 7 }, () => server.submit('acme.slow'));
  await using _worker = serving(server, [slow], { capacity: 3 });
  // beats go on while every hand is full
  await until(() => server.callsOf('poll').filter(({ body }) => body['credits'] === 0).length > 2);
  expect(server.callsOf('poll').at(-1)?.body['jobs']).toEqual(
    jobs.slice(0, 3).map(({ id, attempt }) => ({ id, attempt })),
  );
  gate.resolve();
  for (const job of jobs) await server.ended(job);
  expect(most).toBe(3);
});

test('a run says its progress and its lines before its end, and the newest progress wins', async () => {
  await using server = await protocolServer();
  const talking = defineJob({
    name: 'acme.talk',
    payload: true,
    run: ({ progress, log, job, attempt }) => {
      for (let percent = 0; percent <= 100; percent += 1) progress({ percent });
      progress('other', 'key');
      log.info('half way', { job: job.queue });
      log.debug(`attempt ${attempt}`);
      // a line never fails a job
      log.warn('odd', { count: 1n });
      return 'done';
    },
  });
  const job = server.submit('acme.talk');
  await using _worker = serving(server, [talking]);
  await server.ended(job);
  const said = server.reports.map(({ type, data, key, level, message }) => [type, data ?? message, key ?? level]);
  expect(said).toEqual([
    ['progress', { percent: 100 }, undefined],
    ['progress', 'other', 'key'],
    ['log', { job: 'acme.talk' }, 'info'],
    ['log', 'attempt 1', 'debug'],
    ['log', { unreadable: true }, 'warn'],
    ['succeeded', undefined, undefined],
  ]);
});

test('a line that is longer than is kept says so once on the log of the worker, and to its end what it lacks', async () => {
  await using server = await protocolServer();
  const talking = defineJob({
    name: 'acme.talk',
    payload: true,
    run: ({ log }) => {
      log.info('x'.repeat(1_000), { text: 'short' });
      log.info('y'.repeat(10_001));
      log.info('z', { text: 'z'.repeat(2_000) });
    },
  });
  const job = server.submit('acme.talk');
  await using worker = serving(server, [talking]);
  await server.ended(job);
  const lines = server.reports.flatMap(({ type, message }) => (type === 'log' ? [message] : []));
  expect(lines).toEqual(['x'.repeat(1_000), `${'y'.repeat(9_960)}… (41 characters more)`, 'z']);
  const said = worker.lines.filter((line) => line.includes('a line of a job is longer than what is kept of it'));
  expect(said).toEqual([expect.stringMatching(/^warn .*1000 characters, and 2000 .*"message":"y{80}"\}$/)]);
});

test('a story goes on behind its steps when it is handed out again', async () => {
  await using server = await protocolServer();
  const calls: string[] = [];
  const story = defineJob({
    name: 'acme.story',
    payload: true,
    run: async ({ step, effect, sleep }) => {
      const first = await step('first', () => calls.push('first'));
      await effect('send', { to: 'ada' }, ({ key }) => calls.push(key));
      await sleep('a while', new Date('2030-01-01T00:00:00Z'));
      return first;
    },
  });
  const job = server.submit('acme.story');
  await using _worker = serving(server, [story]);
  expect(await server.ended(job)).toMatchObject({
    type: 'suspended',
    on: { kind: 'sleep', name: 'a while', until: '2030-01-01T00:00:00.000Z' },
    after: 1,
  });
  server.requeue(job, { kind: 'sleep', name: 'a while', value: null, after: 1 });
  await until(() => job.attempt === 2);
  expect(await server.ended(job)).toMatchObject({ type: 'succeeded', result: 1 });
  expect(calls).toEqual(['first', `${job.id}.send`]);
});

test('error: failures carry code, details and whether another attempt helps; what has no JSON is refused as such', async () => {
  await using server = await protocolServer();
  const failing = defineJob({
    name: 'acme.fail',
    payload: { enum: ['plain', 'told', 'odd', 'thrown', 'long', 'refused'] },
    run: ({ payload }) => {
      if (payload === 'plain') throw new Error('it broke');
      if (payload === 'told')
        throw new JobError('no_image', 'There is none.', { retryable: false, details: { big: 1n } });
      if (payload === 'odd') throw new JobError('Not A Code', '', { details: { url: 'x' } });
      if (payload === 'long') throw new Error('x'.repeat(5_000));
      if (payload === 'refused') return 'refuse me';
      // oxlint-disable-next-line typescript/only-throw-error -- code of others does
      throw 'a text';
    },
  });
  const payloads = ['plain', 'told', 'odd', 'thrown', 'long', 'refused'];
  const jobs = payloads.map((payload) => server.submit('acme.fail', payload));
  await using worker = serving(server, [failing]);
  const ends = await Promise.all(jobs.map(async (job) => await server.ended(job)));
  expect(ends).toMatchObject([
    { type: 'failed', error: { message: 'it broke' }, retryable: true },
    { error: { code: 'no_image', message: 'There is none.', details: { unreadable: true } }, retryable: false },
    { error: { message: 'JobError', details: { url: 'x' } }, retryable: true },
    { error: { message: 'a text' }, retryable: true },
    { error: { message: 'x'.repeat(4_000) } },
    { error: { code: 'invalid_result', message: 'does not fit' }, retryable: false },
  ]);
  expect(ends[0]!['error']).toEqual({ message: 'it broke' });
  expect(ends[2]!['error']).not.toHaveProperty('code');
  // the stack is for the worker's own log
  expect(worker.lines.find((line) => line.includes('it broke'))).toMatch(/^warn an attempt ended .*serve\.test\.ts/);
});

test.each(transports)(
  'over %s every answer may be lost, every call refused for now, and each job is done once',
  async (transport) => {
    const seen = new Map<Call['kind'], number>();
    const faults: Record<string, readonly (Fault | undefined)[]> = {
      contract: [{ status: 503, code: 'unavailable' }, 'cut'],
      register: [{ status: 503, code: 'unavailable' }, 'cut', 'lose'],
      poll: [undefined, { status: 503, code: 'unavailable' }, 'cut', { status: 429, code: 'rate_limited' }],
      report: ['lose', { status: 503, code: 'unavailable' }, 'cut', 'lose'],
      leave: ['cut'],
    };
    await using server = await protocolServer(({ kind }) => {
      const before = seen.get(kind) ?? 0;
      seen.set(kind, before + 1);
      return faults[kind]?.[before];
    });
    let runs = 0;
    const counting = defineJob({
      name: 'acme.count',
      payload: true,
      run: async ({ step }) => {
        runs += 1;
        await step('one', () => 1);
      },
    });
    const jobs = [server.submit('acme.count')];
    const worker = serving(server, [counting], { transport });
    await server.ended(jobs[0]!);
    jobs.push(server.submit('acme.count'), server.submit('acme.count'));
    for (const job of jobs) expect(await server.ended(job)).toMatchObject({ type: 'succeeded' });
    worker.stop();
    await worker.ended;
    expect(runs).toBe(3);
    for (const { stored } of jobs) expect(stored.steps).toHaveLength(1);
    expect(server.callsOf('leave')).toHaveLength(2);
  },
);
