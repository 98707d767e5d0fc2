import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Ago, spell } from '#console/ui/time.tsx';
import type { Usage } from './usage-days.ts';

/** Calls of a key by capability, most first. */
export function CapabilityTable({ of }: { readonly of: Usage }) {
  return (
    <Panel title="By capability" flush>
      <DataTable
        label="Calls by capability"
        rows={of.capabilityBreakdown}
        keyOf={({ capability }) => capability}
        empty={<Empty title="Nothing was called yet" />}
        columns={[
          { title: 'Capability', cell: ({ capability }) => <span className="mono">{capability}</span> },
          { title: 'Calls', number: true, cell: ({ calls }) => calls.toLocaleString() },
          { title: 'Refused or failed', number: true, cell: ({ failed }) => failed.toLocaleString() },
          {
            title: 'Mean time',
            number: true,
            from: 'md',
            cell: ({ averageDurationMs: ms }) => (ms === null ? '' : spell(ms / 1_000)),
          },
          {
            title: 'Last',
            number: true,
            from: 'md',
            cell: ({ lastCallAt }) => lastCallAt !== null && <Ago at={lastCallAt} />,
          },
        ]}
      />
    </Panel>
  );
}
