import type { Answer } from '#console/api/client.ts';

/** A key as its owner sees it. */
export type Key = Answer<'GET /api/studio/v1/keys'>['keys'][number];

/** Tells active keys from revoked and expired ones; `now` in milliseconds since 1970. */
export function stateOf({ revokedAt, expiresAt }: Key, now: number): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
