import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Time } from '#console/ui/time.tsx';
import type { Timeline } from './use-job.ts';

type Effect = Timeline['effects'][number];

/** Effects of a job outside, done or intended. */
export function EffectsPanel({ effects }: { readonly effects: readonly Effect[] }) {
  return (
    <Panel title="Effects outside" flush>
      <DataTable
        label="Effects outside"
        rows={effects}
        keyOf={({ effect }) => effect}
        empty={null}
        columns={[
          { title: 'Effect', cell: ({ effect }) => effect },
          { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          {
            title: 'There called',
            from: 'md',
            cell: ({ external_id: id }) =>
              id === null ? <span className="quiet">–</span> : <span className="mono">{id}</span>,
          },
          { title: 'Meant', number: true, cell: ({ intended_at: at }) => <Time at={at} /> },
        ]}
      />
    </Panel>
  );
}
