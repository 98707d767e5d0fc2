import { Link } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import { childPlaceText } from '#src/lib/text/child-place.ts';
import type { Timeline } from './use-job.ts';

/** Child jobs. */
export function ChildrenPanel({ jobs }: { readonly jobs: Timeline['children'] }) {
  return (
    <Panel title="Child jobs" flush aside={`${jobs.length}${jobs.length === 100 ? ' or more' : ''}`}>
      <DataTable
        label="Child jobs"
        rows={jobs}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          { title: 'Job', cell: ({ id, queue }) => <Link href={`/jobs/${id}`}>{queue}</Link> },
          { title: 'Which', cell: (job) => childPlaceText(job) || '–' },
          { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          { title: 'Accepted', number: true, cell: ({ created_at: at }) => <Ago at={at} /> },
        ]}
      />
    </Panel>
  );
}
