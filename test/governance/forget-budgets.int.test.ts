import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { submit } from '#src/jobs/submit/submit.ts';
import { forgetOld } from '#src/jobs/sweep/retention.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

test('budgets of single jobs are forgotten with them; what is reserved, what is young, and all others stay', async () => {
  await using system = await quietSystem({ JOB_RETENTION_DAYS: '10', CALLS_RETENTION_DAYS: '10' });
  const { context } = system;
  const { job } = await submit(context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' } });
  const [gone, turn, open, young] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const staying = [`job:${job.id}`, `job:${open}`, `mission:${gone}`, 'owner:job:2020-01', 'job:x'];
  const budgets: readonly (readonly [id: string, days: number, reserved: number])[] = [
    [`job:${gone}`, 11, 0],
    [`platform:${turn}`, 11, 0],
    ...staying.map((id) => [id, 11, id.endsWith(open) ? 5 : 0] as const),
    [`job:${young}`, 9, 0],
  ];
  for (const [id, days, reserved] of budgets)
    await context.db.query(sql.unsafe`
      insert into budgets (id, reserved, updated_at) values (${id}, ${reserved}, now() - ${days} * interval '1 day')`);
  const client = await system.connect();
  const age = async (days: number) =>
    await context.db.query(sql.unsafe`update jobs set created_at = now() - ${days} * interval '1 day'`);
  // it waits since then, and what it is paid from may be any of these
  await age(11);
  expect(await forgetOld(context, client)).toMatchObject({ budgets: 0 });
  await age(1);
  expect(await forgetOld(context, client)).toMatchObject({ budgets: 2 });
  const left = await context.db.anyFirst(sql.unsafe`select id from budgets`);
  expect(new Set(left)).toEqual(new Set([...staying, `job:${young}`]));
});
