import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget, readCalls, reserve } from '#src/governance/budgets/budgets.ts';
import { closeCalls, startClosingCalls } from '#src/governance/budgets/close-calls.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

/** A call that stands reserved under 100, of a job that ended so long ago, with an effect in that state. */
async function left({ context }: QuietSystem, endedAgo: string | null, effect?: readonly [string, string, string?]) {
  const payload = { do: 'succeed' } as const;
  const { job } = await submit(context, trial, { principal: { owner: 'alice' }, payload });
  const call = { job: job.id, provider: 'p', owner: 'alice', keyId: null, budgets: ['b'], quoted: 100 } as const;
  await reserve(context, { ...call, surface: 'studio', capability: 'image.generate' });
  if (endedAgo !== null)
    await context.db.query(sql.unsafe`
      update jobs set state = 'cancelled', finished_at = now() - ${endedAgo}::interval where id = ${job.id}`);
  if (effect)
    await context.db.query(sql.unsafe`
      insert into effects (job, effect, request_hash, state, attempt, outcome)
      values (${job.id}, ${effect[0]}, '', ${effect[1]}, 1, ${effect[2] ?? null}::jsonb)`);
  return job.id;
}

const failed = async ({ context }: QuietSystem, id: string) => {
  await context.db.query(sql.unsafe`update jobs set state = 'failed' where id = ${id}`);
  return id;
};

test('calls of jobs that ended are settled, released or unknown by what is known of them; others are left alone', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await openBudget(context.db, 'b', null);
  const cases: readonly (readonly [expected: string, id: string])[] = [
    ['released null', await left(system, '1 hour')],
    ['unknown null', await failed(system, await left(system, '1 hour'))],
    ['released null', await left(system, '1 hour', ['p', 'failed'])],
    ['unknown null', await left(system, '1 hour', ['p', 'intended'])],
    ['unknown null', await left(system, '1 hour', ['submit:p', 'done', '{}'])],
    ['settled 70', await left(system, '1 hour', ['p', 'done', '{"billed": 70}'])],
    ['settled 100', await left(system, '1 hour', ['fetch:p', 'done', '{"billed": null}'])],
    ['reserved null', await left(system, '1 second', ['p', 'intended'])],
    ['reserved null', await left(system, null)],
  ];
  expect(await closeCalls(context)).toBe(7);
  const found = cases.map(async ([, id]) =>
    (await readCalls(context, id)).map(({ state, cost }) => `${state} ${cost}`),
  );
  expect((await Promise.all(found)).flat()).toEqual(cases.map(([expected]) => expected));
  expect(await readBudget(context, 'b')).toMatchObject({ reserved: 500, spent: 170 });
  expect(await closeCalls(context)).toBe(0);
});

test('a call whose job is forgotten may have happened', async () => {
  await using system = await quietSystem();
  await openBudget(system.context.db, 'b', null);
  const id = await left(system, '1 hour');
  await system.context.db.query(sql.unsafe`delete from jobs where id = ${id}`);
  startClosingCalls(system.context);
  await expect.poll(async () => (await readCalls(system.context, id))[0]?.state).toBe('unknown');
});

test('calls that cannot be closed keep none of the others from being closed, however many they are', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await openBudget(context.db, 'b', null);
  const stuck = [await left(system, '3 hours'), await left(system, '3 hours'), await left(system, '3 hours')];
  const others = [await left(system, '1 hour'), await left(system, '1 hour')];
  // it says nothing of the call, as a lock that is held does
  await context.db.query(sql.unsafe`
    create function refuse() returns trigger language plpgsql as $$ begin
      if old.job = any (${sql.literalValue(`{${stuck.join()}}`)}::uuid[]) then
        raise exception 'not now' using errcode = '55000';
      end if;
      return new;
    end $$`);
  await context.db.query(sql.unsafe`
    create trigger refuse before update on provider_calls for each row execute function refuse()`);
  expect(await closeCalls(context, 60_000, 2)).toBe(others.length);
  const states = async (ids: readonly string[]) =>
    await Promise.all(ids.map(async (id) => (await readCalls(context, id))[0]?.state));
  expect(await states(others)).toEqual(['released', 'released']);
  expect(await states(stuck)).toEqual(['reserved', 'reserved', 'reserved']);
  await context.db.query(sql.unsafe`drop trigger refuse on provider_calls`);
  expect(await closeCalls(context, 60_000, 2)).toBe(stuck.length);
});
