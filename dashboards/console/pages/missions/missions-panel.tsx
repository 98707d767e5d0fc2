import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { isUnderWay, type MissionSummary } from '#console/pages/missions/parts/mission.ts';
import { MissionState } from '#console/pages/missions/parts/mission-state.tsx';
import { useMissions } from '#console/pages/missions/parts/use-missions.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { Ago } from '#console/ui/time.tsx';
import { FollowMissions } from './follow-missions.tsx';
import classes from './missions-panel.module.css';

/** One's missions, newest first, as they stand. */
export function MissionsPanel() {
  const missions = useMissions();
  const all = missions.data?.pages.flatMap((page) => page.missions) ?? [];
  return (
    <Panel title="Your missions" flush>
      {missions.isPending && <Loading what="your missions" />}
      {missions.isError && <Fault error={missions.error} retry={() => void missions.refetch()} />}
      {missions.data && (
        <DataTable
          label="Your missions"
          rows={all}
          keyOf={({ missionId }) => missionId}
          empty={
            <Empty title="You have no missions yet">
              Write a goal, or make one by the API or an agent with a key of yours: it shows here.
            </Empty>
          }
          columns={[
            {
              title: 'Goal',
              cell: ({ missionId, goal }) => (
                <Link href={`/missions/${missionId}`} className={classes['goal']}>
                  {goal}
                </Link>
              ),
            },
            { title: 'State', cell: (mission) => <MissionState of={mission} /> },
            { title: 'Spent', number: true, from: 'md', cell: spent },
            { title: 'Made', number: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
          ]}
        />
      )}
      <FollowMissions missions={all.filter(isUnderWay)} />
      {missions.hasNextPage && (
        <div className={classes['more']}>
          <Button variant="default" loading={missions.isFetchingNextPage} onClick={() => void missions.fetchNextPage()}>
            Show older ones
          </Button>
        </div>
      )}
    </Panel>
  );
}

function spent({ spentUsd, budgetUsd }: MissionSummary): string {
  return budgetUsd === null ? formatMoney(spentUsd) : `${formatMoney(spentUsd)} of ${formatMoney(budgetUsd)}`;
}
