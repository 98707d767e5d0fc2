import type { Key } from '#src/access/keys.ts';
import { scopes } from '#src/lib/principal.ts';

// the widest last
const heading = ['id', 'key', 'state', 'owner', 'name', 'tier', 'expires', 'addresses', 'scopes'];

/** Keys as people read them, one a line below a heading; of each key only its first and last four characters. */
export function keyTable(keys: readonly Key[], now = new Date()): string {
  const rows = [heading, ...keys.map((key) => cells(key, now))];
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
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
