import { sql } from 'slonik';
import { Type } from 'typebox';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { type Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import { AppError } from '#src/lib/errors.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import { readPlan } from '#src/studio/model/store.ts';
import { sealExecution } from '#src/studio/seal/seal-execution.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';

const PAGE = 100;
const Orphan = Type.Object({ id: Type.String() });

/**
 * Seals the acts of live executions that failed or were cancelled: money may be spent and assets made, so they leave a
 * receipt as well. Executions that never ran leave none. One with undecided calls of providers waits, since a receipt
 * is sealed once and lists every call. An execution that cannot be sealed holds up no other.
 */
export async function sealEnded(context: Context): Promise<void> {
  const ended = await context.db.any(sql.type(jobRow)`
    select ${jobColumns} from studio_jobs s join jobs j on j.id = s.id
    where s.kind in ('render', 'publish') and j.state in ('failed', 'cancelled') and j.attempt > 0
      and j.finished_at > now() - interval '7 days' and not exists (select from receipts r where r.id = j.id)
      -- both of them few: what is open now
      and not exists (
        select from studio_jobs c join jobs k on k.id = c.id
        where c.closed_at is null and c.parent = j.id and k.finished_at is null)
      and not exists (
        select from provider_calls c join jobs k on k.id = c.job
        where c.state = 'reserved' and j.id in (k.id, k.parent_id))
    order by j.id limit ${PAGE}`);
  for (const job of ended) {
    try {
      await seal(context, job);
    } catch (error) {
      await logFailure(
        context,
        error,
        { job: job.id },
        'an execution that ended could not be sealed; it is tried again',
      );
      // the signer is away for all of them
      if (error instanceof AppError && error.code === 'unavailable') return;
    }
  }
}

async function seal(context: Context, job: Job): Promise<void> {
  const { planId = null } = job.payload as { planId?: string | null };
  const plan = planId === null ? null : await readPlan(context, planId, job.owner);
  await sealExecution(context, {
    job,
    goal: plan?.plan.prompt ?? '',
    plan: plan?.plan ?? job.payload,
    outcome: job.state === 'cancelled' ? 'cancelled' : 'failed',
    ...(job.error && { code: job.error.code }),
  });
}

/** Cancels calls of providers whose render has ended without them: its worker was not there to do it. */
export async function cancelOrphans(context: Context): Promise<void> {
  const orphans = await context.db.any(sql.type(row(Orphan))`
    select c.id from studio_jobs s join jobs p on p.id = s.parent join jobs c on c.id = s.id
    where s.closed_at is null and s.kind = 'call' and p.state in ('failed', 'cancelled')
      and c.state in ('queued', 'running') order by c.id limit ${PAGE}`);
  for (const { id } of orphans)
    await cancelJob(context, id, systemOwner, 'the render it belongs to has ended').catch(unlessEnded);
}
