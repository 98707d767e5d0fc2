import { sql } from 'slonik';
import Type from 'typebox';
import { markUnknown, release, settle } from '#src/governance/budgets/budgets.ts';
import type { CallName } from '#src/governance/budgets/call-row.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { readUnderTerms } from './terms-row.ts';

const Costs = Type.Object({ cost: Type.Integer(), open: Type.Integer() });

/**
 * Settles the reservation of a job that has ended by what its worker said its effects have cost. Where it is not known
 * whether an effect happened, all of it stays held as unknown, as for any other paid call.
 *
 * @throws what Postgres fails with while it is away
 */
export async function settleBudget(context: Context, id: string): Promise<void> {
  const job = await readUnderTerms(context, id);
  const { call, billed = 0 } = job?.terms ?? {};
  if (job?.gate !== 'reserved' || job.finishedAt === null || call === undefined) return;
  const { cost, open } = await costsOf(context, id);
  const name = { job: id, provider: call };
  const due = Math.max(0, cost - billed);
  if (open > 0) await markUnknown(context, name, 'the outcome of an effect of the job is not known');
  else if (due > 0) await settleAll(context, name, due);
  else await release(context, name, 'the job said of no cost');
  await context.db.query(sql.unsafe`
    update jobs set gate = null, terms = (terms - 'call') || ${JSON.stringify({ billed: billed + due })}::jsonb
    where id = ${id} and gate = 'reserved' and dispatch = ${job.dispatch}`);
}

async function settleAll(context: Context, name: CallName, due: number): Promise<void> {
  const { quoted, cost } = await settle(context, name, { cost: due, externalId: null });
  if (cost > quoted) context.log.warn({ ...name, quoted, cost }, 'a job has cost more than was reserved for it');
}

async function costsOf({ db }: Context, id: string): Promise<Type.Static<typeof Costs>> {
  return await db.one(sql.type(row(Costs))`
    select coalesce(sum(cost), 0)::bigint as cost, count(*) filter (where state in ('intended', 'unknown')) as open
    from effects where job = ${id}`);
}
