import { Link } from 'wouter';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { spell, Time } from '#console/ui/time.tsx';
import { childPlaceText } from '#src/lib/text/child-place.ts';
import type { Job } from './use-job.ts';

interface Props {
  readonly job: Job;
  readonly isOwn: boolean;
  /** Path of its receipt; null while there is none. */
  readonly receipt: string | null;
}

export function FactsPanel({ job, isOwn, receipt }: Props) {
  const { owner, priority, attempt, idempotency_key: key, approval_id: approval } = job;
  return (
    <Panel title="Facts">
      <KeyValue
        facts={{
          Owner: owner,
          Accepted: <Time at={job.created_at} />,
          Due: job.state === 'queued' ? <Time at={job.run_at} /> : null,
          Started: job.started_at && <Time at={job.started_at} />,
          Ended: job.finished_at && <Time at={job.finished_at} />,
          Took: tookOf(job),
          Attempts: attempt,
          Priority: priority,
          'Idempotency key': key && <code>{key}</code>,
          'Parent job': job.parent_id && <ParentLink id={job.parent_id} parent={job.parent} />,
          Approval: approval && (isOwn ? <ApprovalLink id={approval} /> : <code>{approval}</code>),
          Receipt:
            receipt === null ? null : (
              <>
                <a href={receipt} download>
                  Download
                </a>
                {', then '}
                <a href={`/verify?receipt=${receipt.split('/').at(-1)}`}>verify it here</a>
              </>
            ),
        }}
      />
    </Panel>
  );
}

/** Parent of a job with which of its children the job is; a flow has a page of its own. */
function ParentLink({ id, parent }: { readonly id: string; readonly parent: Job['parent'] }) {
  if (!parent)
    return (
      <Link href={`/jobs/${id}`} className="mono">
        {id}
      </Link>
    );
  const { queue, name } = parent;
  const place = childPlaceText(parent);
  return (
    <>
      <Link href={queue === 'flows.run' ? `/flows/${id}` : `/jobs/${id}`}>{name ?? queue ?? <code>{id}</code>}</Link>
      {place && `, ${place}`}
    </>
  );
}

function ApprovalLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/studio/approvals/${id}`} className="mono">
      {id}
    </Link>
  );
}

function tookOf({ started_at: begin, finished_at: end }: Job): string | null {
  return begin === null || end === null ? null : spell(Math.max(0, Date.parse(end) - Date.parse(begin)) / 1_000);
}
