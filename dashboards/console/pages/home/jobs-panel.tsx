import { Link } from 'wouter';
import type { Answer } from '#console/api/client.ts';
import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { Ago } from '#console/ui/time.tsx';
import classes from './jobs-panel.module.css';

type Job = Answer<'GET /v1/jobs'>['data'][number];

interface Props {
  readonly state: Job['state'];
  readonly title: string;
  readonly empty: string;
  readonly hint: string;
}

/** The newest jobs in a state. */
export function JobsPanel({ state, title, empty, hint }: Props) {
  const jobs = useCall('GET /v1/jobs', { query: { state, limit: 6 } });
  return (
    <Panel title={title} flush aside={<Link href={`/jobs?state=${state}`}>All of them</Link>}>
      {jobs.isPending && <Loading what={title} />}
      {jobs.isError && <Fault error={jobs.error} retry={() => void jobs.refetch()} />}
      {jobs.data && (
        <DataTable
          label={title}
          rows={jobs.data.data}
          keyOf={({ id }) => id}
          empty={<Empty title={empty}>{hint}</Empty>}
          columns={[
            {
              title: 'Job',
              cell: ({ id, queue, error, owner }) => (
                <div className={classes['job']}>
                  <Link href={`/jobs/${id}`}>{queue}</Link>
                  <span className={classes['why']}>{error?.message ?? owner}</span>
                </div>
              ),
            },
            {
              title: 'Since',
              number: true,
              width: '7rem',
              cell: ({ finished_at: end, queued_at: begin }) => <Ago at={end ?? begin} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
