import { sql } from 'slonik';
import { readApproval } from '#src/governance/approvals/approval-row.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';

/** Ends a job whose decision was no, or did not come in time; one that has ended meanwhile is left as it is. */
export async function endUndecided(context: Context, id: string): Promise<void> {
  const job = await readJob(context, id);
  const approval = job?.approvalId == null ? null : await readApproval(context, job.approvalId, null);
  const declined = approval?.state === 'declined';
  const by = (declined && approval.decidedBy) || systemOwner;
  const reason = declined ? 'its approval was declined' : 'its approval was not decided in time';
  await cancelJob(context, id, by, reason).catch(unlessEnded);
  await context.db.query(sql.unsafe`update jobs set gate = null where id = ${id} and gate = 'end'`);
}
