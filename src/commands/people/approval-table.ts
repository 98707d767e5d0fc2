import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { ApprovalView } from '#src/governance/approvals/approval-view.ts';

const heading = ['id', 'status', 'what', 'expires', 'proof', 'why it is asked'];

/** Approvals as people read them, one a line below a heading; what each lets happen is shown before it is granted. */
export function approvalTable(approvals: readonly ApprovalView[]): string {
  return textTable([heading, ...approvals.map(cells)]);
}

function cells({ id, status, kind, subject, expiresAt, needsProofOfPersonhood, areas }: ApprovalView): string[] {
  const proof = needsProofOfPersonhood ? 'of personhood' : 'none';
  return [id, status, `${kind} ${subject}`, shownTime(expiresAt), proof, areas.map(({ why }) => why).join('; ')];
}
