import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Time } from '#console/ui/time.tsx';
import type { Usage } from './usage-days.ts';

/** Changes of a key, each with its actor. */
export function KeyChanges({ of }: { readonly of: Usage }) {
  return (
    <Panel title="What was done to it" flush>
      <DataTable
        label="Changes"
        rows={of.changes}
        keyOf={({ requestId, at }) => `${requestId} ${at}`}
        empty={<Empty title="Nothing is noted">It was made by the command line.</Empty>}
        columns={[
          { title: 'When', width: '12rem', cell: ({ at }) => <Time at={at} /> },
          { title: 'What', cell: ({ action }) => action },
          { title: 'By', cell: ({ changedBy }) => changedBy },
          { title: 'Set', from: 'md', cell: ({ changes }) => settingsOf(changes) },
        ]}
      />
    </Panel>
  );
}

/** Each member and its value, in a line. */
function settingsOf(changes: unknown): string {
  if (typeof changes !== 'object' || changes === null) return '';
  return Object.entries(changes)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('; ');
}
