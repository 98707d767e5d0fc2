import { Progress as Bar } from '@mantine/core';
import type { StudioJob } from '#console/pages/studio/parts/studio-types.ts';
import { useProgress } from '#console/pages/studio/parts/use-progress.ts';
import { Panel } from '#console/ui/panel.tsx';

const stages: Readonly<Record<string, string>> = {
  reframing: 'Films and pictures are brought into the shapes of their channels',
  packaging: 'Packages are made',
  delivering: 'Packages are delivered where their channel has an address',
  sealing: 'The receipt is sealed',
};

/** Present stage of a publication. */
export function PublishProgress({ job }: { readonly job: StudioJob }) {
  const progress = useProgress(job);
  const stage = progress ? stages[progress.stage] : job.status === 'queued' ? 'It is in its queue' : 'It begins';
  const share = progress ? progress.done / Math.max(1, progress.of) : 0;
  return (
    <Panel title="Packaging">
      <p style={{ margin: '0 0 0.6rem', fontSize: '0.875rem' }}>{stage}</p>
      <Bar value={Math.round(10 + share * 85)} size="sm" animated aria-label={stage ?? 'under way'} />
    </Panel>
  );
}
