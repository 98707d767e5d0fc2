import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import {
  type Call,
  markUnknown,
  nameCall,
  openBudget,
  readCalls,
  release,
  reserve,
  settle,
} from '#src/governance/budgets/budgets.ts';
import { readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { openContext } from '#src/system/context.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';

const call = (more: Partial<Call> = {}): Call => ({
  job: randomUUID(),
  provider: 'studio-one',
  owner: 'alice',
  keyId: null,
  surface: 'studio',
  capability: 'image.generate',
  budgets: ['job:1'],
  quoted: 100,
  ...more,
});

const opened = async (ceiling: number | null, settings: Readonly<Record<string, string>> = {}) => {
  const system = await quietSystem(settings);
  await openBudget(system.context.db, 'job:1', ceiling);
  return system;
};

const budget = async ({ context }: QuietSystem, id = 'job:1') => await readBudget(context, id);

const paid = { cost: 100, externalId: null };

test('200 reservations at once, from two processes, never pass the ceiling', async () => {
  await using system = await opened(5_050);
  await using other = await openContext(system.context.config, 'other');
  const calls = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => reserve(n % 2 ? other : system.context, call())),
  );
  const refused = calls.filter((each) => each.status === 'rejected');
  expect(calls.length - refused.length).toBe(50);
  expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['budget_exceeded']));
  expect(await budget(system)).toMatchObject({ reserved: 5_000, spent: 0 });
});

test('property: in any order of calls and ends, budgets hold what their calls add up to, and no ceiling is passed by a reservation', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const step = fc.record({
    amount: fc.integer({ min: 0, max: 400 }),
    budgets: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    reversed: fc.boolean(),
    ending: fc.constantFrom('settle', 'release', 'unknown', 'stand', 'again'),
  });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const own = (name: string) => `${round}:${name}`;
      round++;
      const ceilings = { a: 500, b: 1_000, c: null };
      for (const [name, ceiling] of Object.entries(ceilings)) await openBudget(context.db, own(name), ceiling);
      const calls = steps.map(({ amount, budgets, reversed }) =>
        call({ quoted: amount, budgets: (reversed ? budgets.toReversed() : budgets).map(own) }),
      );
      await Promise.all(
        calls.map(async (each, index) => {
          const reserved = await reserve(context, each).catch((error: unknown) => {
            expect(error).toMatchObject({ code: 'budget_exceeded' });
          });
          if (!reserved) return;
          const ending = steps[index]?.ending;
          if (ending === 'again') await reserve(context, each);
          if (ending === 'settle') await settle(context, each, { cost: each.quoted, externalId: null });
          if (ending === 'release') await release(context, each, 'no');
          if (ending === 'unknown') await markUnknown(context, each, 'who knows');
        }),
      );
      const all = (await Promise.all(calls.map(({ job }) => readCalls(context, job)))).flat();
      for (const [name, ceiling] of Object.entries(ceilings)) {
        const under = all.filter(({ budgets }) => budgets.includes(own(name)));
        const sum = (...states: string[]) =>
          under.filter(({ state }) => states.includes(state)).reduce((total, { quoted }) => total + quoted, 0);
        const held = { reserved: sum('reserved', 'unknown'), spent: sum('settled') };
        expect(await budget(system, own(name))).toMatchObject(held);
        if (ceiling !== null) expect(held.reserved + held.spent).toBeLessThanOrEqual(ceiling);
      }
    }),
    { numRuns: 15 },
  );
});

test('a process that dies between reservation and settlement leaves one reservation and one payment, however often it is repeated', async () => {
  await using system = await opened(150);
  const { context } = system;
  const one = call();
  await reserve(context, one);
  await Promise.all([reserve(context, one), reserve(context, one)]);
  expect(await budget(system)).toMatchObject({ reserved: 100, spent: 0 });
  const ends = await Promise.all([settle(context, one, paid), settle(context, one, { ...paid, cost: 30 })]);
  expect(new Set(ends.map(({ cost }) => cost)).size).toBe(1);
  expect(await budget(system)).toMatchObject({ reserved: 0, spent: ends[0]?.cost });
  expect(await reserve(context, one)).toMatchObject({ state: 'settled', cost: ends[0]?.cost });
  await release(context, one, 'too late');
  await markUnknown(context, one, 'too late');
  expect(await budget(system)).toMatchObject({ reserved: 0, spent: ends[0]?.cost });
});

