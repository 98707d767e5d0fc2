import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { respond } from '#queues/platform.ts';
import { beginPaid } from '#src/governance/budgets/begin-paid-job.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget, readCalls } from '#src/governance/budgets/budgets.ts';
import { endPaid } from '#src/governance/budgets/end-paid-job.ts';
import { readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { pauseQueue, resumeQueue } from '#src/jobs/broker/queue-pauses.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { effectStates } from '#src/jobs/effects/intents.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { startChild } from '#test/helpers/child.ts';
import { until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { endOf, paidJob, provider } from './paid-job.ts';

const MadeRow = row(Type.Object({ many: Type.Integer() }));
const countJobs = async ({ db }: Context) =>
  await db.oneFirst(sql.type(MadeRow)`select count(*)::int as many from jobs`);

test('jobs that begin at once, in two processes, never pass a ceiling, and none is refused that fits', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await using other = await openContext(context.config, 'other');
  const ceiling = 10_050;
  await openBudget(context.db, 'job:1', ceiling);
  // those that are too large for what is left stand between those that are not
  const quotes = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? 900 : 100));
  const begun = await Promise.allSettled(
    quotes.map(async (quoted, n) => {
      const process = n % 2 ? other : context;
      return await beginPaid(process, await paidJob(process, quoted));
    }),
  );
  const refused = quotes.filter((_, n) => begun[n]?.status === 'rejected');
  const taken = quotes.filter((_, n) => begun[n]?.status === 'fulfilled').reduce((sum, quoted) => sum + quoted, 0);
  for (const one of begun) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'budget_exceeded' });
  expect(await readBudget(context, 'job:1')).toMatchObject({ reserved: taken, spent: 0 });
  expect(taken).toBeLessThanOrEqual(ceiling);
  expect(Math.min(...refused)).toBeGreaterThan(ceiling - taken);
  const made = quotes.length - refused.length;
  expect(await countJobs(context)).toBe(made);
  const events = await readOwnerEvents(context, 'alice', 0, 1_000);
  expect(events.map(({ n }) => n)).toEqual(Array.from({ length: made }, (_, n) => n + 1));
});

const SumsRow = row(Type.Object({ reserved: Type.Integer(), spent: Type.Integer() }));

test('200 callers in four processes, two of them killed: no ceiling is passed, and what the dead had reserved stays held', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const ceiling = 100_050;
  await openBudget(context.db, 'job:1', ceiling);
  const held = async () => {
    const { reserved = 0, spent = 0 } = (await readBudget(context, 'job:1')) ?? {};
    return reserved + spent;
  };
  await using stack = new AsyncDisposableStack();
  const start = async () => stack.use(await startChild(new URL('./spender.ts', import.meta.url), system.env));
  const [one, two, ...others] = await Promise.all([start(), start(), start(), start()]);
  for (const { process } of [one, two, ...others]) process.send('spend');
  let most = 0;
  await until(async () => {
    most = Math.max(most, await held());
    return most > ceiling / 4;
  });
  one.kill('SIGKILL');
  await until(async () => {
    most = Math.max(most, await held());
    return most > ceiling / 2;
  });
  two.kill('SIGKILL');
  for (const { exited } of others) expect(await exited).toEqual({ code: 0, signal: null });
  expect(Math.max(most, await held())).toBeLessThanOrEqual(ceiling);
  const sums = await context.db.one(sql.type(SumsRow)`
    select coalesce(sum(quoted) filter (where state = 'reserved'), 0)::int as reserved,
      coalesce(sum(cost) filter (where state = 'settled'), 0)::int as spent from provider_calls`);
  expect(await readBudget(context, 'job:1')).toMatchObject({ reserved: sums.reserved, spent: sums.spent });
  // those that live have spent until nothing more fits
  expect(ceiling - (await held())).toBeLessThan(100);
}, 120_000);

test('of jobs that begin at once under one key one is made, and its call is reserved once', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await openBudget(context.db, 'job:1', null);
  const jobs = await Promise.all(Array.from({ length: 8 }, () => paidJob(context, 100, { idempotencyKey: 'k' })));
  const begun = await Promise.all(jobs.map((job) => beginPaid(context, job)));
  expect(begun.toSorted()).toEqual(['begun', ...Array<string>(7).fill('taken')]);
  expect(await readBudget(context, 'job:1')).toMatchObject({ reserved: 100 });
});

test('one job that cannot be stored holds up none of those that begin with it', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await openBudget(context.db, 'job:1', null);
  const bad = await paidJob(context, 100, { idempotencyKey: 'a\0b' });
  const good = await Promise.all(Array.from({ length: 5 }, () => paidJob(context, 100)));
  const begun = await Promise.allSettled([bad, ...good].map((job) => beginPaid(context, job)));
  expect(begun[0]).toMatchObject({ status: 'rejected', reason: { code: 'invalid_payload' } });
  expect(begun.slice(1)).toEqual(good.map(() => ({ status: 'fulfilled', value: 'begun' })));
  expect(await readBudget(context, 'job:1')).toMatchObject({ reserved: 500 });
});

test('while their queue is paused no job begins and nothing is reserved', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await openBudget(context.db, 'job:1', null);
  await pauseQueue(context, respond.name, { by: 'op', reason: null });
  const job = await paidJob(context, 100);
  await expect(beginPaid(context, job)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await readBudget(context, 'job:1')).toMatchObject({ reserved: 0 });
  await resumeQueue(context, respond.name, { by: 'op' });
  expect(await beginPaid(context, job)).toBe('begun');
});

test('jobs that end at once are paid once each; of one that was cancelled the cost and the outcome count, and no more', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await openBudget(context.db, 'job:1', null);
  const jobs = await Promise.all(Array.from({ length: 6 }, () => paidJob(context, 100)));
  await Promise.all(jobs.map((job) => beginPaid(context, job)));
  const [first] = jobs;
  await cancelJob(context, first!.id, 'alice');
  const ended = await Promise.all(jobs.map((job) => endPaid(context)(endOf(job, 40))));
  expect(ended.map((one) => one !== null)).toEqual([false, true, true, true, true, true]);
  expect(await readBudget(context, 'job:1')).toMatchObject({ reserved: 0, spent: 240 });
  for (const { id } of jobs) {
    expect(await readCalls(context, id)).toMatchObject([{ state: 'settled', cost: 40 }]);
    expect((await effectStates(context, id, [provider])).get(provider)).toBe('done');
  }
  expect(await readJob(context, first!.id)).toMatchObject({ state: 'cancelled' });
  expect(await readJob(context, jobs[1]!.id)).toMatchObject({ state: 'succeeded', result: { text: 'a light' } });
  // the answer of the first try was lost
  expect(await endPaid(context)(endOf(jobs[1]!, 40))).toBeNull();
  expect(await readBudget(context, 'job:1')).toMatchObject({ reserved: 0, spent: 240 });
  const events = await readOwnerEvents(context, 'alice', 0, 100);
  expect(events.map(({ n }) => n)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(events.filter(({ type }) => type === 'spend.settled')).toHaveLength(6);
});
