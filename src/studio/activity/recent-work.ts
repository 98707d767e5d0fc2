import { sql } from 'slonik';
import { listApprovals } from '#src/governance/approvals/approval-row.ts';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import { type JobSummary, jobSummaryColumns, jobSummaryRow } from '#src/jobs/model/job.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { listBriefs, listPlans } from '#src/studio/model/store.ts';
import { briefView } from '#src/studio/plan/create-brief.ts';
import { planView } from '#src/studio/plan/make-plan.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Lists an owner's newest jobs of the studio, waiting ones included. `plan` and `before` narrow the list to one plan,
 * and to jobs before an id.
 */
export async function listStudioJobs(
  { db }: Pick<Context, 'db'>,
  owner: string,
  limit: number,
  { before = null, plan = null }: { readonly before?: string | null; readonly plan?: string | null } = {},
): Promise<readonly JobSummary[]> {
  return await db.any(sql.type(jobSummaryRow)`
    select ${jobSummaryColumns} from studio_jobs s join jobs j on j.id = s.id
    where s.owner = ${owner} and s.kind <> 'call' and (${before}::uuid is null or s.id < ${before}::uuid)
      and (${plan}::uuid is null or s.plan = ${plan}::uuid)
    order by s.id desc limit ${limit}`);
}

/** The newest of everything that an owner has. */
export async function recentWork(context: Context, owner: string, limit: number) {
  const [briefs, plans, approvals, jobs] = await Promise.all([
    listBriefs(context, owner, limit),
    listPlans(context, owner, limit),
    listApprovals(context, { owner, state: null, before: null, limit }),
    listStudioJobs(context, owner, limit),
  ]);
  return {
    briefs: briefs.map(briefView),
    plans: plans.map(planView),
    approvals: approvals.slice(0, limit).map((approval) => approvalView(context, approval)),
    jobs: jobs.map(studioJobView),
  };
}
