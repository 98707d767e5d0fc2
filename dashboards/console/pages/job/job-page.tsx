import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { isUnknown } from '#console/api/api-error.ts';
import { useSession } from '#console/api/session.ts';
import { CopyId } from '#console/ui/copy-id.tsx';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { AttemptsPanel } from './attempts-panel.tsx';
import { CancelJob } from './cancel-job.tsx';
import { ChildrenPanel } from './children-panel.tsx';
import { EffectsPanel } from './effects-panel.tsx';
import { FactsPanel } from './facts-panel.tsx';
import classes from './job-page.module.css';
import { LogPanel } from './log-panel.tsx';
import { placeOf } from './places.ts';
import { ProgressPanel } from './progress-panel.tsx';
import { RedriveJob } from './redrive-job.tsx';
import { SignalsPanel } from './signals-panel.tsx';
import { StepsPanel } from './steps-panel.tsx';
import { TimelinePanel } from './timeline-panel.tsx';
import { useJob } from './use-job.ts';
import { useMayRedrive } from './use-may-redrive.ts';

/** One job: its request, what happened, what came of it, and what can be done about it. */
export function JobPage() {
  const { id } = useParams<{ id: string }>();
  return <JobView key={id} id={id} />;
}

function JobView({ id }: { readonly id: string }) {
  const { owner } = useSession();
  const { job, timeline, progress, isOver, connection } = useJob(id);
  const mayRedrive = useMayRedrive(job.data);
  if (job.isPending)
    return (
      <Page title="Job">
        <Loading what="the job" />
      </Page>
    );
  if (job.isError) return <NoJob id={id} error={job.error} retry={() => void job.refetch()} />;
  const { queue, state, held, error, payload, result, approval_id: approval } = job.data;
  // the studio and missions show what is one's own
  const isOwn = job.data.owner === owner;
  const place = isOwn ? placeOf(job.data) : null;
  return (
    <Page
      title={queue}
      beside={<StateBadge state={held ? 'held' : state} />}
      lead={<CopyId value={id} what="job id" />}
      actions={
        <>
          {!isOver && <Live state={connection} />}
          {place && (
            <Button component={Link} href={place.href} variant="default">
              {place.label}
            </Button>
          )}
          {!isOver && <CancelJob job={job.data} />}
          {mayRedrive && <RedriveJob job={job.data} effects={timeline.data?.effects ?? []} />}
        </>
      }
    >
      {error && state !== 'succeeded' && (
        <div className={classes['error']} role="note">
          <strong>{isOver ? 'Failed' : 'Failed last'}</strong> <code>{error.code}</code>
          <p>{error.message}</p>
          {state === 'failed' && !mayRedrive && (
            <p className="quiet">
              An operator can put it back into its queue. Asking for the same again makes a new job.
            </p>
          )}
        </div>
      )}
      {state === 'awaiting_approval' && (
        <div className={classes['decision']} role="note">
          <strong>It waits for its owner’s decision.</strong>{' '}
          {isOwn && approval !== null ? (
            <Link href={`/studio/approvals/${approval}`}>See what exactly would happen, and decide</Link>
          ) : (
            'Its owner sees it in the studio, and decides there.'
          )}
        </div>
      )}
      <div className={classes['columns']}>
        <div className={classes['column']}>
          {!isOver && progress.size > 0 && <ProgressPanel progress={progress} />}
          {timeline.isError && <Fault error={timeline.error} retry={() => void timeline.refetch()} />}
          {timeline.data && <TimelinePanel events={timeline.data.events} />}
          {timeline.data && timeline.data.steps.length > 0 && <StepsPanel steps={timeline.data.steps} />}
          {timeline.data && timeline.data.signals.length > 0 && <SignalsPanel signals={timeline.data.signals} />}
          {timeline.data && timeline.data.attempts.length > 0 && <AttemptsPanel attempts={timeline.data.attempts} />}
          {/* read anew with every attempt, and at the end: what was said before it is there then */}
          <LogPanel key={`${job.data.attempt} ${isOver}`} id={id} isOver={isOver} />
          {timeline.data && timeline.data.effects.length > 0 && <EffectsPanel effects={timeline.data.effects} />}
          {timeline.data && timeline.data.children.length > 0 && <ChildrenPanel jobs={timeline.data.children} />}
        </div>
        <div className={classes['column']}>
          <FactsPanel job={job.data} isOwn={isOwn} receipt={timeline.data?.receipt ?? null} />
          <Panel title="Payload" flush>
            <JsonView value={payload} what="payload" />
          </Panel>
          {result === null && job.data.progress && (
            <Panel title={isOver ? 'What it had done' : 'What it has done so far'} flush>
              <JsonView value={job.data.progress} what="progress" />
            </Panel>
          )}
          {result !== null && (
            <Panel title="Result" flush>
              <JsonView value={result} what="result" />
            </Panel>
          )}
        </div>
      </div>
    </Page>
  );
}

function NoJob({ id, error, retry }: { readonly id: string; readonly error: Error; readonly retry: () => void }) {
  const isNone = isUnknown(error);
  return (
    <Page title={isNone ? 'No such job' : 'Job'}>
      {isNone ? (
        <Empty title={`There is no job ${id} that you may see`}>
          It may have another owner, or be older than jobs are kept.{' '}
          <Link href={`/jobs?text=${encodeURIComponent(id)}`}>Search for it</Link>.
        </Empty>
      ) : (
        <Fault error={error} retry={retry} />
      )}
    </Page>
  );
}
