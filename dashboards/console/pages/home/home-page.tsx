import { SimpleGrid } from '@mantine/core';
import { useSession } from '#console/api/session.ts';
import { useJobChanges } from '#console/pages/jobs/use-job-changes.ts';
import { AllPastPanel } from '#console/pages/past/past-panel.tsx';
import { Page } from '#console/ui/page.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { FleetsPanel } from './fleets-panel.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { LoadPanel } from './load-panel.tsx';
import { QueuesPanel } from './queues-panel.tsx';
import { Totals } from './totals.tsx';
import { type Operations, useOperations } from './use-operations.ts';
import { WorkersPanel } from './workers-panel.tsx';

/** Overview: work that needs a person now, and the status of everything. */
export function HomePage() {
  const { operator } = useSession();
  const { now, past, connection, put } = useOperations();
  useJobChanges();
  return (
    <Page
      title="Overview"
      lead={operator ? 'The work of all owners, since you are an operator.' : 'Your own work.'}
      actions={<Live state={connection} />}
    >
      {now ? <Totals queues={now.queues} /> : <Loading what="the figures" />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <JobsPanel
          state="awaiting_approval"
          title="Waits for a decision"
          empty="Nothing waits for a decision"
          hint="Work that needs a person’s consent shows here the moment it is requested."
        />
        <JobsPanel
          state="failed"
          title="Failed"
          empty="Nothing has failed"
          hint="Jobs that were given up show here, with why."
        />
      </SimpleGrid>
      {now && <QueuesPanel queues={now.queues} mayPause={operator} onChange={put} />}
      <AllPastPanel />
      {now && hasRegistered(now) && <WorkersPanel workers={now.workers} isAll={operator} />}
      <SimpleGrid cols={{ base: 1, lg: now?.fleets ? 2 : 1 }} spacing="md">
        {now && <LoadPanel past={past} />}
        {now?.fleets && <FleetsPanel fleets={now.fleets} />}
      </SimpleGrid>
    </Page>
  );
}

/** Checks whether there are queues that workers elsewhere take: those that come with Proofline have fleets. */
function hasRegistered({ queues, workers }: Operations): boolean {
  return workers.total > 0 || queues.some(({ fleets }) => fleets.length === 0);
}
