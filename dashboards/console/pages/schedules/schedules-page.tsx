import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ApiError } from '#console/api/api-error.ts';
import { type Answer, call } from '#console/api/client.ts';
import { useSession } from '#console/api/session.ts';
import { callKey } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { SearchField } from '#console/ui/search-field.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { ruleText, type ScheduleItem } from './schedule.ts';
import classes from './schedules-page.module.css';
import { EVERY_OWNER, useOwner } from './use-owner.ts';
import { useScheduleChanges } from './use-schedule-changes.ts';

type List = Answer<'GET /v1/schedules'>;

/** One's schedules by name, for operators also those of others, each with its next time and what became of the last one. */
export function SchedulesPage() {
  const connection = useScheduleChanges();
  const { operator, owner: self } = useSession();
  const [owner, setOwner] = useOwner();
  const whose = owner === undefined ? {} : { owner };
  const schedules = useInfiniteQuery<List, ApiError, { pages: List[] }, readonly unknown[], string>({
    queryKey: callKey('GET /v1/schedules', { query: whose }),
    initialPageParam: '',
    queryFn: async ({ pageParam }) =>
      await call('GET /v1/schedules', { query: { limit: 50, after: pageParam, ...whose } }),
    getNextPageParam: ({ next }) => next,
  });
  const found = schedules.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page
      title="Schedules"
      lead="Jobs that are submitted by the clock."
      actions={
        <>
          <Live state={connection} />
          <Button component={Link} href="/schedules/_new" leftSection={<Icon name="plus" size={14} />}>
            New schedule
          </Button>
        </>
      }
    >
      {operator && (
        <search className={classes['filters']}>
          <SearchField
            label="Owner"
            placeholder="Yours; * for every owner"
            value={owner ?? ''}
            least={1}
            onTyped={setOwner}
          />
          {owner !== EVERY_OWNER && (
            <Button variant="default" onClick={() => setOwner(EVERY_OWNER)}>
              Every owner
            </Button>
          )}
          {owner !== undefined && (
            <Button variant="default" onClick={() => setOwner('')}>
              Mine
            </Button>
          )}
        </search>
      )}
      <Panel title={titleOf(owner)} flush aside={schedules.data && `${found.length} shown`}>
        {schedules.isPending && <Loading what="schedules" />}
        {schedules.isError && <Fault error={schedules.error} retry={() => void schedules.refetch()} />}
        {schedules.data && (
          <DataTable
            label="Schedules"
            rows={found}
            keyOf={({ owner: of, name }) => `${of}/${name}`}
            empty={
              <Empty title={owner === undefined ? 'You have no schedules' : 'There are no schedules'}>
                A schedule submits a job of one of your queues at the times of a pattern, such as every workday at
                seven.
              </Empty>
            }
            columns={columns(self, owner === EVERY_OWNER)}
          />
        )}
        {schedules.hasNextPage && (
          <div className={classes['more']}>
            <Button
              variant="default"
              loading={schedules.isFetchingNextPage}
              onClick={() => void schedules.fetchNextPage()}
            >
              Show more
            </Button>
          </div>
        )}
      </Panel>
    </Page>
  );
}

function titleOf(owner: string | undefined): string {
  if (owner === undefined) return 'Your schedules';
  return owner === EVERY_OWNER ? 'Schedules of every owner' : `Schedules of ${owner}`;
}

const columns = (self: string, isWide: boolean) => [
  {
    title: 'Schedule',
    cell: (schedule: ScheduleItem) => (
      <div className={classes['name']}>
        <Link
          href={`/schedules/${schedule.name}${schedule.owner === self ? '' : `?${new URLSearchParams({ owner: schedule.owner })}`}`}
        >
          {schedule.name}
        </Link>
        <span className={classes['sub']}>{isWide ? `${schedule.owner}, ${schedule.queue}` : schedule.queue}</span>
      </div>
    ),
  },
  {
    title: 'When',
    from: 'md' as const,
    cell: (schedule: ScheduleItem) => <span className="mono">{ruleText(schedule)}</span>,
  },
  {
    title: 'Last run',
    cell: ({ last_run: run }: ScheduleItem) =>
      run ? (
        <span className={classes['last']}>
          <RunOutcome run={run} /> <Ago at={run.at} />
        </span>
      ) : (
        <span className="quiet">none yet</span>
      ),
  },
  {
    title: 'Next run',
    number: true,
    width: '1%',
    cell: ({ paused, next_at: at }: ScheduleItem) => {
      if (paused) return <StateBadge state="paused" />;
      return at === null ? <span className="quiet">never</span> : <Ago at={at} />;
    },
  },
];
