import { Page } from '#console/ui/page.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Filters } from './filters.tsx';
import { JobsTable } from './jobs-table.tsx';
import { useFilter } from './use-filter.ts';
import { useJobChanges } from './use-job-changes.ts';

/** Every job that one may see, newest first; searched by whatever is known of it. */
export function JobsPage() {
  const connection = useJobChanges();
  const [filter, change] = useFilter();
  return (
    <Page title="Jobs" lead="Newest first, as they change." actions={<Live state={connection} />}>
      <Filters filter={filter} onChange={change} />
      <JobsTable filter={filter} onClear={() => change({ text: '', owner: '', queue: '', state: '', parent: '' })} />
    </Page>
  );
}
