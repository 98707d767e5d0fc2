import { type Challenge, makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import type { Context } from '#src/system/context.ts';
import type { Approval } from './approval-row.ts';
import type { Decider } from './decide-approval.ts';

/** A fresh challenge for the decision on one approval, about exactly its effect; five minutes. */
export async function challengeApproval(
  context: Context,
  { id, effectHash }: Approval,
  { human }: Decider,
): Promise<Challenge> {
  return await makeChallenge(context, {
    purpose: 'approval',
    body: { approvalId: id, effectSha256: effectHash, ...(human !== null && { humanId: human }) },
    ttlMs: context.config.STEP_CHALLENGE_MS,
  });
}
