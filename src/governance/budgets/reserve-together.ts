import { sql } from 'slonik';
import Type from 'typebox';
import { publishOwnerEvents, tellOwnerAll } from '#src/governance/owners/owner-log.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { takeFrom } from './budget-rows.ts';
import { type Call, openBudget } from './budgets.ts';
import type { CallName } from './call-row.ts';
import { monthlyBudgets } from './monthly-budgets.ts';

const madeRow = row(Type.Object({ job: Type.String() }));

/** New calls that are paid alike: all but their names and quotes are the same. */
export type AlikeCalls = Omit<Call, 'job' | 'provider' | 'quoted'> & {
  readonly calls: readonly (CallName & Pick<Call, 'quoted'>)[];
};

/**
 * Reserves new calls in one transaction, as `reserve` does one. Answers the jobs whose calls are reserved by it: not one
 * whose call was there already, and none where the budgets cannot hold all of them, so that each is to be tried alone.
 *
 * @throws AppError `not_found` for a budget that was never opened
 */
export async function reserveTogether(context: Context, alike: AlikeCalls): Promise<ReadonlySet<string>> {
  const { owner, keyId, surface, capability, calls } = alike;
  const monthly = monthlyBudgets(context.config, alike, new Date());
  for (const { id, ceiling } of monthly) await openBudget(context.db, id, ceiling);
  const budgets = [...new Set([...alike.budgets, ...monthly.map(({ id }) => id)])];
  const reserving = context.db.transaction(async (tx) => {
    const made = await tx.anyFirst(sql.type(madeRow)`
      insert into provider_calls (job, provider, owner, key_id, surface, capability, budgets, quoted, state)
      select g.job::uuid, g.provider, ${owner}, ${keyId}, ${surface}, ${capability}, ${sql.array(budgets, 'text')}, g.quoted::bigint, 'reserved'
      from unnest(${sql.array(
        calls.map(({ job }) => job),
        'text',
      )}, ${sql.array(
        calls.map(({ provider }) => provider),
        'text',
      )}, ${sql.array(
        calls.map(({ quoted }) => String(quoted)),
        'text',
      )}) as g (job, provider, quoted)
      order by g.job
      on conflict (job, provider) do nothing
      returning job`);
    const jobs = new Set(made);
    const own = calls.filter(({ job }) => jobs.has(job));
    const total = own.reduce((sum, { quoted }) => sum + quoted, 0);
    await takeFrom(tx, budgets, total);
    const data = own.map(({ job, provider, quoted }) => ({ job, provider, surface, capability, usd: quoted / 1e6 }));
    return { jobs, events: await tellOwnerAll(tx, owner, 'spend.reserved', data) };
  });
  const { jobs, events } = await reserving.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'budget_exceeded') return { jobs: new Set<string>(), events: [] };
    throw error;
  });
  if (events.length > 0) await publishOwnerEvents(context, owner, events);
  return jobs;
}
