import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import type { StudioJob } from './studio-types.ts';

interface Props {
  readonly label: string;
  readonly jobs: readonly StudioJob[];
  readonly empty: ReactNode;
}

/** Renders and publications, and the status of each. */
export function StudioJobRows({ label, jobs, empty }: Props) {
  return (
    <DataTable
      label={label}
      rows={jobs}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          title: 'Job',
          cell: ({ id, kind }) => (
            <Link href={`/studio/jobs/${id}`}>{kind === 'publish' ? 'Publication' : 'Render'}</Link>
          ),
        },
        { title: 'State', cell: ({ status, held }) => <StateBadge state={held ? 'held' : status} /> },
        {
          title: 'Since',
          number: true,
          cell: ({ finishedAt, createdAt }) => <Ago at={finishedAt ?? createdAt} />,
        },
      ]}
    />
  );
}
