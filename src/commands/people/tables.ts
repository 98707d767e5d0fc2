import type { HumanRow } from '#src/access/humans/store/human-store.ts';
import type { InviteRow } from '#src/access/humans/store/invite-store.ts';
import type { Key } from '#src/access/keys/keys.ts';
import { shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { ApprovalView } from '#src/governance/approvals/approval-view.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { scopes as everyScope } from '#src/lib/principal.ts';

const approvalHeading = ['id', 'status', 'what', 'expires', 'proof', 'why it is needed'];

/** Approvals as people read them, one a line below a heading; what each lets happen is shown before it is granted. */
export function approvalTable(approvals: readonly ApprovalView[]): string {
  return textTable([approvalHeading, ...approvals.map(approvalCells)]);
}

function approvalCells({
  id,
  status,
  kind,
  subject,
  expiresAt,
  needsProofOfPersonhood,
  areas,
}: ApprovalView): string[] {
  const proof = needsProofOfPersonhood ? 'of personhood' : 'none';
  return [id, status, `${kind} ${subject}`, shownTime(expiresAt), proof, areas.map(({ why }) => why).join('; ')];
}

const humanHeading = ['id', 'for', 'state', 'assurance', 'provider', 'enrolled', 'scopes'];

/** Humans as operators read them, one a line below a heading. */
export function humanTable(humans: readonly HumanRow[]): string {
  return textTable([humanHeading, ...humans.map(humanCells)]);
}

/** A human as programs read them. */
export function humanView(human: HumanRow) {
  return {
    id: hexOf(human.nullifier),
    for: human.label,
    state: human.revoked_at ? 'removed' : 'active',
    assurance: human.assurance,
    provider: human.provider,
    scopes: human.scopes,
    tier: human.tier,
    created_at: human.created_at.toISOString(),
    revoked_at: human.revoked_at?.toISOString() ?? null,
  } as const;
}

function humanCells(human: HumanRow): string[] {
  const { id, for: label, state, assurance, provider, created_at, scopes } = humanView(human);
  return [id, label ?? '', state, assurance, provider, created_at, scopes.join(',')];
}

const inviteHeading = ['id', 'for', 'by', 'made', 'expires', 'scopes'];

/** Open invites as operators read them, one a line below a heading; codes are kept nowhere. */
export function inviteTable(invites: readonly InviteRow[]): string {
  return textTable([inviteHeading, ...invites.map(inviteCells)]);
}

function inviteCells({ id, label, created_by, created_at, expires_at, scopes }: InviteRow): string[] {
  return [id, label, created_by, created_at.toISOString(), expires_at.toISOString(), scopes.join(',')];
}

// the widest last
const keyHeading = ['id', 'key', 'state', 'owner', 'name', 'tier', 'expires', 'addresses', 'scopes'];

/** Keys as people read them, one a line below a heading; of each key only its first and last four characters. */
export function keyTable(keys: readonly Key[], now = new Date()): string {
  return textTable([keyHeading, ...keys.map((key) => keyCells(key, now))]);
}

function keyCells(key: Key, now: Date): string[] {
  const isAll = everyScope.every((scope) => key.scopes.includes(scope));
  const grants = [...(isAll ? ['all'] : key.scopes), ...(key.operator ? ['operator'] : [])];
  return [
    key.id,
    `${key.start}…${key.last4}`,
    stateOf(key, now),
    key.owner,
    key.name,
    key.tier,
    key.expires_at?.toISOString() ?? 'never',
    key.allowed_ips.join(',') || 'any',
    grants.join(',') || 'none',
  ];
}

function stateOf({ revoked_at, expires_at }: Key, now: Date): string {
  if (revoked_at) return 'revoked';
  return expires_at && expires_at <= now ? 'expired' : 'active';
}
