import { Button, Select } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { SearchField } from '#console/ui/search-field.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import classes from './flows-page.module.css';
import { type FlowFilter, type FlowItem, useFlowChanges, useFlows } from './use-flows.ts';

/** States of a flow in the words of its page: it waits while its nodes run. */
const states = [
  { value: 'queued', label: 'queued' },
  { value: 'waiting', label: 'running' },
  { value: 'succeeded', label: 'succeeded' },
  { value: 'failed', label: 'failed' },
  { value: 'cancelled', label: 'cancelled' },
] as const;

/** One's flows, the newest first, each with its state, how many of its nodes are over, and its age. */
export function FlowsPage() {
  const connection = useFlowChanges();
  const [search, setSearch] = useSearchParams();
  const filter: FlowFilter = Object.fromEntries(
    (['state', 'text'] as const).flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])),
  );
  const flows = useFlows(filter);
  const found = flows.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  const change = (name: keyof FlowFilter, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <Page title="Flows" lead="Jobs that follow each other, newest first." actions={<Live state={connection} />}>
      <search className={classes['filters']}>
        <SearchField
          label="Search"
          placeholder="Name or id"
          value={filter.text ?? ''}
          least={1}
          onTyped={(text) => change('text', text)}
        />
        <Select
          label="State"
          placeholder="Any"
          clearable
          data={states}
          value={filter.state ?? null}
          onChange={(state) => change('state', state ?? '')}
          clearButtonProps={{ 'aria-label': 'Any state' }}
        />
      </search>
      <Panel title="Your flows" flush aside={flows.data && `${found.length} shown`}>
        {flows.isPending && <Loading what="flows" />}
        {flows.isError && <Fault error={flows.error} retry={() => void flows.refetch()} />}
        {flows.data && (
          <DataTable
            label="Flows"
            rows={found}
            keyOf={({ id }) => id}
            empty={
              isFiltered ? (
                <Empty title="No flow of yours fits">Another name or state may find it.</Empty>
              ) : (
                <Empty title="You have no flows">A flow is some jobs, of which one gets the result of another.</Empty>
              )
            }
            columns={columns}
          />
        )}
        {flows.hasNextPage && (
          <div className={classes['more']}>
            <Button variant="default" loading={flows.isFetchingNextPage} onClick={() => void flows.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </Panel>
    </Page>
  );
}

const columns = [
  {
    title: 'Flow',
    cell: ({ id, name }: FlowItem) => (
      <div className={classes['name']}>
        <Link href={`/flows/${id}`}>{name ?? id}</Link>
        {name !== null && <span className={classes['sub']}>{id}</span>}
      </div>
    ),
  },
  {
    title: 'State',
    cell: ({ state }: FlowItem) =>
      state === 'waiting' ? <StateBadge state="running" tone="busy" /> : <StateBadge state={state} />,
  },
  {
    title: 'Nodes over',
    number: true,
    cell: ({ nodes, nodes_ended: ended }: FlowItem) => `${ended} of ${nodes}`,
  },
  { title: 'Submitted', number: true, width: '1%', cell: ({ created_at: at }: FlowItem) => <Ago at={at} /> },
  {
    title: 'Ended',
    from: 'md' as const,
    number: true,
    width: '1%',
    cell: ({ finished_at: at }: FlowItem) => (at === null ? <span className="quiet">not yet</span> : <Ago at={at} />),
  },
];
