import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { entryOf } from '#test/helpers/carried.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handler } from '#workers/run/processor.ts';

/** Redis is asked until it is there. */
async function untilAdded(add: () => Promise<void>): Promise<void> {
  while (
    !(await add().then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 10));
}

const trialModule = new URL('../../helpers/trial.ts', import.meta.url);

test('a job is accepted, claimed and settled, with one event each', async () => {
  await using system = await testSystem();
  await system.fleet();
  const { id } = await system.submit({ do: 'succeed', text: 'hello' });
  const job = await system.ended(id);
  expect(job).toMatchObject({ state: 'succeeded', attempt: 1, failures: 0, result: { attempt: 1, text: 'hello' } });
  expect(await system.events(id)).toEqual(['queued', 'started', 'succeeded']);
});

test('a failing job is tried as often as its queue says, with its attempts told', async () => {
  await using system = await testSystem();
  await system.fleet();
  const { id } = await system.submit({ do: 'fail' });
  const job = await system.ended(id);
  expect(job).toMatchObject({ state: 'failed', attempt: 3, failures: 3, dispatch: 3, error: { code: 'unavailable' } });
  expect(await system.events(id)).toEqual([
    'queued',
    'started',
    'retrying',
    'started',
    'retrying',
    'started',
    'failed',
  ]);
});

test('a job that fails once succeeds at its second attempt', async () => {
  await using system = await testSystem();
  await system.fleet();
  const { id } = await system.submit({ do: 'fail', until: 1 });
  expect(await system.ended(id)).toMatchObject({ state: 'succeeded', attempt: 2, failures: 1 });
});

test('an error that cannot pass fails the job at once', async () => {
  await using system = await testSystem();
  await system.fleet();
  const { id } = await system.submit({ do: 'refuse' });
  expect(await system.ended(id)).toMatchObject({
    state: 'failed',
    attempt: 1,
    error: { code: 'invalid_request', message: 'told to refuse' },
  });
});

test('a result that cannot be stored fails its job alone, not the batch it settles in', async () => {
  await using system = await testSystem();
  await system.fleet();
  const [bad, ...good] = await Promise.all([
    system.submit({ do: 'bad_result' }),
    ...Array.from({ length: 20 }, () => system.submit({ do: 'succeed' })),
  ]);
  expect(await system.ended(bad.id)).toMatchObject({ state: 'failed', error: { code: 'invalid_result' } });
  for (const { id } of good) expect(await system.ended(id)).toMatchObject({ state: 'succeeded' });
});

test('a payload that cannot be stored is refused alone, not the batch it is submitted in', async () => {
  await using system = await testSystem();
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) =>
      system.submit({ do: 'succeed', text: index === 37 ? 'a\u0000b' : index === 61 ? '\ud800' : `job ${index}` }),
    ),
  );
  const refused = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ index, code: (result.reason as { code: string }).code }] : [],
  );
  expect(refused).toEqual([
    { index: 37, code: 'invalid_payload' },
    { index: 61, code: 'invalid_payload' },
  ]);
});

test('a payload that does not fit its schema is refused with its place', async () => {
  await using system = await testSystem();
  await expect(system.submit({ do: 'dance' as 'wait' })).rejects.toMatchObject({
    code: 'invalid_payload',
    details: { path: '/do' },
  });
});

