import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { readGroupFigures, topGroups } from '#src/jobs/figures/group-figures.ts';
import { gaugeQueues } from '#src/jobs/figures/queue-gauges.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';

/** Puts jobs of a group in line, which have waited so many seconds, under a time to run that is as old where none is said. */
async function stand(
  { context }: QuietSystem,
  group: string,
  count: number,
  seconds = 60,
  runAt?: string,
): Promise<void> {
  await context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, group_key, queued_at, run_at)
    select gen_random_uuid(), 'alice', ${fit.name}, 'queued', 0, '{}', '', 'ready', ${group},
      now() - ${seconds} * interval '1 s', coalesce(${runAt ?? null}::timestamptz, now() - ${seconds} * interval '1 s')
    from generate_series(1, ${count}::int)`);
}

const scrape = async ({ context }: QuietSystem) => {
  gaugeQueues(context);
  const text = await context.metrics.registry.metrics();
  return (name: string, group?: string) => {
    const labels = group === undefined ? `{queue="${fit.name}"}` : `{queue="${fit.name}",group="${group}"}`;
    const line = text.split('\n').find((one) => one.startsWith(`proofline_group_${name}${labels} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
};

test('of more groups than are read one by one the largest is first, and the sums miss no job', async () => {
  await using system = await quietSystem();
  await system.context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, group_key)
    select gen_random_uuid(), 'alice', ${fit.name}, 'queued', 0, '{}', '', 'ready', 'a-' || g from generate_series(1, 700) g`);
  await stand(system, 'z-largest', 40);
  await stand(system, 'z-longest', 1, 7_200);
  // one look at all jobs is for all who want it meanwhile
  const [figures, same] = await Promise.all([1, 2].map(async () => await readGroupFigures(system.context, fit.name)));
  expect(figures).toBe(same);
  const { groups, others } = figures!;
  expect(groups[0]).toMatchObject({ group: 'z-largest', waiting: 40 });
  const { top, rest } = topGroups(groups, others);
  expect(top).toHaveLength(20);
  const sum = top.reduce((total, { waiting }) => total + waiting, rest?.waiting ?? 0);
  expect(sum).toBe(741);
  const value = await scrape(system);
  expect([value('waiting', 'z-longest'), (value('oldest_waiting_seconds', 'z-longest') ?? 0) >= 7_200]).toEqual([
    1,
    true,
  ]);
});

test('a small group that waits longest is told apart behind twenty larger ones, and the others have an age of their own', async () => {
  await using system = await quietSystem();
  for (let index = 0; index < 20; index++) await stand(system, `large-${index}`, 5);
  for (let index = 0; index < 11; index++) await stand(system, `small-${index}`, 1, 7_200 - index);
  const value = await scrape(system);
  expect(value('oldest_waiting_seconds', 'small-0')).toBeGreaterThanOrEqual(7_200);
  expect(value('oldest_waiting_seconds', 'small-9')).toBeGreaterThanOrEqual(7_191);
  expect([value('waiting'), (value('oldest_waiting_seconds') ?? 0) >= 7_190]).toEqual([1, true]);
});

test('a group may be called as the others together were', async () => {
  await using system = await quietSystem();
  for (let index = 0; index < 40; index++) await stand(system, `group-${index}`, 2);
  await stand(system, '(rest)', 9);
  const value = await scrape(system);
  expect([value('waiting', '(rest)'), value('waiting')]).toEqual([9, 2 * 40 - 2 * 29]);
});

test('a time to run that lies before the job was made does not make its group wait longer', async () => {
  await using system = await quietSystem();
  await stand(system, 'old', 1, 60, '1990-01-01');
  const [one] = (await readGroupFigures(system.context, fit.name)).groups;
  expect(one!.oldest).toBeLessThan(3_600);
});
