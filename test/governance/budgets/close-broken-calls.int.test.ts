import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget, readCalls, reserve } from '#src/governance/budgets/budgets.ts';
import { closeCalls } from '#src/governance/budgets/close-calls.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

/** A call that stands reserved under 100, of a job that was cancelled an hour ago after it was made at this price. */
async function made({ context }: QuietSystem, billed: string) {
  const payload = { do: 'succeed' } as const;
  const { job } = await submit(context, trial, { principal: { owner: 'alice' }, payload });
  const call = { job: job.id, provider: 'p', owner: 'alice', keyId: null, budgets: ['b'], quoted: 100 } as const;
  await reserve(context, { ...call, surface: 'studio', capability: 'image.generate' });
  await context.db.query(sql.unsafe`
    update jobs set state = 'cancelled', finished_at = now() - interval '1 hour' where id = ${job.id}`);
  await context.db.query(sql.unsafe`
    insert into effects (job, effect, request_hash, state, attempt, outcome)
    values (${job.id}, 'p', '', 'done', 1, ${`{"billed": ${billed}}`}::jsonb)`);
  return job.id;
}

test('calls whose price is none stay reserved as unknown, and those behind them are closed', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await openBudget(context.db, 'b', null);
  const prices = ['1e300', '9007199254740993', '-5', '1.5', '"much"', '70', 'null'];
  const ids: string[] = [];
  for (const price of prices) ids.push(await made(system, price));
  expect(await closeCalls(context)).toBe(7);
  const found = await Promise.all(ids.map(async (id) => (await readCalls(context, id))[0]));
  expect(found.map((call) => `${call?.state} ${call?.cost}`)).toEqual([
    ...Array.from({ length: 5 }, () => 'unknown null'),
    'settled 70',
    'settled 100',
  ]);
  expect(await readBudget(context, 'b')).toMatchObject({ reserved: 500, spent: 170 });
  expect(await closeCalls(context)).toBe(0);
});
