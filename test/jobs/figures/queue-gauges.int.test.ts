import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { pauseQueue } from '#src/jobs/broker/queue-pauses.ts';
import { presetCounters } from '#src/jobs/figures/preset-counters.ts';
import { readQueueFigures } from '#src/jobs/figures/queue-figures.ts';
import { gaugeQueues } from '#src/jobs/figures/queue-gauges.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { openStory } from '#test/jobs/steps/story.ts';

test('depth, oldest age, drain time and live workers are read from Postgres at every scrape', async () => {
  await using system = await quietSystem();
  const { context } = system;
  gaugeQueues(context);
  const ask = async () =>
    await submit(context, fit, { principal: { owner: 'alice' }, payload: { chainId: randomUUID() } });
  const jobs = [await ask(), await ask(), await ask()];
  await context.db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid) values (${randomUUID()}, 'analytics', 'here', 1)`,
  );
  await context.db.query(
    sql.unsafe`update jobs set queued_at = now() - interval '90 s', run_at = now() - interval '90 s' where id = ${jobs[0]?.job.id ?? ''}`,
  );
  const scrape = async () => await context.metrics.registry.metrics();
  const valueOf = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  await pauseQueue(context, 'studio.render', { by: 'op', reason: null });
  const before = await scrape();
  expect(valueOf(before, 'proofline_queue_paused{queue="studio.render"}')).toBe(1);
  expect(valueOf(before, 'proofline_queue_paused{queue="analytics.fit"}')).toBe(0);
  expect(valueOf(before, 'proofline_queue_depth{queue="analytics.fit",state="queued"}')).toBe(3);
  expect(valueOf(before, 'proofline_queue_oldest_waiting_seconds{queue="analytics.fit"}')).toBeGreaterThanOrEqual(90);
  expect(valueOf(before, 'proofline_queue_estimated_drain_seconds{queue="analytics.fit"}')).toBe(-1);
  expect(valueOf(before, 'proofline_queue_depth{queue="studio.render",state="queued"}')).toBe(0);
  expect(valueOf(before, 'proofline_queue_depth{queue="analytics.fit",state="waiting"}')).toBe(0);
  expect(valueOf(before, 'proofline_workers_alive{fleet="analytics"}')).toBe(1);
  await context.db.query(
    sql.unsafe`update jobs set state = 'cancelled', finished_at = now() where id = ${jobs[0]?.job.id ?? ''}`,
  );
  // two wait, one finished in the last ten seconds
  expect(valueOf(await scrape(), 'proofline_queue_estimated_drain_seconds{queue="analytics.fit"}')).toBe(20);
});

test('counters of a queue are there from the start, at zero', async () => {
  await using system = await quietSystem();
  presetCounters(system.context.metrics, [fit.name]);
  const text = await system.context.metrics.registry.metrics();
  expect(text).toContain('proofline_fence_rejections_total{queue="analytics.fit"} 0');
  expect(text).toContain('proofline_jobs_finished_total{queue="analytics.fit",outcome="failed"} 0');
});

test('waiting jobs are counted beside the others, for everybody and for their owner', async () => {
  await using story = await openStory();
  const { context } = story;
  for (const name of ['one', 'two']) {
    const fence = await story.running();
    await suspend(context, fence, { on: { kind: 'signal', name }, after: 0 });
    await context.db.query(sql.unsafe`update waits set queue = 'analytics.fit' where job = ${fence.job}`);
  }
  const waiting = async (owner: string | null) =>
    (await readQueueFigures(context, owner)).find(({ queue }) => queue === fit.name)?.waiting;
  expect([await waiting(null), await waiting('alice'), await waiting('bob')]).toEqual([2, 2, 0]);
  gaugeQueues(context);
  expect(await context.metrics.registry.metrics()).toContain(
    'proofline_queue_depth{queue="analytics.fit",state="waiting"} 2',
  );
});