test('the same owner and key give one job; another payload is a conflict; another owner has keys of its own', async () => {
  await using system = await testSystem();
  const ask = (text: string, owner = 'alice') =>
    submit(system.context, trial, { principal: { owner }, payload: { do: 'succeed', text }, idempotencyKey: 'key-1' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('one')));
  expect(new Set(answers.map(({ job }) => job.id)).size).toBe(1);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect((await ask('one')).created).toBe(false);
  await expect(ask('two')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  expect((await ask('two', 'bob')).created).toBe(true);
});

test('a waiting job that is cancelled never starts', async () => {
  await using system = await testSystem();
  const { id } = await system.submit({ do: 'succeed' });
  expect(await cancelJob(system.context, id, 'alice')).toMatchObject({ state: 'cancelled' });
  await system.fleet();
  const other = await system.submit({ do: 'succeed' });
  await system.ended(other.id);
  expect(await system.events(id)).toEqual(['queued', 'cancelled']);
});

test('a running job that is cancelled is stopped, and stays cancelled', async () => {
  await using system = await testSystem();
  await system.fleet();
  const { id } = await system.submit({ do: 'wait' });
  await system.until(id, ({ state }) => state === 'running');
  await cancelJob(system.context, id, 'alice');
  expect(await system.events(id)).toEqual(['queued', 'started', 'cancelled']);
  await expect(cancelJob(system.context, id, 'alice')).rejects.toMatchObject({ code: 'state_conflict' });
});

test('a delayed job waits for its time', async () => {
  await using system = await testSystem();
  await system.fleet();
  const runAt = new Date(Date.now() + 700);
  const { id } = await system.submit({ do: 'succeed' }, { runAt });
  const job = await system.ended(id);
  expect(job.startedAt?.getTime()).toBeGreaterThanOrEqual(runAt.getTime());
});

test('of waiting jobs the one with the lower priority number runs first', async () => {
  await using system = await testSystem();
  const jobs = [];
  for (const priority of [900, 5, 300]) jobs.push(await system.submit({ do: 'succeed' }, { priority }));
  const { handlers } = await import('#test/helpers/trial.ts');
  const running = await startFleet(system.context, {
    name: 'one',
    handlers,
    module: new URL('../../helpers/trial.ts', import.meta.url),
    concurrency: 1,
  });
  const ended = await Promise.all(jobs.map(({ id }) => system.ended(id)));
  await running.drain();
  const order = ended.toSorted((a, b) => Number(a.startedAt) - Number(b.startedAt)).map(({ priority }) => priority);
  expect(order).toEqual([5, 300, 900]);
});

test('a failed job is redriven with all its attempts; one that has not failed is not', async () => {
  await using system = await testSystem();
  await system.fleet();
  const { id } = await system.submit({ do: 'fail', until: 3 });
  expect(await system.ended(id)).toMatchObject({ state: 'failed' });
  await redriveJob(system.context, id, 'operator');
  expect(await system.until(id, ({ state }) => state === 'succeeded')).toMatchObject({
    attempt: 4,
    failures: 0,
    error: null,
  });
  expect((await system.events(id)).slice(-3)).toEqual(['redriven', 'started', 'succeeded']);
  await expect(redriveJob(system.context, id, 'operator')).rejects.toMatchObject({ code: 'state_conflict' });
});

test('a processor that does not listen to its signal is given up at its timeout', async () => {
  await using system = await testSystem();
  const brief = { ...trial, timeoutMs: 50, attempts: 1 };
  const fleet = await startFleet(system.context, {
    name: 'deaf',
    handlers: [handler(brief, () => new Promise(() => {}))],
    module: new URL('../../helpers/trial.ts', import.meta.url),
  });
  const { id } = await system.submit({ do: 'ignore' });
  expect(await system.ended(id)).toMatchObject({ state: 'failed', error: { code: 'job_timeout' } });
  await fleet.drain();
});

test('a drain gives running jobs back without losing an attempt, and another fleet finishes them', async () => {
  await using system = await testSystem();
  const first = await system.fleet();
  const { id } = await system.submit({ do: 'wait' });
  await system.until(id, ({ state }) => state === 'running');
  await first.drain();
  expect(await system.until(id, ({ state }) => state === 'queued')).toMatchObject({
    failures: 0,
    suspect: false,
    dispatch: 2,
  });
  expect(await system.events(id)).toEqual(['queued', 'started', 'released']);
});

test('a result that does not fit its queue’s schema fails the job, and so does a payload of another release', async () => {
  await using system = await testSystem();
  const strict = { ...trial, result: Type.Object({ total: Type.Number() }) };
  const fleet = await startFleet(system.context, {
    name: 'strict',
    handlers: [handler(strict, async () => ({ total: 'many' as never }))],
    module: trialModule,
  });
  const { id } = await system.submit({ do: 'succeed' });
  expect(await system.ended(id)).toMatchObject({
    state: 'failed',
    failures: 1,
    error: { code: 'invalid_result', message: expect.stringContaining('/total') },
  });
  const old = await system.submit({ do: 'succeed' }, { runAt: new Date(Date.now() + 400) });
  await system.context.db.query(sql.unsafe`update jobs set payload = '{"does": "succeed"}' where id = ${old.id}`);
  expect(await system.ended(old.id)).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'invalid_payload' } });
  await fleet.drain();
});

/** What the broker is told of a job, but for its id and its times. */
const aliceEntry = {
  dispatch: 1,
  queue: trial.name,
  version: 1,
  owner: 'alice',
  suspect: false,
  priority: 0,
  feed: 'fed',
} as const;

test('a broker that was opened while Redis was away works once it is there', async () => {
  await using system = await quietSystem();
  const broker = openBroker(system.context);
  const entry = { ...aliceEntry, runAt: new Date() };
  // the connection of a new context is not there yet
  await expect(broker.addAll([{ ...entry, id: 'early' }])).rejects.toThrow(/writeable|closed/);
  await untilAdded(() => broker.addAll([{ ...entry, id: 'late' }]));
  expect(await entryOf(system.context, { ...entry, id: 'late' })).toMatchObject({ waits: true });
});

test('a job is delayed by the database’s clock, whatever this machine’s clock says', async () => {
  await using system = await testSystem();
  const broker = openBroker(system.context);
  const database = new Date(Date.now() + 3_600_000);
  await untilAdded(() => broker.addAll([{ ...aliceEntry, id: 'ahead', runAt: database, queuedAt: database }]));
  await broker.addAll([
    { ...aliceEntry, id: 'later', runAt: new Date(database.getTime() + 5_000), queuedAt: database },
  ]);
  const delayOf = async (id: string) => (await entryOf(system.context, { ...aliceEntry, id }))?.delay;
  expect([await delayOf('ahead'), await delayOf('later')]).toEqual([0, 5_000]);
});

test('a priority outside 0 to 1000 is refused', async () => {
  await using system = await testSystem();
  for (const priority of [-1, 1_001, 0.5, Number.NaN]) {
    await expect(system.submit({ do: 'succeed' }, { priority })).rejects.toMatchObject({ code: 'invalid_payload' });
  }
});
