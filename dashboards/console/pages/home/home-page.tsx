import { SimpleGrid } from '@mantine/core';
import { useSession } from '#console/api/session.ts';
import { Page } from '#console/ui/page.tsx';
import { JobsPanel } from './jobs-panel.tsx';

/** What needs somebody now. */
export function HomePage() {
  const { operator } = useSession();
  return (
    <Page title="Overview" lead={operator ? 'Everybody’s work, since you are an operator.' : 'Your own work.'}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <JobsPanel state="awaiting_approval" title="Waits for a decision" empty="Nothing waits for a decision" />
        <JobsPanel state="failed" title="Failed" empty="Nothing has failed" />
      </SimpleGrid>
    </Page>
  );
}
