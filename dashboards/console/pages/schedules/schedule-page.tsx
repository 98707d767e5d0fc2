import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { isUnknown } from '#console/api/api-error.ts';
import { useCall } from '#console/api/use-call.ts';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Time } from '#console/ui/time.tsx';
import { NextPanel } from './next-panel.tsx';
import { RunsPanel } from './runs-panel.tsx';
import { ruleText } from './schedule.ts';
import { ScheduleActions } from './schedule-actions.tsx';
import classes from './schedule-page.module.css';
import { useOwner } from './use-owner.ts';
import { useScheduleChanges } from './use-schedule-changes.ts';

/** One schedule: when it runs next, what became of its times, and what can be done about it. */
export function SchedulePage() {
  const { name } = useParams<{ name: string }>();
  const [owner] = useOwner();
  return <ScheduleView key={`${owner} ${name}`} name={name} owner={owner} />;
}

/** A schedule of one's own, or as an operator sees that of another owner. */
function ScheduleView({ name, owner }: { readonly name: string; readonly owner: string | undefined }) {
  const connection = useScheduleChanges();
  const schedule = useCall('GET /v1/schedules/{name}', {
    path: { name },
    query: owner === undefined ? {} : { owner },
  });
  if (schedule.isPending)
    return (
      <Page title={name}>
        <Loading what="the schedule" />
      </Page>
    );
  if (schedule.isError)
    return (
      <Page title={isUnknown(schedule.error) ? 'No such schedule' : name}>
        {isUnknown(schedule.error) ? (
          <Empty title={owner === undefined ? `You have no schedule ${name}` : `${owner} has no schedule ${name}`}>
            It may have been deleted. <Link href="/schedules">All schedules</Link>.
          </Empty>
        ) : (
          <Fault error={schedule.error} retry={() => void schedule.refetch()} />
        )}
      </Page>
    );
  const { data } = schedule;
  return (
    <Page
      title={name}
      beside={data.paused ? <StateBadge state="paused" /> : undefined}
      lead={`${ruleText(data)}, to ${data.queue}`}
      actions={
        <>
          <Live state={connection} />
          <ScheduleActions schedule={data} owner={owner} />
          {owner === undefined && (
            <Button component={Link} href={`/schedules/${name}/edit`} variant="default" size="xs">
              Edit
            </Button>
          )}
        </>
      }
    >
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <RunsPanel runs={data.runs} />
        </div>
        <div className={classes['column']}>
          <NextPanel schedule={data} />
          <Panel title="Facts">
            <KeyValue
              facts={{
                Owner: owner ?? null,
                Queue: <Link href={`/queues/${data.queue}`}>{data.queue}</Link>,
                Version: data.version ?? 'the newest of each moment',
                'Run before not ended': overlaps[data.overlap],
                'Missed times': `${missed[data.missed]}, none older than ${data.missed_within_s.toLocaleString()} s`,
                'Put by': data.made_by,
                Changed: <Time at={data.changed_at} />,
              }}
            />
          </Panel>
          <Panel title="Payload" flush>
            <JsonView value={data.payload} what="payload" />
          </Panel>
        </div>
      </div>
    </Page>
  );
}

const overlaps = { skip: 'skip this time', queue: 'submit all the same', replace: 'cancel that one' } as const;
const missed = { none: 'none is made up for', last: 'the last is made up for', all: 'all are made up for' } as const;
