import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import type { DependencyPolicy } from '#src/jobs/model/dependencies.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submitMany } from '#src/jobs/submit/submit.ts';
import { submitTogether } from '#src/jobs/submit/submit-together.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { trial } from '#test/helpers/trial.ts';

const on = (jobs: readonly string[], onFailure: DependencyPolicy = 'fail') => ({ dependsOn: { jobs, onFailure } });
const later = () => new Date(Date.now() + 3_600_000);

test('a job waits for all others, and begins with the end of the last', async () => {
  await using system = await testSystem();
  const { context } = system;
  const [first, second] = [
    await system.submit({ do: 'succeed' }, { runAt: later() }),
    await system.submit({ do: 'succeed' }),
  ];
  const job = await system.submit({ do: 'succeed' }, on([first.id, second.id], 'continue'));
  expect(job).toMatchObject({ state: 'waiting', attempt: 0 });
  await system.fleet();
  await system.ended(second.id);
  expect(await readJob(context, job.id)).toMatchObject({ state: 'waiting' });
  await cancelJob(context, first.id, 'op');
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded' });
  expect(await system.events(job.id)).toEqual(['waiting', 'released', 'started', 'succeeded']);
});

test('a job fails without having run where one that it waited for did not succeed; what waits for it follows', async () => {
  await using system = await testSystem();
  const bad = await system.submit({ do: 'refuse' });
  const job = await system.submit({ do: 'succeed' }, on([bad.id]));
  const next = await system.submit({ do: 'succeed' }, on([job.id]));
  await system.fleet();
  expect(await system.ended(job.id)).toMatchObject({
    state: 'failed',
    attempt: 0,
    error: { code: 'dependency_failed', details: { job: bad.id } },
  });
  expect(await system.ended(next.id)).toMatchObject({ state: 'failed', error: { details: { job: job.id } } });
});

test('what has ended already is not waited for; and one that was cancelled never begins', async () => {
  await using system = await testSystem();
  await system.fleet();
  const done = await system.submit({ do: 'succeed' });
  await system.ended(done.id);
  const job = await system.submit({ do: 'succeed' }, on([done.id]));
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded' });
  const slow = await system.submit({ do: 'wait' });
  const never = await system.submit({ do: 'succeed' }, on([slow.id]));
  await cancelJob(system.context, never.id, 'op');
  await cancelJob(system.context, slow.id, 'op');
  expect(await system.until(never.id, () => true)).toMatchObject({ state: 'cancelled', attempt: 0 });
});

test('property: however ends and submits meet, every job begins', async () => {
  await using system = await testSystem();
  await system.fleet();
  const rounds = Array.from({ length: 40 }, async () => {
    const before = await Promise.all(Array.from({ length: 3 }, async () => await system.submit({ do: 'succeed' })));
    const jobs = [before.map(({ id }) => id), before.map(({ id }) => id).toReversed()].map(
      async (ids) => await system.submit({ do: 'succeed' }, on(ids)),
    );
    return await Promise.all(jobs.map(async (job) => (await system.ended((await job).id)).state));
  });
  expect(new Set((await Promise.all(rounds)).flat())).toEqual(new Set(['succeeded']));
});

test('a note that nobody has seen is found by the waker', async () => {
  await using system = await testSystem();
  const { context } = system;
  const first = await system.submit({ do: 'succeed' }, { runAt: later() });
  const job = await system.submit({ do: 'succeed' }, on([first.id]));
  // as by a process of the previous release, which then dies
  await context.db.query(sql.unsafe`
    update jobs set state = 'succeeded', finished_at = now(), events = events + 1 where id = ${first.id}`);
  await system.fleet();
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded' });
});

test('a job under an approval waits for its jobs first, and is asked for then', async () => {
  await using system = await testSystem();
  const first = await system.submit({ do: 'succeed' });
  const job = await system.submit({ do: 'succeed' }, { ...on([first.id]), approval: true });
  expect(job).toMatchObject({ state: 'waiting', gate: null });
  await system.fleet();
  expect(await system.until(job.id, ({ state }) => state !== 'waiting')).toMatchObject({
    state: 'awaiting_approval',
    gate: 'ask',
  });
});

test('a job that waits past its time is cancelled', async () => {
  await using system = await testSystem();
  const first = await system.submit({ do: 'succeed' }, { runAt: later() });
  const job = await system.submit({ do: 'succeed' }, { ...on([first.id]), expiresAt: new Date(Date.now() + 50) });
  expect(await system.ended(job.id)).toMatchObject({ state: 'cancelled', error: { details: { reason: 'expired' } } });
});

test('error: a job of another owner is not waited for, as if it did not exist; all or none takes none', async () => {
  await using system = await testSystem();
  const { context } = system;
  const first = await system.submit({ do: 'succeed' }, { runAt: later() });
  const wanted = (owner: string, jobs: readonly string[]) => ({
    queue: trial,
    submission: { principal: { owner }, payload: { do: 'succeed' as const }, ...on(jobs) },
  });
  const settled = await submitMany(context, [
    wanted('bob', [first.id]),
    wanted('alice', [randomUUID()]),
    wanted('alice', [first.id]),
  ]);
  expect(settled).toMatchObject([
    { reason: { code: 'not_found' } },
    { reason: { code: 'not_found' } },
    { value: { created: true, job: { state: 'waiting' } } },
  ]);
  await expect(submitTogether(context, [wanted('alice', [first.id]), wanted('bob', [first.id])])).rejects.toMatchObject(
    {
      code: 'not_found',
      details: { index: 1 },
    },
  );
  expect(await submitTogether(context, [wanted('alice', [first.id])])).toMatchObject([{ created: true }]);
});
