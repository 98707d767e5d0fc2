import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { isUnknown } from '#console/api/api-error.ts';
import { useCall } from '#console/api/use-call.ts';
import { useOperations } from '#console/pages/home/use-operations.ts';
import { QueuePastPanel } from '#console/pages/past/past-panel.tsx';
import { Page } from '#console/ui/page.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { ContractPanel } from './contract-panel.tsx';
import { GroupsPanel } from './groups-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { VersionsPanel } from './versions-panel.tsx';

/** One queue: its versions and who takes them, and its contracts. */
export function QueuePage() {
  const { name } = useParams<{ name: string }>();
  return <QueueView key={name} name={name} />;
}

function QueueView({ name }: { readonly name: string }) {
  const contracts = useCall('GET /v1/queues/{name}', { path: { name } });
  const { now, connection } = useOperations();
  if (contracts.isPending)
    return (
      <Page title={name}>
        <Loading what="the queue" />
      </Page>
    );
  if (contracts.isError) return <NoQueue name={name} error={contracts.error} retry={() => void contracts.refetch()} />;
  const [newest] = contracts.data.data;
  const queue = now?.queues.find((one) => one.name === name);
  return (
    <Page
      title={name}
      lead={newest?.contract.title}
      actions={
        <>
          <Live state={connection} />
          <Button component={Link} href={`/jobs?queue=${name}`} variant="default">
            Its jobs
          </Button>
        </>
      }
    >
      {queue && <VersionsPanel versions={queue.versions} />}
      <QueuePastPanel queue={name} />
      <GroupsPanel queue={name} />
      <RulesPanel queue={name} />
      {contracts.data.data.map((contract) => (
        <ContractPanel key={contract.version} contract={contract} />
      ))}
    </Page>
  );
}

function NoQueue({ name, error, retry }: { readonly name: string; readonly error: Error; readonly retry: () => void }) {
  const isNone = isUnknown(error);
  return (
    <Page title={isNone ? 'No such queue' : name}>
      {isNone ? (
        <Empty title={`There is no queue ${name} whose contract you may see`}>
          It may belong to another owner, or be one that comes with Proofline, whose contracts operators see.
        </Empty>
      ) : (
        <Fault error={error} retry={retry} />
      )}
    </Page>
  );
}
