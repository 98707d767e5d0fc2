/** The eight scopes of the studio document: its key routes take and show these and no others. */
export const studioKeyScopes = [
  'studio.read',
  'studio.brief',
  'studio.plan',
  'studio.render',
  'studio.publish',
  'studio.worker',
  'platform.mcp.read',
  'platform.mcp.execute',
] as const;

/** Scopes over jobs of registered queues: submit, signal and cancel them; do them; register their queues. */
export const jobScopes = ['jobs.submit', 'jobs.work', 'jobs.manage'] as const;

/** Rights that a key may have. */
export const scopes = [...studioKeyScopes, ...jobScopes] as const;

export type Scope = (typeof scopes)[number];

/** A person who is signed in, in one browser. */
export interface SessionOf {
  /** Names the session here; it cannot be used as one. */
  readonly id: string;
  /** As their provider has verified it, in lower case. */
  readonly email: string;
  readonly identity: { readonly issuer: string; readonly subject: string };
  /** Latest end of the session. */
  readonly until: Date;
}

/** The caller: the owner of a key or session, what it may do, and the human behind it where that is proven. */
export interface Principal {
  readonly owner: string;
  readonly keyId: string | null;
  readonly scopes: readonly Scope[];
  /** May redrive, pause, invite and see others' jobs. A flag, not a scope: no key can grant it to another. */
  readonly operator: boolean;
  readonly human: string | null;
  /** The sign-in behind the call; null where a key calls, or the system itself. */
  readonly session: SessionOf | null;
  /** Row of the rate table that applies. */
  readonly tier: string;
  /** The one stream that the caller may open, where it has shown a token for it and nothing else. */
  readonly stream?: { readonly id: string; readonly kind: string; readonly subject: string };
}

const prefix = 'session:';
const tokenPrefix = 'token:';

/**
 * Holder of something that stays open (a stream, a machine's session): a key, a session or a stream token; null without
 * any of them.
 */
export function holderOf({ keyId, session, stream }: Pick<Principal, 'keyId' | 'session' | 'stream'>): string | null {
  if (stream) return tokenHolder(stream.id);
  return keyId ?? (session && sessionHolder(session.id));
}

/** The id of the stream token that a holder is; null where it is none. */
export function tokenHeld(holder: string): string | null {
  return holder.startsWith(tokenPrefix) ? holder.slice(tokenPrefix.length) : null;
}

export function tokenHolder(id: string): string {
  return tokenPrefix + id;
}

/** The id of the session that a holder is; null where it is a key. */
export function sessionHeld(holder: string): string | null {
  return holder.startsWith(prefix) ? holder.slice(prefix.length) : null;
}

export function sessionHolder(id: string): string {
  return prefix + id;
}

/** Names the requester for the audit: a person by their address, a key by its id. */
export function callerName({ session, keyId, owner }: Pick<Principal, 'owner' | 'keyId' | 'session'>): string {
  if (session) return session.email;
  return keyId ? `key:${keyId}` : owner;
}
