import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { isUnknown } from '#console/api/api-error.ts';
import { CopyId } from '#console/ui/copy-id.tsx';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { ChangeFlow } from './change-flow.tsx';
import { FlowGraph, stateText } from './flow-graph.tsx';
import { type Flow, useFlow } from './use-flow.ts';

/** One flow: its nodes drawn as they run, and what can be done about it. */
export function FlowPage() {
  const { id } = useParams<{ id: string }>();
  return <FlowView key={id} id={id} />;
}

function FlowView({ id }: { readonly id: string }) {
  const { flow, isOver, connection } = useFlow(id);
  if (flow.isPending)
    return (
      <Page title="Flow">
        <Loading what="the flow" />
      </Page>
    );
  if (flow.isError)
    return (
      <Page title={isUnknown(flow.error) ? 'No such flow' : 'Flow'}>
        {isUnknown(flow.error) ? (
          <Empty title={`There is no flow ${id} that you may see`}>
            It may have another owner, or be older than jobs are kept.
          </Empty>
        ) : (
          <Fault error={flow.error} retry={() => void flow.refetch()} />
        )}
      </Page>
    );
  const { name, state, error, nodes, result } = flow.data;
  return (
    <Page
      title={name ?? 'Flow'}
      beside={<StateBadge state={state} {...(state === 'waiting' && { tone: 'busy' })} />}
      lead={<CopyId value={id} what="flow id" />}
      actions={
        <>
          {!isOver && <Live state={connection} />}
          <Button component={Link} href={`/jobs/${id}`} variant="default">
            Its job
          </Button>
          {!isOver && <ChangeFlow flow={flow.data} change="cancel" />}
          {(state === 'failed' || state === 'cancelled') && <ChangeFlow flow={flow.data} change="redrive" />}
        </>
      }
    >
      {error && (
        <p role="note">
          <strong>Failed</strong> <code>{error.code}</code> {error.message}
        </p>
      )}
      <FlowGraph nodes={nodes} />
      <NodesPanel nodes={nodes} />
      {result !== null && (
        <Panel title="Result" flush>
          <JsonView value={result} what="result" />
        </Panel>
      )}
    </Page>
  );
}

function NodesPanel({ nodes }: { readonly nodes: Flow['nodes'] }) {
  return (
    <Panel title="States" flush>
      <DataTable
        label="Nodes"
        rows={nodes}
        keyOf={({ name }) => name}
        empty={null}
        columns={[
          { title: 'Node', cell: ({ name, job_id: job }) => (job ? <Link href={`/jobs/${job}`}>{name}</Link> : name) },
          { title: 'State', cell: (node) => <StateBadge state={stateText(node)} tone={toneOf(node.state)} /> },
          { title: 'Queue', from: 'md', cell: ({ queue }) => <Link href={`/queues/${queue}`}>{queue}</Link> },
          { title: 'After', from: 'lg', cell: ({ depends_on: others }) => others.join(', ') },
          { title: 'Says', cell: ({ warning, error }) => warning ?? error?.message ?? '' },
        ]}
      />
    </Panel>
  );
}

function toneOf(state: Flow['nodes'][number]['state']) {
  if (state === 'running') return 'busy';
  if (state === 'succeeded') return 'ok';
  return state === 'failed' ? 'bad' : 'wait';
}
