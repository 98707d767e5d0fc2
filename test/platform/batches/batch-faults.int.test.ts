import { setTimeout } from 'node:timers/promises';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import type { Payload } from '#queues/define.ts';
import type { batch } from '#queues/platform.ts';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import { openThreads } from '#src/system/threads.ts';
import { startChild } from '#test/helpers/child.ts';
import { batchWorld, request } from '#test/platform/batch-world.ts';
import { runBatchProcessor } from '#workers/platform/run-batch.ts';

test('a killed worker’s batch goes on where it was: no line is done twice, and none is left out', async () => {
  await using world = await batchWorld({ BATCH_CONCURRENCY: '2' }, { fleet: false });
  const { start, until, ended, results, children, startFleet } = world;
  const file = new URL('../batch-fleet.ts', import.meta.url);
  const child = await startChild(file, { ...world.api.env, DOOMED: 'yes' });
  const prompts = ['cheap', 'refuse', 'doomed', 'doomed', 'cheap', 'cheap'];
  const begun = await start(prompts.map((prompt, index) => request(`line-${index}`, prompt)));
  await until(begun.id, ({ request_counts: counts }) => counts?.completed === 1 && counts.failed === 1);
  const early = await children();
  child.kill('SIGKILL');
  await child.exited;
  await startFleet();
  const last = await ended(begun.id);
  expect(last).toMatchObject({ status: 'completed', request_counts: { total: 6, completed: 5, failed: 1 } });
  const { answers, failures } = await results(last);
  expect(answers.map(({ custom_id: id }) => id)).toEqual(['line-0', 'line-2', 'line-3', 'line-4', 'line-5']);
  expect(failures.map(({ custom_id: id }) => id)).toEqual(['line-1']);
  const late = await children();
  expect(late).toHaveLength(6);
  expect(late.map(({ id }) => id)).toEqual(expect.arrayContaining(early.map(({ id }) => id)));
  // what had been done before was not begun again
  expect(late.slice(0, 2).map(({ attempt }) => attempt)).toEqual([1, 1]);
  expect((await world.jobOf(begun)).attempt).toBeGreaterThan(1);
});

test('a worker that only stops hands its batch on with the jobs that are under way', async () => {
  await using world = await batchWorld({}, { fleet: false });
  const { client, start, until, ended, children, startFleet } = world;
  const first = await startFleet();
  const begun = await start([request('a', 'cheap'), request('b', 'wait')]);
  await until(begun.id, ({ request_counts: counts }) => counts?.completed === 1);
  while ((await children()).length < 2) await setTimeout(20);
  await first.drain();
  expect(await client.batches.retrieve(begun.id)).toMatchObject({ status: 'in_progress' });
  expect((await children()).map(({ state }) => state).toSorted()).toEqual(['queued', 'succeeded']);
  await startFleet();
  await until(begun.id, () => true);
  await client.batches.cancel(begun.id);
  expect(await ended(begun.id)).toMatchObject({ status: 'cancelled', request_counts: { completed: 1, failed: 1 } });
  expect(await children()).toHaveLength(2);
  // drains do not count
  expect(await world.jobOf(begun)).toMatchObject({ state: 'succeeded', failures: 0 });
});

test('a worker that ended between its two files keeps the first and writes the second', async () => {
  await using world = await batchWorld();
  const { context } = world;
  const begun = await world.start([request('a', 'cheap'), request('b', 'refuse')]);
  const last = await world.ended(begun.id);
  await context.db.query(sql.unsafe`update batches set status = 'finalizing', ended_at = null, error_file = null`);
  const job = await world.jobOf(begun);
  const again = await runBatchProcessor({
    context,
    job,
    payload: job.payload as Payload<typeof batch>,
    attempt: job.attempt,
    signal: new AbortController().signal,
    emit: () => {},
    log: openJobLog(context, job.id, job.attempt),
    threads: openThreads(context),
  });
  expect(again).toEqual({ status: 'completed', total: 2, completed: 1, failed: 1 });
  const now = await world.client.batches.retrieve(begun.id);
  expect(now.output_file_id).toBe(last.output_file_id);
  expect((await world.results(now)).failures.map(({ custom_id: id }) => id)).toEqual(['b']);
});

test('an answer that cannot be shown any more is a failure', async () => {
  await using world = await batchWorld();
  const begun = await world.start([request('a', 'cheap'), request('b', 'cheap'), request('c', 'wait')]);
  await world.until(begun.id, ({ request_counts: counts }) => counts?.completed === 2);
  await world.context.db.query(sql.unsafe`
    delete from jobs where id = (select job from batch_lines where line = 1)`);
  await world.client.batches.cancel(begun.id);
  const last = await world.ended(begun.id);
  expect(last.request_counts).toEqual({ total: 3, completed: 1, failed: 2 });
  const { answers, failures } = await world.results(last);
  expect(answers.map(({ custom_id: id }) => id)).toEqual(['b']);
  expect(failures).toMatchObject([{ custom_id: 'a', response: { status_code: 404 } }, { custom_id: 'c' }]);
});

test('many lines: never more at once than are allowed, and each has its answer', async () => {
  await using world = await batchWorld({ BATCH_CONCURRENCY: '8' });
  const lines = Array.from({ length: 500 }, (_, index) => request(`line-${index}`, 'cheap'));
  const begun = await world.start(lines);
  const looks: Promise<number>[] = [];
  const open = async () => (await world.children()).filter(({ state }) => state !== 'succeeded').length;
  const last = await world.until(begun.id, ({ status }) => {
    looks.push(open());
    return status === 'completed';
  });
  expect(last.request_counts).toEqual({ total: 500, completed: 500, failed: 0 });
  expect(Math.max(...(await Promise.all(looks)))).toBeLessThanOrEqual(8);
  const { answers } = await world.results(last);
  expect(answers.map(({ custom_id: id }) => id)).toEqual(lines.map(({ custom_id: id }) => id));
});
