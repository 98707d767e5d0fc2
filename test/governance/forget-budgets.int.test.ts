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
  // it waits since then, and what it is paid from may be any of these
  const old = await context.db.oneFirst(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed)
    values (uuidv7(interval '-11 days'), 'alice', 'trial', 'queued', 0, '{}', '\\x00', 'ready') returning id`);
  expect(await forgetOld(context, client)).toMatchObject({ budgets: 0 });
  await context.db.query(sql.unsafe`delete from jobs where id = ${String(old)}`);
  expect(await forgetOld(context, client)).toMatchObject({ budgets: 2 });
  const left = await context.db.anyFirst(sql.unsafe`select id from budgets`);
  expect(new Set(left)).toEqual(new Set([...staying, `job:${young}`]));
});