test('error: what passes a ceiling is refused with the numbers, and nothing is reserved under the other budgets', async () => {
  await using system = await opened(1_000_000);
  await openBudget(system.context.db, 'job:2', null);
  await reserve(system.context, call({ quoted: 250_000 }));
  const spent = call({ quoted: 500_000 });
  await reserve(system.context, spent);
  await settle(system.context, spent, { cost: 500_000, externalId: 'x-1' });
  const refusal = reserve(system.context, call({ quoted: 250_001, budgets: ['job:2', 'job:1'] }));
  await expect(refusal).rejects.toMatchObject({
    code: 'budget_exceeded',
    message:
      'expected a call of at most $0.250000, which the budget job:1 has left of $1.000000 ($0.500000 spent, $0.250000 reserved), got one of $0.250001: it was not made.',
    details: { budget: 'job:1', ceiling: 1_000_000, reserved: 250_000, spent: 500_000, amount: 250_001 },
  });
  expect(await budget(system, 'job:2')).toMatchObject({ reserved: 0 });
  await expect(reserve(system.context, call({ budgets: ['job:9'] }))).rejects.toMatchObject({ code: 'not_found' });
});

test('a bill above the quote is recorded in full, and says which ceiling it has broken; free work goes on', async () => {
  await using system = await opened(150);
  const one = call();
  await reserve(system.context, one);
  const dear = { cost: 190, externalId: 'x-1' };
  const report = { quoted: 100, cost: 190, broken: [{ id: 'job:1', ceiling: 150, spent: 190, reserved: 0 }] };
  expect(await settle(system.context, one, dear)).toEqual(report);
  // told again to whoever repeats it after a crash
  expect(await settle(system.context, one, dear)).toEqual(report);
  await expect(reserve(system.context, call({ quoted: 1 }))).rejects.toMatchObject({ code: 'budget_exceeded' });
  expect(await reserve(system.context, call({ quoted: 0 }))).toMatchObject({ state: 'reserved' });
});

test('what may have happened stays reserved, until it is known', async () => {
  await using system = await opened(150);
  const one = call();
  await reserve(system.context, one);
  await nameCall(system.context, one, 'task-7');
  await markUnknown(system.context, one, 'the connection broke');
  expect(await budget(system)).toMatchObject({ reserved: 100, spent: 0 });
  await expect(reserve(system.context, call())).rejects.toMatchObject({ code: 'budget_exceeded' });
  expect(await reserve(system.context, one)).toMatchObject({ state: 'reserved', externalId: 'task-7' });
  await settle(system.context, one, paid);
  expect(await budget(system)).toMatchObject({ reserved: 0, spent: 100 });
});

test('a call that was given back can be reserved again, at another price', async () => {
  await using system = await opened(150);
  const one = call();
  await reserve(system.context, one);
  await release(system.context, one, 'busy');
  expect(await budget(system)).toMatchObject({ reserved: 0, spent: 0 });
  expect(await reserve(system.context, { ...one, quoted: 120 })).toMatchObject({ state: 'reserved', quoted: 120 });
  expect(await budget(system)).toMatchObject({ reserved: 120, spent: 0 });
});

test('an owner and a key have budgets of each month, with the ceilings of the settings of that moment', async () => {
  const key = randomUUID();
  await using system = await opened(null, { SPEND_OWNER_MONTHLY_USD: '0.00025', SPEND_KEY_MONTHLY_USD: '0.00015' });
  const month = new Date().toISOString().slice(0, 7);
  await reserve(system.context, call({ keyId: key }));
  await expect(reserve(system.context, call({ keyId: key }))).rejects.toMatchObject({
    details: { budget: `key:${key}:${month}`, ceiling: 150 },
  });
  await reserve(system.context, call());
  await expect(reserve(system.context, call())).rejects.toMatchObject({
    details: { budget: `owner:alice:${month}`, ceiling: 250 },
  });
  expect(await reserve(system.context, call({ owner: 'bob' }))).toMatchObject({ owner: 'bob' });
  const { config, db } = system.context;
  const generous = { ...system.context, config: { ...config, SPEND_OWNER_MONTHLY_USD: undefined } };
  await reserve(generous, call());
  expect(await db.oneFirst(sql.unsafe`select ceiling from budgets where id = ${`owner:alice:${month}`}`)).toBeNull();
});

test('an owner is told what is reserved, spent and given back', async () => {
  await using system = await opened(null);
  const [one, two] = [call(), call({ provider: 'studio-two' })];
  await reserve(system.context, one);
  await reserve(system.context, two);
  await reserve(system.context, two);
  await settle(system.context, one, { cost: 90, externalId: null });
  await release(system.context, two, 'it was busy');
  const events = await readOwnerEvents(system.context, 'alice', 0, 10);
  const about = ({ job, provider }: Call) => ({ job, provider, surface: 'studio', capability: 'image.generate' });
  expect(events.map(({ n, type, data }) => [n, type, data])).toEqual([
    [1, 'spend.reserved', { ...about(one), usd: 0.0001 }],
    [2, 'spend.reserved', { ...about(two), usd: 0.0001 }],
    [3, 'spend.settled', { ...about(one), usd: 0.00009, quotedUsd: 0.0001 }],
    [4, 'spend.released', { ...about(two), usd: 0.0001, reason: 'it was busy' }],
  ]);
});
