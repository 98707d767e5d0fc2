import type { Answer } from '#console/api/client.ts';
import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data-table.tsx';
import { Empty } from '#console/ui/empty.tsx';
import { Fault } from '#console/ui/fault.tsx';
import { Loading } from '#console/ui/loading.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Ago } from '#console/ui/time.tsx';

type Job = Answer<'GET /v1/jobs'>['data'][number];

interface Props {
  readonly state: Job['state'];
  readonly title: string;
  readonly empty: string;
}

/** The newest jobs in a state. */
export function JobsPanel({ state, title, empty }: Props) {
  const jobs = useCall('GET /v1/jobs', { query: { state, limit: 8 } });
  return (
    <Panel title={title} flush>
      {jobs.isPending && <Loading what={title} />}
      {jobs.isError && <Fault error={jobs.error} retry={() => void jobs.refetch()} />}
      {jobs.data && (
        <DataTable
          label={title}
          rows={jobs.data.data}
          keyOf={({ id }) => id}
          empty={<Empty title={empty} />}
          columns={[
            { title: 'Job', cell: ({ queue }) => queue },
            { title: 'Owner', cell: ({ owner }) => owner, from: 'lg' },
            { title: 'Why', cell: ({ error }) => error?.message ?? '', from: 'md' },
            {
              title: 'Since',
              number: true,
              cell: ({ finished_at: end, queued_at: begin }) => <Ago at={end ?? begin} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
