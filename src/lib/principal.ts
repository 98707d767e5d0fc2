/** What a key may be allowed to do: exactly the eight scopes of the studio document. */
export const scopes = [
  'studio.read',
  'studio.brief',
  'studio.plan',
  'studio.render',
  'studio.publish',
  'studio.worker',
  'platform.mcp.read',
  'platform.mcp.execute',
] as const;

export type Scope = (typeof scopes)[number];

/** A person who is signed in, in one browser. */
export interface SessionOf {
  /** Names the session here; nobody can use it as one. */
  readonly id: string;
  /** As their provider has verified it, in lower case. */
  readonly email: string;
  readonly identity: { readonly issuer: string; readonly subject: string };
  /** When it ends at the latest. */
  readonly until: Date;
}

/** Who calls: the owner of a key or session, what it may do, and the human behind it where that is proven. */
export interface Principal {
  readonly owner: string;
  readonly keyId: string | null;
  readonly scopes: readonly Scope[];
  /** May redrive, pause, invite and see others' jobs. A flag, not a scope: no key can grant it to another. */
  readonly operator: boolean;
  readonly human: string | null;
  /** The sign-in behind the call; null where a key calls, or the system itself. */
  readonly session: SessionOf | null;
  /** Which row of the rate table applies. */
  readonly tier: string;
}

const prefix = 'session:';

/** In whose name something stays open (a stream, a machine's session): a key or a session; null where nobody's. */
export function holderOf({ keyId, session }: Pick<Principal, 'keyId' | 'session'>): string | null {
  return keyId ?? (session && sessionHolder(session.id));
}

/** The id of the session that a holder is; null where it is a key. */
export function sessionHeld(holder: string): string | null {
  return holder.startsWith(prefix) ? holder.slice(prefix.length) : null;
}

export function sessionHolder(id: string): string {
  return prefix + id;
}
