import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { type Approval, type ApprovalState, listApprovals, readApproval } from './approval-row.ts';
import { type ApprovalView, approvalView } from './approval-view.ts';

type Seer = Pick<Principal, 'owner' | 'operator'>;

export interface ApprovalsWanted {
  /** Null for all. */
  readonly state: ApprovalState | null;
  /** The plan or asset that they are about; of anything without it. */
  readonly subject?: string | undefined;
  readonly limit: number;
  /** Cursor at which the page begins; null for the newest. */
  readonly cursor: string | null;
}

/** A page of the approvals that the caller may see, newest first: their own, or for an operator those of all owners. */
export async function approvalPage(
  context: Context,
  seer: Seer,
  { state, subject, limit, cursor }: ApprovalsWanted,
): Promise<{ approvals: ApprovalView[]; nextCursor: string | null }> {
  const found = await listApprovals(context, { owner: ownerSeen(seer), state, subject, before: cursor, limit });
  const page = found.slice(0, limit);
  return {
    approvals: page.map((approval) => approvalView(context, approval)),
    nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** The approval of this id, where it may be seen; else null. */
export async function approvalSeen(context: Context, seer: Seer, id: string): Promise<Approval | null> {
  return await readApproval(context, id, ownerSeen(seer));
}

function ownerSeen({ owner, operator }: Seer): string | null {
  return operator ? null : owner;
}
