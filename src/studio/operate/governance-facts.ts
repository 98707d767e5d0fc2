import { sql } from 'slonik';
import { Type } from 'typebox';
import { type Approval, readApproval } from '#src/governance/approvals/approval-row.ts';
import { type Budget, readBudget } from '#src/governance/budgets/budget-rows.ts';
import { type Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { ownAttest } from '#src/receipts/verify/own-attest.ts';
import type { Attestation } from '#src/receipts/verify/verify.ts';
import { type Plan, readPlan } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Call = row(
  Type.Object({ provider: Type.String(), state: Type.String(), cost: Type.Integer(), quoted: Type.Integer() }),
);

/** Records of one live job, by which it is judged. */
export interface GovernanceFacts {
  readonly job: Job;
  readonly plan: Plan | null;
  readonly approval: Approval | null;
  /** Budget of this job; null where it has spent nothing. */
  readonly budget: Budget | null;
  /** Calls of providers by it and its child jobs; costs in millionths of a dollar. */
  readonly calls: readonly {
    readonly provider: string;
    readonly state: string;
    readonly cost: number;
    readonly quoted: number;
  }[];
  /** Result of checking its receipt; null where it has none. */
  readonly attestation: Attestation | null;
}

/** The facts of renders and publications, in order of their ids. */
export async function governanceFacts(
  context: Context,
  owner: string,
  ids: readonly string[],
): Promise<readonly GovernanceFacts[]> {
  const { db } = context;
  const jobs = await db.any(sql.type(jobRow)`
    select ${jobColumns} from jobs j where j.id = any(${sql.array([...ids], 'uuid')}) and j.owner = ${owner} order by j.id`);
  const found: GovernanceFacts[] = [];
  // one after the other: an owner's question must not take every connection
  for (const job of jobs) {
    const { planId = null } = job.payload as { readonly planId?: string | null };
    const receipt = await readReceipt(context, job.id);
    found.push({
      job,
      plan: planId === null ? null : await readPlan(context, planId, owner),
      approval: job.approvalId === null ? null : await readApproval(context, job.approvalId, owner),
      budget: await readBudget(context, `job:${job.id}`),
      calls: await db.any(sql.type(Call)`
        select c.provider, c.state, coalesce(c.cost, 0) as cost, c.quoted from provider_calls c
        where c.job = ${job.id} or c.job in (select id from studio_jobs where parent = ${job.id}) order by c.created_at`),
      attestation: receipt && (await ownAttest(context).offline(receipt, job.id)),
    });
  }
  return found;
}
