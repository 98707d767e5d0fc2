import { Stack } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { isUnknown } from '#console/api/api-error.ts';
import { useSession } from '#console/api/session.ts';
import { type Mission, stepsOf } from '#console/pages/missions/parts/mission.ts';
import { MissionState } from '#console/pages/missions/parts/mission-state.tsx';
import { useMission } from '#console/pages/missions/parts/use-mission.ts';
import { PlanPanel } from '#console/pages/missions/plan/plan-panel.tsx';
import { ReceiptPanel } from '#console/pages/missions/receipt/receipt-panel.tsx';
import { Page } from '#console/ui/page.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { AnswerPanel } from './answer-panel.tsx';
import { BecomeHuman } from './become-human.tsx';
import { CancelMission } from './cancel-mission.tsx';
import { EventsPanel } from './events-panel.tsx';
import { ExecuteMission } from './execute-mission.tsx';
import { HumanStep } from './human-step.tsx';
import { MissionFigures } from './mission-figures.tsx';

/** A mission from its plan to its receipt, as it happens. */
export function MissionPage() {
  const { id } = useParams<{ id: string }>();
  // a page of its own for each: nothing of one shows in another
  return <OneMission key={id} id={id} />;
}

function OneMission({ id }: { readonly id: string }) {
  const { mission, events, connection } = useMission(id);
  const { human } = useSession();
  const back = <Link href="/missions">All missions</Link>;
  if (isUnknown(mission.error))
    return (
      <Page title="No such mission" lead={back}>
        <Empty title={`You have no mission ${id}`}>
          The address may be mistyped, or the mission has another owner. <Link href="/missions">See your missions</Link>
          .
        </Empty>
      </Page>
    );
  if (!mission.data)
    return (
      <Page title="Mission" lead={back}>
        {mission.isPending && <Loading what="the mission" />}
        {mission.isError && <Fault error={mission.error} retry={() => void mission.refetch()} />}
      </Page>
    );
  const { data } = mission;
  const steps = stepsOf(data);
  return (
    <Page title={titleOf(data)} beside={<MissionState of={data} />} lead={back} actions={<Actions of={data} />}>
      <Stack gap="md">
        {data.goal !== titleOf(data) && <p style={{ margin: 0 }}>{data.goal}</p>}
        {data.state === 'planned' && !human && <BecomeHuman />}
        {data.error && <Fault error={new Error(data.error.message)} />}
        <MissionFigures of={data} />
        {steps.map((step) => step.at.challenge && <HumanStep key={step.id} mission={data} step={step} />)}
        <AnswerPanel of={data} />
        {data.links.receipt !== null && <ReceiptPanel of={data} />}
        <PlanPanel of={data} />
        <EventsPanel events={events} state={connection} />
      </Stack>
    </Page>
  );
}

function Actions({ of }: { readonly of: Mission }) {
  const { human } = useSession();
  const canEnd = of.state === 'planned' || of.state === 'executing' || of.state === 'awaiting_human';
  return (
    <>
      {canEnd && <CancelMission of={of} />}
      {of.state === 'planned' && human && <ExecuteMission of={of} />}
    </>
  );
}

/** The goal as far as a title holds it. */
function titleOf({ goal }: Mission): string {
  const line = goal.split('\n')[0] ?? goal;
  return line.length <= 100 ? line : `${line.slice(0, 99).trimEnd()}…`;
}
