import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { jobChannel } from '#src/jobs/model/channels.ts';
import { awaitJobs } from '#src/jobs/read/await-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

const never = new AbortController().signal;

const ask = async ({ context }: Pick<QuietSystem, 'context'>) =>
  (await submit(context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' } })).job.id;

const heard = async ({ context: { redis, config } }: QuietSystem, id: string) =>
  (await redis.pubsub('NUMSUB', jobChannel(config, id)))[1];

test('jobs are waited for until the last one has ended, however each of them ends', async () => {
  await using system = await testSystem();
  const jobs = [
    await system.submit({ do: 'succeed' }),
    await system.submit({ do: 'refuse' }),
    await system.submit({ do: 'wait' }),
  ];
  const ended = awaitJobs(
    system.context,
    jobs.map(({ id }) => id),
    never,
  );
  await system.fleet();
  await system.until(jobs[2]?.id ?? '', ({ state }) => state === 'running');
  await cancelJob(system.context, jobs[2]?.id ?? '', 'op');
  const found = await ended;
  expect(jobs.map(({ id }) => found.get(id)?.state)).toEqual(['succeeded', 'failed', 'cancelled']);
  expect(await awaitJobs(system.context, [], never)).toEqual(new Map());
});

test('the end of a job wakes who waits for it, with no look at the clock', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    await using system = await testSystem();
    const { id } = await system.submit({ do: 'succeed' }, { runAt: new Date(Date.now() + 300) });
    await system.fleet();
    expect((await awaitJobs(system.context, [id], never)).get(id)).toMatchObject({ state: 'succeeded' });
  } finally {
    vi.useRealTimers();
  }
});

test('an end that was not published is found all the same', async () => {
  // without a relay nothing is ever published
  await using system = await quietSystem();
  const id = await ask(system);
  const waiting = awaitJobs(system.context, [id], never);
  await until(async () => (await heard(system, id)) === 1);
  await cancelJob(system.context, id, 'op');
  expect((await waiting).get(id)).toMatchObject({ state: 'cancelled' });
});

test('who stops waiting is told why, and leaves neither a channel nor a connection behind', async () => {
  await using system = await quietSystem();
  const { redis } = system.context;
  await until(() => redis.status === 'ready');
  const id = await ask(system);
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) {
    const stops = Array.from({ length: 10 }, () => new AbortController());
    const waits = Promise.allSettled(stops.map(({ signal }) => awaitJobs(system.context, [id], signal)));
    await until(async () => (await heard(system, id)) === 1);
    for (const stop of stops) stop.abort(new Error('enough'));
    expect(new Set((await waits).map((wait) => wait.status === 'rejected' && String(wait.reason)))).toEqual(
      new Set(['Error: enough']),
    );
    await until(async () => (await heard(system, id)) === 0);
    rounds.push(sockets());
  }
  // the pool of the database may still have grown, by ten at most; a connection for each wait would be fifty
  expect(Math.max(...rounds) - Math.min(...rounds)).toBeLessThan(15);
});

test('error: an id that no job has is said at once', async () => {
  await using system = await quietSystem();
  await expect(awaitJobs(system.context, [await ask(system), randomUUID()], never)).rejects.toMatchObject({
    code: 'not_found',
  });
});
