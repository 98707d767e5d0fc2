import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { ApiError } from '#console/api/api-error.ts';
import { useChange } from '#console/api/use-call.ts';
import type { StudioJob } from '#console/pages/studio/parts/studio-types.ts';
import { Warnings } from '#console/pages/studio/parts/warnings.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import classes from './job-troubles.module.css';

/** Obstacles that keep a job from its end, and what to do about them; empty where all is well. */
export function JobTroubles({ job }: { readonly job: StudioJob }) {
  if (job.held) return <Held />;
  if (job.status === 'awaiting_approval' && job.approvalRef !== null)
    return (
      <div className={classes['note']}>
        <span>It waits for a person to decide. No provider is called before.</span>
        <Button component={Link} href={`/studio/approvals/${job.approvalRef}`}>
          Look at it and decide
        </Button>
      </div>
    );
  if (job.status === 'cancelled')
    return <Warnings warnings={['It was cancelled. What its calls had made before is kept below.']} />;
  if (job.status !== 'failed' || job.error === null) return null;
  return <Fault error={new ApiError(0, { code: job.error.code, message: job.error.message })} />;
}

/** Approved, and kept in its queue until a worker run lets it go. */
function Held() {
  const release = useChange('POST /api/studio/v1/worker/run', () => {});
  return (
    <div className={classes['note']}>
      <div>
        <span>It is approved and held: a worker run lets it go.</span>
        {release.isError && <Fault error={release.error} />}
        {release.data && <Warnings warnings={release.data.reasons} />}
      </div>
      <Button loading={release.isPending} onClick={() => release.mutate({ body: { limit: 10 } })}>
        Let it go
      </Button>
    </div>
  );
}
