import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import type { OwnerEvent } from '#src/governance/owners/owner-log.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { approveJob } from '#src/jobs/change/approve.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type ApprovalUse, useApproval } from './use-approval.ts';

const isPaidRow = row(Type.Object({ isPaid: Type.Boolean() }));

/** A job that was let go in a transaction; to be announced once that is committed. */
export interface Released {
  readonly job: Job;
  readonly event: OwnerEvent | null;
}

/**
 * Uses up an approval and lets the job that it is for into its queue, both in the caller's transaction.
 *
 * @param held whether paid work of ours waits for the switch of provider calls; a job whose money is to be reserved
 *   waits for that in any case
 * @throws AppError `invalid_approval`; `state_conflict` where the job no longer waits.
 */
export async function releaseWithApproval(
  tx: CommonQueryMethods,
  use: ApprovalUse,
  { by, held }: { readonly by: string; readonly held: boolean },
): Promise<Released> {
  const event = await useApproval(tx, use);
  if (!event) return { job: await jobNow(tx, use.job), event };
  const isPaid = await tx.maybeOneFirst(sql.type(isPaidRow)`
    update jobs set approval_id = ${use.id},
      gate = case when gate = 'asked' and terms ? 'budget' then 'reserve' when gate = 'asked' then null else gate end
    where id = ${use.job} returning gate is not distinct from 'reserve' as "isPaid"`);
  const job = await approveJob(tx, use.job, { by, held: isPaid === true || (held && use.kind !== 'job') });
  return { job, event };
}

/** The job as the same request has left it that came a moment earlier. */
async function jobNow(tx: CommonQueryMethods, id: string): Promise<Job> {
  const job = await readJob({ db: tx }, id);
  if (job) return job;
  throw new AppError('not_found', `No job has the id ${id}.`, { job: id });
}

/** Announces a released job to the broker, unless it is held. */
export function announceReleased(context: Context, { job }: Released): void {
  if (job.state === 'queued' && !job.held) openBroker(context).add(job);
}
