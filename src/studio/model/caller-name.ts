import type { Principal } from '#src/lib/principal.ts';

/** Names the requester for the audit: a person by their address, a key by its id. */
export function callerName({ session, keyId, owner }: Principal): string {
  if (session) return session.email;
  return keyId ? `key:${keyId}` : owner;
}
