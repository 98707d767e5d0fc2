import { sql } from 'slonik';
import { openBudget, readCalls, reserve } from '#src/governance/budgets/budgets.ts';
import { releaseHeld } from '#src/jobs/change/change-job.ts';
import { refuseJob } from '#src/jobs/change/refuse.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { AppError } from '#src/lib/errors.ts';
import { microUsd } from '#src/lib/money.ts';
import type { Context } from '#src/system/context.ts';
import { readUnderTerms, type UnderTerms } from './terms-row.ts';

/**
 * Reserves what a job may cost, and lets it into its queue; a job that its budgets cannot hold fails without having run.
 * Repeated after a crash in between it goes on where that one ended.
 *
 * @throws what Postgres fails with while it is away
 */
export async function reserveBudget(context: Context, id: string): Promise<void> {
  const job = await readUnderTerms(context, id);
  if (job?.gate !== 'reserve' || job.state === 'awaiting_approval' || !job.terms?.budget) return;
  const call = `worker-${job.dispatch}`;
  if (job.finishedAt !== null) return await forget(context, id, call);
  if (job.state === 'queued' && job.held) {
    const refusal = await tryReserve(context, job, call);
    if (refusal) return await refuse(context, id, refusal).catch(unlessEnded);
  }
  // before the mark: a process that ends here is followed by one that comes to the same mark
  await releaseHeld(context, [id]);
  await markReserved(context, id, call);
}

/** A job that was cancelled before it was let go: what is reserved for it by now is settled like any other. */
async function forget(context: Context, id: string, call: string): Promise<void> {
  if ((await readCalls(context, id)).some(({ provider }) => provider === call))
    return await markReserved(context, id, call);
  await context.db.query(
    sql.unsafe`update jobs set gate = null where id = ${id} and gate = 'reserve' and finished_at is not null`,
  );
}

/** Marks that a job has money reserved, under the name of the call that holds it. */
async function markReserved({ db }: Context, id: string, call: string): Promise<void> {
  await db.query(sql.unsafe`
    update jobs set gate = 'reserved', terms = terms || ${JSON.stringify({ call })}::jsonb
    where id = ${id} and gate = 'reserve'`);
}

/** Reserves; answers the refusal of a budget that cannot hold it, else null. */
async function tryReserve(context: Context, job: UnderTerms, call: string): Promise<AppError | null> {
  const { id, owner, queue, terms } = job;
  const { budget, keyId = null } = terms ?? {};
  if (!budget) return null;
  const ofQueue = `queue:${owner}:${queue}:${new Date().toISOString().slice(0, 7)}`;
  // the ceiling is that of now, however long the job has waited
  const { month_usd } = registryOf(context).get(queue)?.budget ?? budget;
  await openBudget(context.db, ofQueue, month_usd === undefined ? null : microUsd(month_usd));
  try {
    await reserve(context, {
      job: id,
      provider: call,
      owner,
      keyId,
      surface: 'jobs',
      capability: queue,
      budgets: [ofQueue],
      quoted: microUsd(budget.job_usd),
    });
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'budget_exceeded') return error;
    throw error;
  }
}

async function refuse(context: Context, id: string, { code, message, details }: AppError): Promise<void> {
  await refuseJob(context, id, { code, message, details });
}
