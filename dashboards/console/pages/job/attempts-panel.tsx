import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell, Time } from '#console/ui/time.tsx';
import type { Timeline } from './use-job.ts';

type Attempt = Timeline['attempts'][number];

/** Attempts of a job: the worker and the outcome of each. */
export function AttemptsPanel({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <Panel title="Attempts" flush>
      <DataTable
        label="Attempts"
        rows={attempts}
        keyOf={({ attempt, started_at: at }) => `${attempt} ${at}`}
        empty={null}
        columns={[
          { title: 'No.', width: '3.5rem', cell: ({ attempt }) => attempt },
          { title: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
          { title: 'Error', cell: ({ error }) => error?.message ?? <span className="quiet">–</span> },
          {
            title: 'Worker',
            from: 'lg',
            cell: ({ worker }) => <span className="mono">{worker?.slice(0, 8) ?? '–'}</span>,
          },
          { title: 'Began', number: true, from: 'md', cell: ({ started_at: at }) => <Time at={at} /> },
          { title: 'Took', number: true, cell: took },
        ]}
      />
    </Panel>
  );
}

function took({ started_at: begin, ended_at: end }: Attempt) {
  return end === null ? <span className="quiet">–</span> : spell((Date.parse(end) - Date.parse(begin)) / 1_000);
}
