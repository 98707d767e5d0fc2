import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import type { Plan, StudioJob } from '#console/pages/studio/parts/studio-types.ts';
import classes from '#console/pages/studio/parts/two-columns.module.css';
import { useStudioJob } from '#console/pages/studio/parts/use-studio.ts';
import { titleOf } from '#console/pages/studio/parts/words.ts';
import { CopyId } from '#console/ui/copy-id.tsx';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell, Time } from '#console/ui/time.tsx';
import { JobActions } from './job-actions.tsx';
import { JobTroubles } from './job-troubles.tsx';
import { PackagesPanel } from './packages-panel.tsx';
import { PublishPanel } from './publish-panel.tsx';
import { PublishProgress } from './publish-progress.tsx';
import { ReceiptPanel } from './receipt-panel.tsx';
import { RenderProgress } from './render-progress.tsx';
import { ResultPanel } from './result-panel.tsx';

/** A render or a publication, from its first call to what came of it. */
export function StudioJobPage({ id }: { readonly id: string }) {
  const job = useStudioJob(id);
  const planId = job.data?.planId ?? null;
  const plan = useCall('GET /api/studio/v1/plans/{id}', { path: { id: planId ?? '' } }, { enabled: planId !== null })
    .data as unknown as Plan | undefined;
  const data = job.data;
  const what = data?.kind === 'publish' ? 'Publication' : 'Render';
  return (
    <Page
      title={plan ? `${what}: ${titleOf(plan)}` : what}
      beside={data && <StateBadge state={data.held ? 'held' : data.status} />}
      lead={
        planId === null ? <Link href="/studio">Studio</Link> : <Link href={`/studio/plans/${planId}`}>Its plan</Link>
      }
      actions={data && <JobActions job={data} />}
    >
      <Answered query={job} what="the job">
        {(found) => <JobParts job={found} plan={plan} />}
      </Answered>
    </Page>
  );
}

function JobParts({ job, plan }: { readonly job: StudioJob; readonly plan: Plan | undefined }) {
  const isOver = ['succeeded', 'failed', 'cancelled'].includes(job.status);
  const isRender = job.kind === 'render';
  const isDone = job.status === 'succeeded';
  return (
    <>
      <JobTroubles job={job} />
      {isRender && isDone && <ResultPanel job={job.id} warnings={job.result?.warnings ?? []} />}
      {!isRender && isDone && <PackagesPanel job={job} plan={plan} />}
      <div className={classes['columns']}>
        <div className={classes['column']}>
          {isRender && plan && <RenderProgress job={job} plan={plan} />}
          {!isRender && !isOver && <PublishProgress job={job} />}
          {isRender && isDone && plan && <PublishPanel plan={plan} />}
          {!isRender && isOver && <JobFacts job={job} />}
        </div>
        <div className={classes['column']}>
          {job.receiptId !== null && <ReceiptPanel id={job.receiptId} />}
          {(isRender || !isOver) && <JobFacts job={job} />}
        </div>
      </div>
    </>
  );
}

function JobFacts({ job: { id, result, approvalRef, createdAt, finishedAt } }: { readonly job: StudioJob }) {
  return (
    <Panel title="Facts">
      <KeyValue
        facts={{
          Started: <Time at={createdAt} />,
          Ended: finishedAt && <Time at={finishedAt} />,
          Took: finishedAt && spell((Date.parse(finishedAt) - Date.parse(createdAt)) / 1_000),
          Cost: result?.costUsd === undefined ? null : formatMoney(result.costUsd),
          'Allowed by': approvalRef && <Link href={`/studio/approvals/${approvalRef}`}>this approval</Link>,
          'As it went': <Link href={`/jobs/${id}`}>timeline, attempts and log</Link>,
          Job: <CopyId value={id} what="job id" />,
        }}
      />
    </Panel>
  );
}
