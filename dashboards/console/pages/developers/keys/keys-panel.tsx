import { Switch } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago, useNow } from '#console/ui/time.tsx';
import { Addresses } from './addresses.tsx';
import { maskedSecret, stateOf } from './key-state.ts';
import { ScopeList } from './scope-list.tsx';

/** Keys of the visitor, newest first; ended ones on request. */
export function KeysPanel() {
  const keys = useCall('GET /api/v1/keys', {});
  const [all, setAll] = useState(false);
  const now = useNow();
  const known = keys.data?.data.toReversed() ?? [];
  const rows = all ? known : known.filter((key) => stateOf(key, now) === 'active');
  const ended = known.length - known.filter((key) => stateOf(key, now) === 'active').length;
  return (
    <Panel
      title="Keys"
      flush
      aside={
        ended > 0 && (
          <Switch
            size="xs"
            label={`With ${ended} that ended`}
            checked={all}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />
        )
      }
    >
      {keys.isPending && <Loading what="keys" />}
      {keys.isError && <Fault error={keys.error} retry={() => void keys.refetch()} />}
      {keys.data && (
        <DataTable
          label="Keys"
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            <Empty title="You have no key that can be used">
              A program of yours needs one. Create it above: you choose what it may do, from where, and for how long.
            </Empty>
          }
          columns={[
            {
              title: 'Name',
              cell: ({ id, name, start }) => (
                <>
                  <Link href={`/developers/${id}`}>{name}</Link>
                  <div className="mono quiet">{maskedSecret(start)}</div>
                </>
              ),
            },
            { title: 'State', cell: (key) => <StateBadge state={stateOf(key, now)} /> },
            { title: 'May', from: 'lg', cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
            {
              title: 'From',
              from: 'lg',
              cell: ({ allowedIps }) => <Addresses of={allowedIps} />,
            },
            { title: 'Calls', number: true, from: 'md', cell: ({ usageCount }) => usageCount.toLocaleString() },
            {
              title: 'Last used',
              number: true,
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Ago at={lastUsedAt} />),
            },
            {
              title: 'Expires',
              number: true,
              from: 'md',
              cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Ago at={expiresAt} />),
            },
          ]}
        />
      )}
    </Panel>
  );
}
