import { type CommonQueryMethods, sql } from 'slonik';
import { type OwnerEvent, tellOwner } from '#src/governance/owners/owner-log.ts';
import type { ErrorReason } from '#src/lib/error-reasons.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Approval, lockApproval } from './approval-row.ts';

export interface ApprovalUse {
  readonly id: string;
  readonly owner: string;
  readonly kind: Approval['kind'];
  /** Hash of the effect that is about to happen. */
  readonly effectHash: string;
  /** The job that does it. */
  readonly job: string;
}

/**
 * Uses up an approval for one job, in the caller's transaction: of callers at the same time one gets it. The same job
 * again changes nothing.
 *
 * @throws AppError `invalid_approval` for one that is unknown, another owner's, not granted, used, expired, bound to
 *   another job, or for another effect; the sentence says which. Another owner's and an unknown one get the same
 *   sentence.
 */
export async function useApproval(tx: CommonQueryMethods, use: ApprovalUse): Promise<OwnerEvent | null> {
  const approval = await lockApproval(tx, use.id);
  if (!approval || approval.owner !== use.owner) throw invalid(use.id, 'one that does not exist', 'unknown');
  if (approval.state === 'used' && approval.job === use.job) return null;
  assertUsable(approval, use);
  await tx.query(sql.unsafe`
    update approvals set state = 'used', used_at = now(), job = ${use.job} where id = ${use.id}`);
  return await tellOwner(tx, use.owner, 'approval.used', { approval: use.id, job: use.job });
}

/**
 * Checks that it could be used now, without using it, so that nothing is made for an approval that could not. @throws
 * as {@link useApproval}.
 */
export function assertUsable(approval: Approval, { id, kind, effectHash, job }: ApprovalUse): void {
  const { state } = approval;
  if (state === 'pending') throw invalid(id, 'one that is not decided yet', 'pending');
  if (state !== 'granted') throw invalid(id, state === 'used' ? 'one that was used' : `one that is ${state}`, state);
  if (approval.job !== null && approval.job !== job) throw invalid(id, 'one that another job waits for', 'other_job');
  if (approval.kind !== kind) throw invalid(id, `one for another kind of effect (${approval.kind})`, 'other_kind');
  if (approval.effectHash !== effectHash)
    throw invalid(id, 'one for another effect: another plan, another ceiling, or other providers', 'other_effect');
}

/** @param reason the same as `got` in a word, for programs */
export function invalid(ref: string, got: string, reason: ErrorReason<'invalid_approval'>): AppError {
  return new AppError(
    'invalid_approval',
    `approvalRef: expected a granted, unexpired, unused approval of yours for exactly this effect, got ${got}.`,
    { field: 'approvalRef', value: ref.slice(0, 80), reason },
  );
}
