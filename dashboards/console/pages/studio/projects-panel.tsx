import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import type { Project } from '#console/pages/studio/parts/studio-types.ts';
import { modeWords, titleOf } from '#console/pages/studio/parts/words.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import classes from './projects-panel.module.css';

/** The newest briefs, and how far each has come. */
export function ProjectsPanel() {
  const monitoring = useCall('GET /api/studio/v1/monitoring', {});
  return (
    <Panel title="Projects" flush>
      <Answered query={monitoring} what="projects">
        {(envelope) => (
          <DataTable
            label="Projects"
            rows={envelope.output['recentProjects'] as readonly Project[]}
            keyOf={({ id }) => id}
            empty={
              <Empty title="No brief yet">
                <p>
                  Say in a few sentences what you want, and see what it would take and cost before anything is made.
                </p>
                <Button component={Link} href="/studio/new">
                  Write the first brief
                </Button>
              </Empty>
            }
            columns={[
              {
                title: 'Brief',
                cell: (project) => (
                  <Link href={`/studio/briefs/${project.id}`} className={classes['name']}>
                    {titleOf(project)}
                  </Link>
                ),
              },
              { title: 'Kind', cell: ({ mode }) => modeWords[mode].title, from: 'md' },
              { title: 'Stands at', cell: (project) => <StateBadge {...stageOf(project)} /> },
              { title: 'Estimate', number: true, cell: costOf, from: 'md' },
              { title: 'Written', number: true, cell: ({ createdAt }) => <Ago at={createdAt} />, from: 'md' },
            ]}
          />
        )}
      </Answered>
    </Panel>
  );
}

/** Stage of a brief: its newest work, else its newest plan. */
function stageOf({ plans }: Project): Pick<Parameters<typeof StateBadge>[0], 'state' | 'tone'> {
  const [newest] = plans.flatMap(({ jobs }) => jobs).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  if (!newest) return plans.length > 0 ? { state: 'planned' } : { state: 'brief' };
  if (newest.status !== 'succeeded') return { state: newest.status };
  return { state: newest.kind === 'publish' ? 'published' : 'rendered', tone: 'ok' };
}

function costOf({ plans: [newest] }: Project): string {
  return newest ? formatMoney(newest.estimatedCostUsd) : '—';
}
