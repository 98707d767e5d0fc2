import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { readGroupFigures } from '#src/jobs/figures/group-figures.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

const principal = { owner: 'alice' };
const long = new Date('1990-01-01T00:00:00Z');

test('a time in the past buys a job no age: it waits from the moment in which it was made, and again from a new payload on', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const payload = { do: 'succeed' as const };
  const unique = { key: 'one', while: 'unfinished', conflict: 'replace' } as const;
  const send = async () => await submit(context, trial, { principal, payload, priority: 1_000, runAt: long, unique });
  for (let times = 1; times <= 2; times++) {
    const { job } = await send();
    expect(job.runAt.getTime()).toBeGreaterThanOrEqual(job.createdAt.getTime());
    const ages = sql.unsafe`select run_at < created_at from jobs`;
    expect(await context.db.anyFirst(ages)).toEqual([false]);
  }
  await context.db.query(sql.unsafe`update jobs set feed = 'ready'`);
  const [figures] = (await readGroupFigures(context, trial.name)).groups;
  expect([figures?.group, figures!.oldest < 3_600]).toEqual(['alice', true]);
});
