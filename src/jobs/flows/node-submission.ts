import type { QueueContract } from '#queues/define.ts';
import type { StoredNode } from '#queues/flows.ts';
import type { Submission } from '#src/jobs/submit/submit.ts';
import type { Principal } from '#src/lib/principal.ts';

/** The submission of one job of a node, for the owner of the flow. */
export function submissionOf(
  { options = {} }: Pick<StoredNode, 'options'>,
  principal: Pick<Principal, 'owner' | 'keyId'>,
  payload: unknown,
  now: Date,
): Submission<QueueContract> {
  const { delay_ms: delayMs, ...rest } = options;
  return {
    ...rest,
    principal,
    payload,
    ...(delayMs !== undefined && { runAt: new Date(now.getTime() + delayMs) }),
  };
}
