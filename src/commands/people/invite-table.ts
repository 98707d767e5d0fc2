import type { InviteRow } from '#src/access/humans/store/invite-store.ts';
import { textTable } from '#src/commands/terminal/text-table.ts';

const heading = ['id', 'for', 'by', 'made', 'expires', 'scopes'];

/** Open invites as operators read them, one a line below a heading; codes are kept nowhere. */
export function inviteTable(invites: readonly InviteRow[]): string {
  return textTable([heading, ...invites.map(cells)]);
}

function cells({ id, label, created_by, created_at, expires_at, scopes }: InviteRow): string[] {
  return [id, label, created_by, created_at.toISOString(), expires_at.toISOString(), scopes.join(',')];
}
