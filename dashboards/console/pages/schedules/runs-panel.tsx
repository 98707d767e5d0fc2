import { Link } from 'wouter';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Time } from '#console/ui/time.tsx';
import { RunOutcome } from './run-outcome.tsx';
import type { Run } from './schedule.ts';

/** The newest times that are over, each with its job, or with why there is none. */
export function RunsPanel({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <Panel title="Runs" flush aside={runs.length === 100 ? 'the newest 100' : undefined}>
      <DataTable
        label="Runs"
        rows={runs}
        keyOf={({ at }) => at}
        empty={<Empty title="It has not run yet">Its times show here when they are over.</Empty>}
        columns={[
          { title: 'Time', cell: ({ at }) => <Time at={at} /> },
          { title: 'Outcome', width: '1%', cell: (run) => <RunOutcome run={run} /> },
          {
            title: 'Job',
            cell: ({ job_id: job, reason }) =>
              job === null ? (
                <span className="quiet">{reason ?? '–'}</span>
              ) : (
                <>
                  <JobLink id={job} /> {reason !== null && <span className="quiet">{reason}</span>}
                </>
              ),
          },
        ]}
      />
    </Panel>
  );
}

function JobLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/jobs/${id}`} className="mono" aria-label={`Job ${id}`}>
      {id.slice(-12)}
    </Link>
  );
}
