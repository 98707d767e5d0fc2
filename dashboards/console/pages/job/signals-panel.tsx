import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Time } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import type { Timeline } from './use-job.ts';

type Signal = Timeline['signals'][number];

/** Signals that a job got, in order, and which of them a wait has taken. */
export function SignalsPanel({ signals }: { readonly signals: readonly Signal[] }) {
  return (
    <Panel title="Signals" flush aside={counted(signals.length, 'signal')}>
      <DataTable
        label="Signals"
        rows={signals}
        keyOf={({ name, at }) => `${name} ${at}`}
        empty={null}
        columns={[
          { title: 'Signal', cell: ({ name }) => name },
          { title: 'Came', number: true, cell: ({ at }) => <Time at={at} /> },
          {
            title: 'Taken',
            number: true,
            cell: ({ taken_at: at }) => (at === null ? <span className="quiet">not yet</span> : <Time at={at} />),
          },
        ]}
      />
    </Panel>
  );
}
