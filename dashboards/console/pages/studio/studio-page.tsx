import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import type { StreamState } from '#console/api/events.ts';
import { AssetsPanel } from '#console/pages/studio/assets/assets-panel.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Page } from '#console/ui/page.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { DecisionsPanel } from './decisions-panel.tsx';
import { ProjectsPanel } from './projects-panel.tsx';
import { RecentJobsPanel } from './recent-jobs-panel.tsx';
import { SpendPanel } from './spend-panel.tsx';
import classes from './studio-page.module.css';

/** Everything that is under way, from briefs to films. */
export function StudioPage({ live }: { readonly live: StreamState }) {
  return (
    <Page
      title="Studio"
      beside={<Live state={live} />}
      lead="Nothing is spent and nothing leaves before a person has allowed exactly that."
      actions={
        <Group gap="xs">
          <Button component={Link} href="/studio/approvals" variant="default">
            Approvals
          </Button>
          <Button component={Link} href="/studio/new" leftSection={<Icon name="plus" size={14} />}>
            New brief
          </Button>
        </Group>
      }
    >
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <ProjectsPanel />
          <AssetsPanel />
        </div>
        <div className={classes['column']}>
          <DecisionsPanel />
          <SpendPanel />
          <RecentJobsPanel />
        </div>
      </div>
    </Page>
  );
}
