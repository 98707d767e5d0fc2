import { CopyId } from '#console/ui/copy-id.tsx';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell, Time } from '#console/ui/time.tsx';
import type { Usage } from './usage-days.ts';

/** The newest calls of a key, each with the name of its request in the service's logs. */
export function CallLog({ of }: { readonly of: Usage }) {
  return (
    <Panel title="Newest calls" aside="at most 100" flush>
      <DataTable
        label="Newest calls"
        rows={of.logs}
        keyOf={({ requestId, at }) => `${requestId} ${at}`}
        empty={<Empty title="No calls yet">They show here about a second after they were made.</Empty>}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          { title: 'Capability', cell: ({ capability }) => <span className="mono">{capability}</span> },
          {
            title: 'Answer',
            cell: ({ status }) => <StateBadge state={String(status)} tone={status < 400 ? 'ok' : 'bad'} />,
          },
          { title: 'Took', number: true, from: 'md', cell: ({ durationMs }) => spell(durationMs / 1_000) },
          { title: 'Via', from: 'lg', cell: ({ via }) => via.toUpperCase() },
          { title: 'From', from: 'md', cell: ({ ip }) => ip ?? '' },
          {
            title: 'Request',
            from: 'lg',
            cell: ({ requestId }) => <CopyId value={requestId} what="request id" shown={requestId.slice(0, 13)} />,
          },
        ]}
      />
    </Panel>
  );
}
