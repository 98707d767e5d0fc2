import { Link } from 'wouter';
import { StudioJobRows } from '#console/pages/studio/parts/studio-job-rows.tsx';
import { useStudioJobs } from '#console/pages/studio/parts/use-studio.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';

/** The newest renders and publications. */
export function RecentJobsPanel() {
  const jobs = useStudioJobs({ limit: 8 });
  return (
    <Panel title="Renders and publications" flush>
      <Answered query={jobs} what="renders and publications">
        {({ jobs: rows }) => (
          <StudioJobRows
            label="Renders and publications"
            jobs={rows}
            empty={
              <Empty title="Nothing was rendered yet">
                A render starts from a plan whose approval was granted. <Link href="/studio/new">Write a brief</Link>
              </Empty>
            }
          />
        )}
      </Answered>
    </Panel>
  );
}
