import { sql } from 'slonik';
import { Type } from 'typebox';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import { type JobSummary, jobSummaryColumns, jobSummaryRow } from '#src/jobs/model/job.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import { persistence } from '#src/studio/edge/envelope.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { listBriefs, type Plan, plansOfBriefs } from '#src/studio/model/store.ts';
import { briefView } from '#src/studio/plan/create-brief.ts';
import { planView } from '#src/studio/plan/make-plan.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { listStudioJobs } from './recent-work.ts';
import { approvalQueue, countApprovals, countJobs } from './recorded-counts.ts';
import { toolCalls } from './tool-calls.ts';

const PROJECTS = 10;
const NEWEST = 20;

/** Reads the records of an owner's work; nothing here is estimated. */
export async function monitoring(context: Context, owner: string): Promise<Outcome> {
  const [projects, jobCounts, newest, approvalCounts, queue, calls, ledger] = await Promise.all([
    recentProjects(context, owner),
    countJobs(context, owner),
    listStudioJobs(context, owner, NEWEST),
    countApprovals(context, owner),
    approvalQueue(context, owner, NEWEST),
    toolCalls(context, owner, 24, NEWEST),
    ledgerOf(context, owner),
  ]);
  return {
    output: {
      persistence: {
        ...persistence,
        ownerEvents: ledger,
        retentionDays: {
          jobs: context.config.JOB_RETENTION_DAYS,
          events: context.config.EVENT_RETENTION_DAYS,
        },
      },
      recentProjects: projects,
      jobs: { counts: jobCounts, newest: newest.map(studioJobView) },
      approvals: { counts: approvalCounts, queue: queue.map((approval) => approvalView(context, approval)) },
      toolCalls: calls,
    },
    resources: ['studio://observability/current', 'studio://jobs/index', 'studio://approvals/index'],
  };
}

/** The newest briefs, each with its plans and their jobs. */
async function recentProjects(context: Context, owner: string) {
  const briefs = await listBriefs(context, owner, PROJECTS);
  const plans = await plansOfBriefs(
    context,
    briefs.map(({ id }) => id),
  );
  const jobs = await jobsOfPlans(
    context,
    plans.map(({ id }) => id),
  );
  return briefs.map((brief) => ({
    ...briefView(brief),
    plans: plans.filter((plan) => plan.brief === brief.id).map((plan) => projectPlan(plan, jobs)),
  }));
}

function projectPlan(plan: Plan, jobs: readonly (JobSummary & { readonly plan: string })[]) {
  const { id, status, estimatedCostUsd, maximumCostUsd, routePolicy, createdAt } = planView(plan);
  return {
    id,
    status,
    estimatedCostUsd,
    maximumCostUsd,
    routePolicy,
    createdAt,
    jobs: jobs.filter((job) => job.plan === id).map(studioJobView),
  };
}

async function jobsOfPlans({ db }: Pick<Context, 'db'>, plans: readonly string[]) {
  const PlanJob = row(Type.Object({ id: Type.String(), plan: Type.String() }));
  const of = await db.any(sql.type(PlanJob)`
    select id, plan from studio_jobs where plan = any(${sql.array([...plans], 'uuid')}) and kind <> 'call'
    order by id desc limit 200`);
  const jobs = await db.any(sql.type(jobSummaryRow)`
    select ${jobSummaryColumns} from jobs j where j.id = any(${sql.array(
      of.map(({ id }) => id),
      'uuid',
    )}) order by j.id desc`);
  const planOf = new Map(of.map(({ id, plan }) => [id, plan]));
  return jobs.map((job) => ({ ...job, plan: planOf.get(job.id) ?? '' }));
}

async function ledgerOf({ db }: Pick<Context, 'db'>, owner: string) {
  const Newest = row(Type.Object({ n: Type.Integer(), kept: Type.Integer() }));
  const { n, kept } = await db.one(sql.type(Newest)`
    select coalesce((select n from owner_feeds where owner = ${owner}), 0) as n,
      (select count(*) from owner_events where owner = ${owner}) as kept`);
  return { newest: n, kept };
}
