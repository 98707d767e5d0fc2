import { ownerOf } from '#src/access/humans/mint-key.ts';
import { createKey, type Key, type KeyRequest, listKeys, missionScopes, revokeKey } from '#src/access/keys/keys.ts';
import { jobScopes, scopes } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { developerEmail } from '#src/system/embedded/identity.ts';
import { readSecret, replaceSecret } from '#src/system/embedded/secrets.ts';

/** The person who develops on this machine, once they sign in: what these keys make is theirs. */
const developer = `user:${developerEmail}`;

const requests = {
  admin: { owner: developer, name: 'default admin', scopes, operator: true, tier: 'high' },
  studio: {
    owner: developer,
    name: 'default studio',
    scopes: scopes.filter((scope) => scope.startsWith('studio.')),
    tier: 'high',
  },
  analytics: {
    owner: 'analytics',
    name: 'default analytics',
    scopes: ['platform.mcp.read', 'platform.mcp.execute'],
    tier: 'high',
  },
  jobs: { owner: developer, name: 'default jobs', scopes: jobScopes, tier: 'high' },
} as const satisfies Record<string, KeyRequest>;

const humanRequest = { name: 'default human', scopes: missionScopes, tier: 'high' } as const;

export interface DefaultKeys extends Record<keyof typeof requests, string> {
  /** A key of the development human; null where there is none. */
  readonly human: string | null;
}

/**
 * The keys of a system on one machine. Their secrets are kept in the home, so that every start prints the same ones;
 * one that was revoked or belongs to another database is made anew, and so is one of another owner, bound to another
 * human than `human`, or without a scope that it should have: an earlier release knew fewer.
 */
export async function defaultKeys(context: Context, home: string, human: string | null): Promise<DefaultKeys> {
  const known = await listKeys(context, null);
  const secretOf = async (name: string, request: KeyRequest): Promise<string> => {
    const kept = readSecret(home, `key-${name}`);
    const key = known.find(({ revoked_at, start, last4 }) => revoked_at === null && fits(kept, start, last4));
    if (kept !== undefined && key && serves(key, request)) return kept;
    const { secret } = await createKey(context, request);
    replaceSecret(home, `key-${name}`, secret);
    // no caller holds it any more
    if (key) await revokeKey(context, key.id, null);
    return secret;
  };
  const [admin, studio, analytics, jobs] = await Promise.all([
    secretOf('admin', { ...requests.admin, human }),
    secretOf('studio', requests.studio),
    secretOf('analytics', requests.analytics),
    secretOf('jobs', requests.jobs),
  ]);
  const humans = human && (await secretOf('human', { ...humanRequest, owner: ownerOf(human), human }));
  return { admin, studio, analytics, jobs, human: humans };
}

function serves(key: Key, { owner, human = null, scopes: wanted }: KeyRequest): boolean {
  return (
    key.owner === owner && key.human_id === human && wanted.every((scope) => key.scopes.some((one) => one === scope))
  );
}

function fits(secret: string | undefined, start: string, last4: string): boolean {
  return secret !== undefined && secret.startsWith(`sk-platform-${start}`) && secret.endsWith(last4);
}
