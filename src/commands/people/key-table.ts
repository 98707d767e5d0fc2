import type { Key } from '#src/access/keys/keys.ts';
import { textTable } from '#src/commands/terminal/text-table.ts';
import { scopes } from '#src/lib/principal.ts';

// the widest last
const heading = ['id', 'key', 'state', 'owner', 'name', 'tier', 'expires', 'addresses', 'scopes'];

/** Keys as people read them, one a line below a heading; of each key only its first and last four characters. */
export function keyTable(keys: readonly Key[], now = new Date()): string {
  return textTable([heading, ...keys.map((key) => cells(key, now))]);
}

function cells(key: Key, now: Date): string[] {
  const isAll = scopes.every((scope) => key.scopes.includes(scope));
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
