import type { Answer } from '#console/api/client.ts';

/** A key as its owner sees it. */
export type Key = Answer<'GET /api/v1/keys'>['data'][number];

/** Tells active keys from revoked and expired ones; `now` in milliseconds since 1970. */
export function stateOf({ revokedAt, expiresAt }: Key, now: number): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

/** The beginning of a key's secret, as lists show it. */
export function maskedSecret(start: string): string {
  return `sk-platform-${start}…`;
}
