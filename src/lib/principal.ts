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

/** Who calls: the owner of a key or session, what it may do, and the human behind it where that is proven. */
export interface Principal {
  readonly owner: string;
  readonly keyId: string | null;
  readonly scopes: readonly Scope[];
  /** May redrive, pause, invite and see others' jobs. A flag, not a scope: no key can grant it to another. */
  readonly operator: boolean;
  readonly human: string | null;
  /** Which row of the rate table applies. */
  readonly tier: string;
}
