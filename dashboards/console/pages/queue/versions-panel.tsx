import type { Queue } from '#console/pages/home/use-operations.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { spell } from '#console/ui/time.tsx';
import classes from './versions-panel.module.css';

/** Versions of a queue's contract that matter now: who takes them, and what waits. */
export function VersionsPanel({ versions }: { readonly versions: Queue['versions'] }) {
  return (
    <Panel title="Now" flush>
      <DataTable
        label="Versions"
        rows={versions}
        keyOf={({ version }) => `${version}`}
        empty={null}
        columns={[
          { title: 'Version', cell: ({ version }) => version },
          {
            title: 'Workers',
            cell: ({ workers, warning }) =>
              warning === null ? (workers ?? 'not known') : <div className={classes['warning']}>{warning}</div>,
          },
          { title: 'Waiting', number: true, cell: ({ queued }) => queued.toLocaleString() },
          { title: 'Later', number: true, from: 'md', cell: ({ delayed }) => delayed.toLocaleString() },
          {
            title: 'Oldest',
            number: true,
            cell: ({ oldest_waiting_seconds: seconds }) =>
              seconds > 0 ? spell(seconds) : <span className="quiet">–</span>,
          },
        ]}
      />
    </Panel>
  );
}
