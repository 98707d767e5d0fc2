import { Link } from 'wouter';
import { CarryOut } from '#console/pages/studio/approvals/carry-out.tsx';
import { PublishPanel } from '#console/pages/studio/jobs/publish-panel.tsx';
import { Areas } from '#console/pages/studio/parts/areas.tsx';
import { StudioJobRows } from '#console/pages/studio/parts/studio-job-rows.tsx';
import type { Plan } from '#console/pages/studio/parts/studio-types.ts';
import classes from '#console/pages/studio/parts/two-columns.module.css';
import { usePlan, useStudioJobs } from '#console/pages/studio/parts/use-studio.ts';
import { Warnings } from '#console/pages/studio/parts/warnings.tsx';
import { policyWords, titleOf } from '#console/pages/studio/parts/words.ts';
import { Figures } from '#console/ui/data/figures.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import { PlanSteps } from './plan-steps.tsx';

/** A plan: who does what for how much, what a person has to allow, and the way to carry it out. */
export function PlanPage({ id }: { readonly id: string }) {
  const plan = usePlan(id);
  const data = plan.data;
  return (
    <Page
      title={data ? `Plan: ${titleOf(data)}` : 'Plan'}
      beside={data && <StateBadge state={policyWords[data.routePolicy].title} />}
      lead={data && <Link href={`/studio/briefs/${data.briefId}`}>Its brief, and other plans of it</Link>}
    >
      <Answered query={plan} what="the plan">
        {(found) => <PlanParts plan={found} />}
      </Answered>
    </Page>
  );
}

function PlanParts({ plan }: { readonly plan: Plan }) {
  const jobs = useStudioJobs({ plan: plan.id, limit: 20 });
  const isRendered = jobs.data?.jobs.some(({ kind, status }) => kind === 'render' && status === 'succeeded') ?? false;
  return (
    <>
      <Panel title="What it takes">
        <PlanFigures plan={plan} />
      </Panel>
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <Panel title="Steps and their providers" flush>
            <PlanSteps plan={plan} />
          </Panel>
          <Panel title="What a person has to allow">
            <Areas areas={plan.approvalBoundary.areas} />
          </Panel>
        </div>
        <div className={classes['column']}>
          <CarryOut plan={plan} />
          {jobs.data && jobs.data.jobs.length > 0 && (
            <Panel title="Renders and publications of this plan" flush>
              <StudioJobRows label="Renders and publications of this plan" jobs={jobs.data.jobs} empty={null} />
            </Panel>
          )}
          {isRendered && <PublishPanel plan={plan} />}
        </div>
      </div>
    </>
  );
}

function PlanFigures({ plan }: { readonly plan: Plan }) {
  const { estimatedCostUsd, maximumCostUsd, budgetUsd, estimatedLatencyMs, steps } = plan;
  const isExceeded = budgetUsd !== null && estimatedCostUsd > budgetUsd;
  return (
    <div className={classes['column']}>
      <Figures
        isPlain
        figures={[
          {
            name: 'Estimated',
            value: formatMoney(estimatedCostUsd),
            note: 'with the first choice of each step',
            ...(isExceeded && { tone: 'bad' as const }),
          },
          { name: 'At most', value: formatMoney(maximumCostUsd), note: 'with the most expensive in reserve' },
          {
            name: 'Budget',
            value: budgetUsd === null ? 'none' : formatMoney(budgetUsd),
            note: budgetUsd === null ? 'the most above is its ceiling' : 'the ceiling of its approval',
          },
          {
            name: 'Takes about',
            value: spell(estimatedLatencyMs / 1_000),
            note: `${counted(steps.length, 'step')}, once workers have time; ${timesFrom(steps)}`,
          },
        ]}
      />
      <Warnings warnings={plan.warnings ?? []} />
      {isExceeded && (
        <Warnings
          warnings={[
            `The first choice of each step costs more than the budget of ${formatMoney(budgetUsd)}: steps that it cannot pay are made by a cheaper provider of theirs, and fail where there is none. Plan the brief again with more, or by the policy “${policyWords.cost_guarded.title}”.`,
          ]}
        />
      )}
    </div>
  );
}

/** Source of the times of a plan's first choices. */
function timesFrom(steps: Plan['steps']): string {
  const recorded = steps.filter(({ primary }) => primary.latencyFrom === 'recorded').length;
  if (recorded === steps.length) return 'as such calls took here lately';
  return recorded === 0 ? 'by the catalogue: none has run here lately' : 'partly by the catalogue';
}
