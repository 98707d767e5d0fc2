import { sql } from 'slonik';
import { Type } from 'typebox';
import { expireApprovals } from '#src/governance/approvals/expire-approvals.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Waiting = Type.Object({ id: Type.String(), state: Type.Union([Type.String(), Type.Null()]) });

/** Reasons to report for a job whose approval will not come, by the approval's state. */
const reasons: Readonly<Record<string, string>> = {
  declined: 'its approval was declined',
  expired: 'its approval was not decided in time',
  used: 'its approval went to another job',
};

/**
 * Ends approvals that have expired, and jobs whose approval was declined, has expired or went to another job. A job
 * whose approval was never written, because the process that requested it ended in between, is ended a minute later.
 */
export async function reconcileApprovals(context: Context): Promise<void> {
  await expireApprovals(context);
  const waiting = await context.db.any(sql.type(row(Waiting))`
    select j.id, a.state from jobs j left join approvals a on a.id = j.approval_id
    where j.state = 'awaiting_approval' and j.queue in ('studio.render', 'studio.publish')
      and (a.state in ('declined', 'expired') or (a.state = 'used' and a.job <> j.id)
        or (a.job is distinct from j.id and j.created_at < now() - interval '1 minute'))
    order by j.id limit 200`);
  for (const { id, state } of waiting)
    await cancelJob(context, id, systemOwner, reasons[state ?? ''] ?? 'its approval was never requested').catch(
      unlessEnded,
    );
}
