import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { besideWorld } from './beside-world.ts';
import { slowStory } from './jobs.ts';

const JOBS = 60;
const HALF = JOBS / 2;

test('a worker beside and one elsewhere share a queue, each is killed once, and every job ends once with each step done once', {
  timeout: 180_000,
}, async () => {
  await using world = await besideWorld();
  const [beside, elsewhere] = [await world.beside('slow'), await world.elsewhere('slow')];
  const { client, notes } = world;
  const submitHalf = async (from: number) =>
    await Promise.all(Array.from({ length: HALF }, async (_, n) => await client.submit(slowStory, { n: from + n })));
  const jobs = await submitHalf(0);
  const keptAtLeast = async (count: number) => await until(() => notes('kept').length >= count);
  await keptAtLeast(20);
  beside.child.kill('SIGKILL');
  await beside.ended;
  await world.beside('slow');
  // the worker elsewhere may have ended the first half while the other one started again
  jobs.push(...(await submitHalf(HALF)));
  await keptAtLeast(notes('kept').length + 20);
  elsewhere.child.kill('SIGKILL');
  await elsewhere.ended;
  await world.elsewhere('slow');

  const results = await Promise.all(jobs.map(async (job) => await job.result({ timeout: '2m' })));
  expect(results).toEqual(jobs.map((_, n) => n + 3));
  const rows = await world.context.db.any(sql.unsafe`
    select j.state, j.failures, (select count(*)::int from events e where e.job = j.id and e.type = 'succeeded') as ends,
      (select count(*)::int from steps s where s.job = j.id) as steps, (select count(*)::int from effects f where f.job = j.id and f.state = 'done') as effects
    from jobs j`);
  expect(rows).toEqual(
    Array.from({ length: JOBS }, () => ({ state: 'succeeded', failures: 0, ends: 1, steps: 4, effects: 1 })),
  );
  expect(runAfterKept(notes())).toEqual([]);
  const pids = new Set(notes('by').map((line) => Number(line.split(' ')[1])));
  expect([pids.has(beside.child.pid!), pids.has(elsewhere.child.pid!)]).toEqual([true, true]);
  expect(new Set(notes('sent')).size).toBe(JOBS);
});

/** Steps that ran although a value of theirs had been kept before. */
function runAfterKept(lines: readonly string[]): readonly string[] {
  const kept = new Set<string>();
  return lines.filter((line) => {
    const [word, ...rest] = line.split(' ');
    const step = rest.join(' ');
    if (word === 'kept') kept.add(step);
    return word === 'run' && kept.has(step);
  });
}
