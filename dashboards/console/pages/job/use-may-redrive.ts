import { useSession } from '#console/api/session.ts';
import { useCall } from '#console/api/use-call.ts';
import type { Job } from './use-job.ts';

/**
 * Tells whether the visitor may put a failed job back: an operator any, others their own of queues that they registered,
 * unless a person allowed that one run.
 */
export function useMayRedrive(job: Job | undefined): boolean {
  const { operator, owner } = useSession();
  const isOffered = job?.state === 'failed' && (operator || (job.owner === owner && job.approval_id === null));
  const namespaces = useCall('GET /v1/namespaces', {}, { enabled: isOffered && !operator });
  if (!isOffered) return false;
  return operator || (namespaces.data?.data ?? []).some(({ name }) => job.queue.startsWith(`${name}.`));
}
