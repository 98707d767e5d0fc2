import { sql } from 'slonik';
import { type Call, openBudget, readCalls, reserve } from '#src/governance/budgets/budgets.ts';
import { reserveTogether } from '#src/governance/budgets/reserve-together.ts';
import { releaseHeld } from '#src/jobs/change/change-job.ts';
import { refuseJob } from '#src/jobs/change/refuse.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { AppError } from '#src/lib/errors.ts';
import { microUsd } from '#src/lib/money.ts';
import type { Context } from '#src/system/context.ts';
import { readAllUnderTerms, type UnderTerms } from './terms-row.ts';

/**
 * Reserves what jobs may cost, together where they are paid alike, and lets them into their queues; a job that its
 * budgets cannot hold fails without having run. Repeated after a crash in between it goes on where that one ended.
 *
 * @throws what Postgres fails with while it is away
 */
export async function reserveBudgets(context: Context, ids: readonly string[]): Promise<void> {
  const jobs = (await readAllUnderTerms(context, ids)).filter(
    ({ gate, state, terms }) => gate === 'reserve' && state !== 'awaiting_approval' && terms?.budget,
  );
  const [ended, open] = [jobs.filter(({ finishedAt }) => finishedAt), jobs.filter(({ finishedAt }) => !finishedAt)];
  for (const job of ended) await forget(context, job);
  const refused = await reserveAll(
    context,
    open.filter(({ state, held }) => state === 'queued' && held),
  );
  for (const [id, { code, message, details }] of refused)
    await refuseJob(context, id, { code, message, details }).catch(unlessEnded);
  // before the mark: a process that ends here is followed by one that comes to the same mark
  const reserved = open.filter(({ id }) => !refused.has(id));
  await releaseHeld(
    context,
    reserved.map(({ id }) => id),
  );
  await markReserved(context, reserved);
}

/** Name of a job's reservation among its calls. */
const callOf = ({ dispatch }: UnderTerms) => `worker-${dispatch}`;

/** A job that was cancelled before it was let go: what is reserved for it by now is settled like any other. */
async function forget(context: Context, job: UnderTerms): Promise<void> {
  const { id } = job;
  if ((await readCalls(context, id)).some(({ provider }) => provider === callOf(job)))
    return await markReserved(context, [job]);
  await context.db.query(
    sql.unsafe`update jobs set gate = null where id = ${id} and gate = 'reserve' and finished_at is not null`,
  );
}

/** Marks that jobs have money reserved, under the names of the calls that hold it. */
async function markReserved({ db }: Context, jobs: readonly UnderTerms[]): Promise<void> {
  const ids = jobs.map(({ id }) => id);
  await db.query(sql.unsafe`
    with locked as materialized (
      select j.id, g.call from unnest(${sql.array(ids, 'uuid')}, ${sql.array(jobs.map(callOf), 'text')}) as g (id, call)
      join jobs j on j.id = g.id where j.gate = 'reserve' order by j.id for update of j
    )
    update jobs j set gate = 'reserved', terms = j.terms || jsonb_build_object('call', l.call)
    from locked l where j.id = l.id and j.gate = 'reserve'`);
}

/** Reserves for each of these jobs; answers the refusals of those that their budgets cannot hold. */
async function reserveAll(context: Context, jobs: readonly UnderTerms[]): Promise<ReadonlyMap<string, AppError>> {
  const refused = new Map<string, AppError>();
  const alike = Map.groupBy(jobs, ({ owner, queue, terms }) => JSON.stringify([owner, queue, terms?.keyId ?? null]));
  for (const own of alike.values()) {
    const [first] = own;
    if (!first) continue;
    const { owner, queue, terms } = first;
    const paid = { owner, keyId: terms?.keyId ?? null, surface: 'jobs', capability: queue } as const;
    const budgets = [await openQueueBudget(context, first)];
    const calls = own.map((job) => ({ job: job.id, provider: callOf(job), quoted: quoteOf(job) }));
    const done = calls.length > 1 ? await reserveTogether(context, { ...paid, budgets, calls }) : new Set<string>();
    for (const call of calls) {
      const refusal = done.has(call.job) ? null : await tryReserve(context, { ...paid, ...call, budgets });
      if (refusal) refused.set(call.job, refusal);
    }
  }
  return refused;
}

function quoteOf({ terms }: UnderTerms): number {
  return microUsd(terms?.budget?.job_usd ?? 0);
}

/** Opens the budget of a queue in this month, and answers its id. The ceiling is that of now, however long the job has waited. */
async function openQueueBudget(context: Context, { owner, queue, terms }: UnderTerms): Promise<string> {
  const id = `queue:${owner}:${queue}:${new Date().toISOString().slice(0, 7)}`;
  const { month_usd } = registryOf(context).get(queue)?.budget ?? terms?.budget ?? {};
  await openBudget(context.db, id, month_usd === undefined ? null : microUsd(month_usd));
  return id;
}

/** Reserves one; answers the refusal of a budget that cannot hold it, else null. */
async function tryReserve(context: Context, call: Call): Promise<AppError | null> {
  try {
    await reserve(context, call);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'budget_exceeded') return error;
    throw error;
  }
}
